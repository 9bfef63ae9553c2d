"use strict";

/** The board of a page: shows positions and lets the tiles that have moved fly to their new slots. */
class Board {
  static DURATION = 480;

  /** @param {HTMLElement} root the list of groups that board.html.j2 makes */
  constructor(root) {
    this.groups = [...root.querySelectorAll(".group")];
    this.tiles = new Map([...root.querySelectorAll(".tile")].map((tile) => [Number(tile.dataset.tile), tile]));
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** @param {{groups: {tiles: number[], caption: string, valid: boolean}[], moving: number[]}} position */
  show(position) {
    const before = new Map([...this.tiles.values()].map((tile) => [tile, tile.getBoundingClientRect()]));
    const moved = [];
    position.groups.forEach((group, place) => {
      const slots = this.groups[place].querySelector(".tiles");
      const tiles = group.tiles.map((number) => this.tiles.get(number));
      moved.push(...tiles.filter((tile) => tile.parentNode !== slots));
      if (tiles.some((tile, at) => slots.children[at] !== tile)) slots.replaceChildren(...tiles);
      this.#name(this.groups[place], group);
    });
    const moving = new Set(position.moving);
    this.tiles.forEach((tile, number) => tile.classList.toggle("moving", moving.has(number)));
    if (!this.still.matches) moved.forEach((tile) => this.#fly(tile, before.get(tile)));
  }

  #name(element, group) {
    element.classList.toggle("valid", group.valid);
    element.classList.toggle("invalid", !group.valid);
    element.querySelector(".name").textContent = group.caption;
    element.querySelector(".sign use").setAttribute("href", group.valid ? "#mark-valid" : "#mark-invalid");
  }

  #fly(tile, from) {
    tile.getAnimations().forEach((flight) => flight.cancel());
    const to = tile.getBoundingClientRect();
    const away = `${from.x - to.x}px ${from.y - to.y}px`;
    const middle = `${(from.x - to.x) / 2}px ${(from.y - to.y) / 2 - 10}px`;
    tile.classList.add("flying");
    const flight = tile.animate(
      [{ translate: away, scale: 1 }, { translate: middle, scale: 1.12 }, { translate: "0 0", scale: 1 }],
      { duration: Board.DURATION, easing: "cubic-bezier(.35, .1, .25, 1)" },
    );
    flight.finished.then(() => tile.classList.remove("flying"), () => {});
  }
}
