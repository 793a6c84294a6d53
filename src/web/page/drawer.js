// The drawer: a log of the protocol's lines, and a field to type lines.

import { element, find } from "./dom.js";

const KEPT = 600;
const SHOWN = 4000;

export class Drawer {
  #lines = [];
  #fresh = [];
  #typed = [];
  #recalled = 0;
  #log = find("#log");
  #details = find("#drawer");
  #input = find("#typed");

  constructor(connection, onType) {
    connection.addEventListener("line", ({ detail }) => this.#add(detail));
    this.#details.addEventListener("toggle", () => this.#redraw());
    find("#clear-log").addEventListener("click", () => {
      this.#lines = [];
      this.#redraw();
    });
    find("#type").addEventListener("submit", (event) => {
      event.preventDefault();
      const line = this.#input.value;
      if (!line.trim()) return;
      this.#typed.push(line);
      this.#recalled = this.#typed.length;
      this.#input.value = "";
      onType(line);
    });
    this.#input.addEventListener("keydown", (event) => this.#recall(event));
  }

  // A search may write thousands of lines a second: they are drawn once a frame, and only while the drawer is open.
  #add(line) {
    this.#lines.push(line);
    if (this.#lines.length > 2 * KEPT) this.#lines.splice(0, this.#lines.length - KEPT);
    if (!this.#details.open) return;
    this.#fresh.push(line);
    if (this.#fresh.length === 1) requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const atEnd = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < 24;
    this.#log.append(...this.#fresh.splice(0).slice(-KEPT).map(row));
    while (this.#log.childElementCount > KEPT) this.#log.firstElementChild.remove();
    if (atEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #redraw() {
    this.#fresh = [];
    this.#log.replaceChildren(...(this.#details.open ? this.#lines.slice(-KEPT).map(row) : []));
    this.#log.scrollTop = this.#log.scrollHeight;
  }

  #recall(event) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !this.#typed.length) return;
    event.preventDefault();
    this.#recalled = Math.max(0, Math.min(this.#typed.length, this.#recalled + step));
    this.#input.value = this.#typed[this.#recalled] ?? "";
  }
}

function row({ direction, text }) {
  const whole = (direction === "out" ? "> " : "") + text || "\u00a0";
  return element("div", { className: direction, textContent: whole.length > SHOWN ? `${whole.slice(0, SHOWN)} …` : whole });
}
