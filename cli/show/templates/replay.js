(() => {
  const PAUSE = 1600;
  const { steps, words } = JSON.parse(document.getElementById("record").textContent);
  const board = new Board(document.querySelector(".board"));
  const element = (id) => document.getElementById(id);
  const entries = [...document.querySelectorAll(".entry")];
  const list = document.querySelector(".list");
  const end = steps.length - 1;
  let now = 0;
  let timer = 0;

  function go(to) {
    const step = Math.min(Math.max(to, 0), end);
    if (step === now) return;
    now = step;
    board.show(steps[step]);
    element("title").textContent = steps[step].title;
    element("about").textContent = steps[step].about;
    element("status").textContent = steps[step].announce;
    element("slider").value = step;
    element("slider").setAttribute("aria-valuetext", steps[step].title);
    mark();
  }

  function mark() {
    for (const id of ["first", "back"]) element(id).setAttribute("aria-disabled", now === 0);
    for (const id of ["forward", "last"]) element(id).setAttribute("aria-disabled", now === end);
    entries.forEach((entry, at) => {
      if (at === now) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
    });
    // Only the list scrolls, never the page under the reader.
    const entry = entries[now];
    const above = entry.offsetTop - list.scrollTop;
    if (above < 0 || above + entry.offsetHeight > list.clientHeight) {
      list.scrollTop = entry.offsetTop - (list.clientHeight - entry.offsetHeight) / 2;
    }
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    dress();
  }

  function play() {
    if (timer) return stop();
    go(now === end ? 0 : now + 1);
    timer = setInterval(() => {
      go(now + 1);
      if (now === end) stop();
    }, PAUSE);
    if (now === end) return stop();
    return dress();
  }

  function dress() {
    const label = timer ? words.pause : words.play;
    element("play").classList.toggle("playing", Boolean(timer));
    element("play").setAttribute("aria-label", label);
    element("play").title = label;
  }

  function jump(to) {
    stop();
    go(to);
  }

  element("first").onclick = () => jump(0);
  element("back").onclick = () => jump(now - 1);
  element("play").onclick = play;
  element("forward").onclick = () => jump(now + 1);
  element("last").onclick = () => jump(end);
  element("slider").oninput = () => jump(Number(element("slider").value));
  entries.forEach((entry, at) => (entry.onclick = () => {
    // On a phone the list is below the board.
    document.querySelector(".felt").scrollIntoView({ block: "nearest", behavior: board.still.matches ? "auto" : "smooth" });
    jump(at);
  }));

  const KEYS = {
    ArrowLeft: () => jump(now - 1),
    ArrowRight: () => jump(now + 1),
    Home: () => jump(0),
    End: () => jump(end),
    " ": play,
  };
  addEventListener("keydown", (event) => {
    const taken = event.key === " " ? "button" : "input";
    if (!(event.key in KEYS) || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(taken)) return;
    event.preventDefault();
    KEYS[event.key]();
  });

  document.querySelector(".controls").hidden = false;
  mark();
})();
