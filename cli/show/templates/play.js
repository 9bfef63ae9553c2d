"use strict";

(() => {
  const { words, names, goals, refusals, errors, mostText } = JSON.parse(document.getElementById("facts").textContent);
  const element = (id) => document.getElementById(id);
  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  const moves = (n) => (n === 1 ? words.one : fill(words.many, { n }));
  const tileText = (name) => `${name[0]}:${name[1]}`;
  const STORE = "xiangshifu";
  const SVG = "http://www.w3.org/2000/svg";

  /** The game: a deal, how it is played, and every position so far. It is all that is kept over a reload. */
  let game = null;
  let tiles = [];
  let board = null;
  let picked = [];
  let asking = null;
  let learning = null;
  let wishes = 0;
  let dragging = false;

  // ---- the server

  async function call(path, body) {
    let answer;
    try {
      answer = await (await send(path, body)).json();
    } catch {
      throw new Error(errors.offline);
    }
    if (answer.error) throw new Error(errorText(answer.error));
    if (answer.wrong) throw new Error(sentence(answer.wrong));
    return answer;
  }

  function send(path, body, signal) {
    const headers = { "Accept-Language": names.language };
    if (!body) return fetch(path, { headers, signal });
    return fetch(path, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
    });
  }

  const errorText = (error) => errors[error.code] ?? sentence(error.text);
  const sentence = (text) => fill(words.sentence, { text: text[0].toUpperCase() + text.slice(1) });

  const about = (position) => ({ position, rules: game.rules, goal: game.goal });
  const now = () => game.positions[game.at];

  // ---- drawing

  function build() {
    const groups = game.positions[0].groups;
    let number = 0;
    tiles = [];
    element("board").dataset.layout = game.layout;
    element("board").replaceChildren(...groups.map((group, place) => groupElement(group, place, () => number++)));
    board = new Board(element("board"));
  }

  function groupElement(group, place, next) {
    const item = document.createElement("li");
    item.className = group.tiles.length === 2 ? "group pair" : "group";
    item.dataset.place = place;
    const slots = document.createElement("span");
    slots.className = "tiles";
    for (const name of group.tiles) slots.append(tileElement(name, next()));
    const caption = document.createElement("span");
    caption.className = "caption";
    const where = document.createElement("span");
    where.className = "place";
    where.textContent = place;
    const sign = symbol("sign", "0 0 10 10", "#mark-valid");
    const name = document.createElement("span");
    name.className = "name";
    caption.append(where, sign, name);
    item.append(slots, caption);
    return item;
  }

  function tileElement(name, number) {
    const tile = document.createElement("button");
    tile.type = "button";
    tile.className = "tile";
    tile.dataset.tile = number;
    tile.setAttribute("aria-pressed", "false");
    tile.append(symbol("", "0 0 40 94", `#tile-${name}`));
    tiles[number] = name;
    tile.onclick = () => pick(number);
    tile.onpointerdown = (event) => drag(event, tile, number);
    return tile;
  }

  function symbol(style, box, href) {
    const svg = document.createElementNS(SVG, "svg");
    if (style) svg.setAttribute("class", style);
    svg.setAttribute("viewBox", box);
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", href);
    svg.append(use);
    return svg;
  }

  const caption = (group) =>
    (group.valid && names.pairs[[...group.tiles].sort().join("-")]) ||
    group.names.map((name) => names.combinations[name] ?? name).join(words.comma) ||
    words.invalid;

  function draw() {
    const position = now();
    const groups = position.groups.map((group, place) => ({
      tiles: position.slots[place],
      caption: caption(group),
      valid: group.valid,
    }));
    const focused = document.activeElement?.dataset?.tile;
    board.show({ groups, moving: [] });
    if (focused !== undefined) tileOf(Number(focused)).focus();
    position.slots.forEach((slot, place) => slot.forEach((number) => label(number, place, groups[place])));
    unpick();
    element("count").textContent = words.moves + words.colon + game.at;
    element("undo").setAttribute("aria-disabled", game.at === 0);
    element("restart").setAttribute("aria-disabled", game.at === 0);
    element("redo").setAttribute("aria-disabled", game.at === game.positions.length - 1);
    element("saying").classList.toggle("won", position.won);
    element("felt").classList.toggle("won", position.won);
    drawBest();
  }

  /** What is known of the deal may come at any time, and must leave alone what is picked up or shown. */
  function drawBest() {
    element("best").textContent = bestText();
    if (now().won) celebrate();
    save();
  }

  function label(number, place, group) {
    const text = `${tileText(tiles[number])} ${names.tiles[tiles[number]]}, ${fill(words.group, { place })}, ${group.caption}`;
    tileOf(number).setAttribute("aria-label", text);
    tileOf(number).title = `${tileText(tiles[number])} ${names.tiles[tiles[number]]}`;
  }

  const tileOf = (number) => board.tiles.get(number);

  function bestText() {
    if (!game.best) return "";
    if (game.best.verdict === "unwinnable") return words.lostDeal;
    if (game.best.length === null) return "";
    return (game.best.optimal ? words.shortest : words.atMost) + words.colon + game.best.length;
  }

  function wonText() {
    const shortest = game.best?.optimal ? game.best.length : null;
    if (shortest === null) return fill(words.won, { moves: moves(game.at) });
    return fill(game.at <= shortest ? words.wonBest : words.wonMore, { moves: moves(game.at), shortest });
  }

  function celebrate() {
    say(wonText());
    now().slots.flat().forEach((number, nth) => tileOf(number).style.setProperty("--nth", nth));
  }

  function say(text) {
    element("says").textContent = text;
  }

  // ---- exchanging

  const placeOf = (number) => now().slots.findIndex((slot) => slot.includes(number));

  function pick(number) {
    if (dragging) return;
    unmark();
    if (picked.includes(number)) {
      picked = picked.filter((other) => other !== number);
      press();
      return;
    }
    picked.push(number);
    press();
    const places = [...new Set(picked.map(placeOf))];
    if (places.length > 2) {
      picked = [number];
      press();
    } else if (places.length === 2) {
      const sides = places.map((place) => picked.filter((other) => placeOf(other) === place));
      if (sides[0].length === sides[1].length) exchange(places, sides);
    }
  }

  function press() {
    board.tiles.forEach((tile, number) => tile.setAttribute("aria-pressed", picked.includes(number)));
  }

  function unpick() {
    picked = [];
    press();
    unmark();
  }

  function unmark() {
    board.tiles.forEach((tile) => tile.classList.remove("moving"));
  }

  async function exchange(places, sides) {
    const before = now();
    stopAsking();
    try {
      const out = sides.map((side) => side.map((number) => tiles[number]));
      const after = await call("api/exchange", { ...about(before.position), places, out });
      if (before !== now()) return;
      if (after.refused) {
        refuse(places, fill(refusals[after.refused.code], after.refused.values));
        return;
      }
      const slots = before.slots.map((slot) => [...slot]);
      sides[0].forEach((one, at) => swap(slots, one, sides[1][at]));
      game.positions = game.positions.slice(0, game.at + 1);
      game.positions.push({ position: after.position, groups: after.groups, won: after.won, slots });
      game.at += 1;
      say(places.map((place) => fill(words.group, { place }) + words.colon + caption(after.groups[place])).join(words.semicolon));
      draw();
    } catch (error) {
      unpick();
      say(error.message);
    }
  }

  function swap(slots, one, other) {
    const find = (number) => {
      const place = slots.findIndex((slot) => slot.includes(number));
      return [place, slots[place].indexOf(number)];
    };
    const [a, i] = find(one);
    const [b, j] = find(other);
    slots[a][i] = other;
    slots[b][j] = one;
  }

  function refuse(places, reason) {
    say(reason);
    unpick();
    for (const place of places) {
      const group = board.groups[place];
      group.classList.remove("refused");
      void group.offsetWidth;
      group.classList.add("refused");
    }
  }

  function drag(event, tile, number) {
    if (event.button !== 0) return;
    const start = { x: event.clientX, y: event.clientY };
    let over = null;
    let moved = false;
    tile.setPointerCapture(event.pointerId);
    const move = (next) => {
      const away = { x: next.clientX - start.x, y: next.clientY - start.y };
      if (!moved && Math.hypot(away.x, away.y) < 8) return;
      moved = true;
      tile.classList.add("dragged");
      tile.style.translate = `${away.x}px ${away.y}px`;
      const found = document.elementFromPoint(next.clientX, next.clientY)?.closest(".tile");
      over?.classList.remove("over");
      over = found && placeOf(Number(found.dataset.tile)) !== placeOf(number) ? found : null;
      over?.classList.add("over");
    };
    const end = () => {
      tile.removeEventListener("pointermove", move);
      tile.classList.remove("dragged");
      tile.style.translate = "";
      over?.classList.remove("over");
      if (!moved) return;
      // The click that follows a drag is none.
      dragging = true;
      setTimeout(() => (dragging = false), 0);
      if (over) {
        const other = Number(over.dataset.tile);
        unpick();
        exchange([placeOf(number), placeOf(other)], [[number], [other]]);
      }
    };
    tile.addEventListener("pointermove", move);
    tile.addEventListener("pointerup", end, { once: true });
    tile.addEventListener("pointercancel", end, { once: true });
  }

  function step(to) {
    if (to < 0 || to >= game.positions.length || to === game.at) return;
    stopAsking();
    game.at = to;
    say("");
    draw();
  }

  // ---- questions

  /** Ask the solver; while it works `heard` is told what it does, and whether that takes long. */
  async function ask(kind, position, controller, heard) {
    const began = performance.now();
    let news = null;
    const tick = () => {
      const seconds = Math.round((performance.now() - began) / 1000);
      if (news?.building) heard(fill(words.building, { percent: percent(news) }), true);
      else if (seconds >= 1) heard(fill(news?.waiting ? words.waiting : words.thinking, { seconds }), false);
    };
    const timer = setInterval(tick, 250);
    try {
      const answer = await send(`api/ask/${kind}`, about(position), controller.signal);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        rest += value;
        const lines = rest.split("\n");
        rest = lines.pop();
        for (const line of lines) news = JSON.parse(line);
      }
      if (rest) news = JSON.parse(rest);
      if (!news?.answer) throw new Error(errorText(news?.error ?? { code: "offline" }));
      return news.answer;
    } catch (error) {
      if (controller.signal.aborted) throw new DOMException(words.stopped, "AbortError");
      throw error instanceof TypeError ? new Error(errors.offline) : error;
    } finally {
      clearInterval(timer);
    }
  }

  const percent = ({ done, total }) => Math.min(100, Math.floor((100 * done) / Math.max(1, total)));

  /** Say what the solver does, with a way to stop it. */
  function sayWorking(text) {
    say(text);
    element("stop").hidden = false;
  }

  function stopAsking() {
    asking?.abort();
    asking = null;
    element("stop").hidden = true;
  }

  function stopLearning() {
    learning?.abort();
    learning = null;
  }

  async function question(kind, answered) {
    stopAsking();
    const position = now();
    const mine = (asking = new AbortController());
    try {
      const answer = await ask(kind, position.position, mine, sayWorking);
      if (position === now()) answered(answer);
    } catch (error) {
      if (asking === mine) say(error.message);
    } finally {
      if (asking === mine) stopAsking();
    }
  }

  function showHint(answer) {
    if (answer.verdict !== "winnable") return say(answer.verdict === "unwinnable" ? words.no : words.unknown);
    if (!answer.moves.length) return say(words.done);
    const [move] = answer.moves;
    const [a, b] = move.out.map((out) => out.map(tileText).join(" "));
    unpick();
    move.groups.forEach((place, side) => {
      const left = [...now().slots[place]];
      for (const name of move.out[side]) {
        const number = left.splice(left.findIndex((other) => tiles[other] === name), 1)[0];
        tileOf(number).classList.add("moving");
      }
    });
    return say(fill(words.hintSays, { a, b, i: move.groups[0], j: move.groups[1] }));
  }

  function showVerdict(answer) {
    if (answer.verdict === "unwinnable") return say(words.no);
    if (answer.length === null) return say(words.unknown);
    if (answer.length === 0) return say(words.done);
    return say(fill(answer.optimal ? words.yesBest : words.yes, { moves: moves(answer.length) }));
  }

  async function learnBest() {
    stopLearning();
    const mine = game;
    const controller = (learning = new AbortController());
    let said = false;
    const heard = (text, long) => {
      if (asking || (!long && !said)) return;
      said = true;
      sayWorking(text);
    };
    try {
      const best = await ask("winnable", mine.positions[0].position, controller, heard);
      if (mine !== game) return;
      mine.best = { verdict: best.verdict, length: best.length, optimal: best.optimal };
      if (said && !asking) say("");
      drawBest();
    } catch (error) {
      // Where nothing was said of it, the shortest possible is just not shown.
      if (said && !asking && mine === game) say(error.message);
    } finally {
      if (learning === controller) learning = null;
      if (said && !asking) element("stop").hidden = true;
    }
  }

  // ---- deals

  /** Begin the deal that `find` fetches. Of several asked for in a row only the last is shown, whenever they answer. */
  async function begin(find, choices) {
    const wish = ++wishes;
    stopAsking();
    stopLearning();
    try {
      const found = await dealt(await find(), choices);
      if (wish !== wishes) return;
      game = found;
      show();
      learnBest();
    } catch (error) {
      if (wish === wishes) throw error;
    }
  }

  async function dealt(deal, choices) {
    const goal = goals[deal.layout].some(([id]) => id === choices.goal) ? choices.goal : goals[deal.layout][0][0];
    const made = { layout: deal.layout, rules: choices.rules, goal, seed: deal.seed, index: deal.index, day: deal.day ?? null };
    const first = await call("api/board", { position: deal.deal, rules: made.rules, goal: made.goal });
    let number = 0;
    const slots = first.groups.map((group) => group.tiles.map(() => number++));
    return { ...made, best: null, at: 0, positions: [{ position: first.position, groups: first.groups, won: first.won, slots }] };
  }

  function show() {
    say("");
    build();
    chooseGoals(game.layout);
    element("layout").value = game.layout;
    element("rules").value = game.rules;
    element("goal").value = game.goal;
    element("which").textContent = whichText();
    history.replaceState(null, "", link());
    element("language").search = `?${new URLSearchParams({ ...linkParts(), lang: names.otherLanguage })}`;
    draw();
  }

  function whichText() {
    if (game.day) return fill(words.dailyDeal, game);
    return game.seed === null ? words.ownDeal : fill(words.seed, game);
  }

  function linkParts() {
    const parts = { lang: names.language, rules: game.rules, goal: game.goal };
    if (game.seed === null) return { ...parts, deal: game.positions[0].position };
    return { ...parts, layout: game.layout, seed: game.seed, index: game.index };
  }

  const link = () => `?${new URLSearchParams(linkParts())}`;

  function chooseGoals(layout) {
    element("goal").replaceChildren(...goals[layout].map(([id, name]) => new Option(name, id)));
  }

  const choices = () => ({ rules: element("rules").value, goal: element("goal").value });

  async function fetchDeal(query) {
    return call(`api/deal?${new URLSearchParams(query)}`);
  }

  const fetchDaily = (layout) => call(`api/daily?${new URLSearchParams({ layout })}`);

  async function attempt(action) {
    try {
      await action();
    } catch (error) {
      say(error.message);
    }
  }

  const same = () => ({ deal: game.positions[0].position, layout: game.layout, seed: game.seed, index: game.index, day: game.day });

  // ---- keeping a game over a reload

  /** Each tab keeps its own game; a new tab goes on with the latest. */
  const stores = () => [sessionStorage, localStorage];

  function save() {
    try {
      const kept = JSON.stringify({ link: linkKey(), game });
      for (const store of stores()) store.setItem(STORE, kept);
    } catch {
      // Without storage a reload begins again.
    }
  }

  const linkKey = () => {
    const { lang, ...parts } = linkParts();
    return JSON.stringify(parts);
  };

  function restore(wanted) {
    try {
      const all = stores().map((store) => JSON.parse(store.getItem(STORE)));
      const kept = all.find((one) => one && (!wanted || one.link === wanted));
      if (!kept) return false;
      game = kept.game;
      show();
      if (!game.best) learnBest();
      return true;
    } catch {
      return false;
    }
  }

  function wantedKey(query) {
    if (query.deal) return JSON.stringify({ rules: query.rules, goal: query.goal, deal: query.deal });
    return JSON.stringify({ rules: query.rules, goal: query.goal, layout: query.layout, seed: query.seed, index: query.index });
  }

  async function start() {
    const query = Object.fromEntries(new URLSearchParams(location.search));
    delete query.lang;
    if (!query.deal && !query.seed) {
      if (!Object.keys(query).length && restore(null)) return;
      await begin(() => fetchDaily(query.layout ?? "ten"), { rules: query.rules ?? "classic", goal: query.goal });
    } else {
      const full = { rules: "classic", layout: "ten", index: "0", ...query };
      if (restore(wantedKey(full))) return;
      const wanted = full.deal ? { deal: full.deal } : { layout: full.layout, seed: full.seed, index: full.index };
      await begin(() => fetchDeal(wanted), { rules: full.rules, goal: full.goal });
    }
  }

  // ---- controls

  element("new").onclick = () => attempt(() => begin(() => fetchDeal({ layout: element("layout").value }), choices()));
  element("daily").onclick = () => attempt(() => begin(() => fetchDaily(element("layout").value), choices()));
  element("layout").onchange = () => element("new").click();
  element("rules").onchange = element("goal").onchange = () => attempt(() => begin(same, choices()));
  element("undo").onclick = () => step(game.at - 1);
  element("redo").onclick = () => step(game.at + 1);
  element("restart").onclick = () => step(0);
  element("hint").onclick = () => question("hint", showHint);
  element("winnable").onclick = () => question("winnable", showVerdict);
  element("stop").onclick = () => {
    const controller = asking ?? learning;
    controller?.abort(); // says that it stopped
    element("hint").focus();
  };
  element("share").onclick = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      say(words.shared);
    } catch {
      say(words.shareBy);
    }
  };
  element("paste").onclick = () => {
    element("own-wrong").textContent = "";
    element("own").showModal();
    element("text").focus();
  };
  element("open").onclick = async () => {
    // The server turns down what is longer, but an address takes not much more.
    const text = element("text").value.trim().slice(0, mostText + 1);
    try {
      const query = /^\d+$/.test(text) ? { layout: element("layout").value, seed: text } : { deal: text };
      await begin(() => fetchDeal(query), choices());
      element("own").close();
    } catch (error) {
      element("own-wrong").textContent = error.message;
      element("text").focus();
    }
  };

  const KEYS = {
    z: () => element("undo").click(),
    y: () => element("redo").click(),
    h: () => element("hint").click(),
    w: () => element("winnable").click(),
    Escape: () => {
      unpick();
      asking?.abort();
    },
  };
  const ARROWS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: "up", ArrowDown: "down" };

  function walk(from, way) {
    const all = [...element("board").querySelectorAll(".tile")].map((tile) => ({ tile, box: tile.getBoundingClientRect() }));
    const here = from.getBoundingClientRect();
    const horizontal = typeof way === "number";
    const sign = horizontal ? way : way === "up" ? -1 : 1;
    let best = null;
    for (const { tile, box } of all) {
      const along = sign * (horizontal ? box.x - here.x : box.y - here.y);
      const aside = Math.abs(horizontal ? box.y - here.y : box.x - here.x);
      const cost = along + 3 * aside;
      if (along > 4 && (!best || cost < best.cost)) best = { tile, cost };
    }
    best?.tile.focus();
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !game || element("own").open) return;
    if (event.target.closest?.("select, textarea")) return;
    if (event.key in ARROWS && event.target.closest?.(".tile")) {
      event.preventDefault();
      walk(event.target, ARROWS[event.key]);
    } else if (event.key in KEYS) {
      event.preventDefault();
      KEYS[event.key]();
    }
  });

  attempt(start);
})();
