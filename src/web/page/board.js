// The board: a grid of squares for mouse, touch and arrow keys, with the values on the empty squares.

import { element, shape, stoneDrawing } from "./dom.js";
import { readPosition, shortNumber, signedNumber, valueKind, valueLabel, valueWords } from "./notation.js";

/** A finger hits smaller squares, in pixels, by chance: there a second tap confirms the first. */
const SMALL = 32;

/** The distance of the line that joins two squares from their middles, in squares. */
const GAP = 0.3;

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Board {
  #rows = 0;
  #columns = 0;
  #squares = new Map();
  #shown = "";
  #focus = [0, 0];
  /** The square that waits for a second tap. */
  #asked = null;

  /** `onAsk` runs with the move of a tap that has to be confirmed. */
  constructor(frame, { onMove, onKey, onAsk }) {
    this.grid = frame.querySelector("[role=grid]");
    this.columnNumbers = frame.querySelector(".columns");
    this.rowNumbers = frame.querySelector(".rows");
    this.frame = frame;
    this.onMove = onMove;
    this.onKey = onKey;
    this.onAsk = onAsk;
    this.grid.addEventListener("click", (event) => this.#choose(event.target.closest("[role=gridcell]")));
    this.grid.addEventListener("keydown", (event) => this.#key(event));
  }

  /**
   * Show a state of the game. `found` has the values of its moves, `numbers` the order of moves that are on the board,
   * `links` pairs of squares to be joined; `stone` is the stone of the person to move, if any.
   */
  show(state, { lastMove, found, stone, numbers, links = [] }) {
    const stones = readPosition(state.position);
    if (this.#shown !== state.position) this.#ask(null);
    this.#shown = state.position;
    const [rows, columns] = [stones.length, stones[0].length];
    if (rows !== this.#rows || columns !== this.#columns) this.#build(rows, columns);
    const completed = new Set(state.line);
    const scale = found && found.kind !== "marked" ? heat(found) : null;
    this.grid.dataset.stone = stone ?? "";
    this.#join(links);
    for (const [move, square] of this.#squares) {
      const [row, column] = move.split(",").map(Number);
      const held = stones[row][column];
      if ((square.dataset.held ?? "") !== held) {
        square.dataset.held = held;
        square.querySelector("svg")?.remove();
        if (held) square.prepend(stoneDrawing(held));
      }
      square.classList.toggle("last", move === lastMove);
      square.classList.toggle("completed", completed.has(move));
      square.classList.toggle("free", !held && !state.over);
      const number = numbers?.get(move);
      square.classList.toggle("numbered", Boolean(number));
      if (number) square.dataset.number = number.number;
      const value = this.#value(square, held || state.over ? undefined : found, move, scale);
      const words = number?.words ?? value;
      square.setAttribute("aria-label", squareWords(move, held, words, completed.has(move)));
      square.setAttribute("aria-disabled", String(Boolean(held) || state.over));
    }
  }

  focus() {
    this.#squares.get(this.#focus.join(","))?.focus();
  }

  #join(links) {
    this.grid.querySelector(".links")?.remove();
    if (!links.length) return;
    const lines = links.map((pair) => {
      const [[y1, x1], [y2, x2]] = pair.map((move) => move.split(",").map((place) => Number(place) + 0.5));
      const part = GAP / Math.hypot(x2 - x1, y2 - y1);
      const [x, y] = [part * (x2 - x1), part * (y2 - y1)];
      return shape("line", { x1: x1 + x, y1: y1 + y, x2: x2 - x, y2: y2 - y });
    });
    this.grid.append(shape("svg", { class: "links", viewBox: `0 0 ${this.#columns} ${this.#rows}`, "aria-hidden": "true" }, lines));
  }

  #value(square, found, move, scale) {
    const mark = square.querySelector(".value");
    const info = found?.moves.get(move);
    mark.hidden = !info;
    square.classList.remove("best", "guess");
    delete square.dataset.kind;
    square.style.removeProperty("--heat");
    if (!info) return undefined;
    const { kind, text, words, strength = 1, best, guess, note = "" } = markOf(info, found, scale);
    square.dataset.kind = kind;
    square.classList.toggle("best", best || Boolean(guess));
    square.classList.toggle("guess", Boolean(guess));
    square.style.setProperty("--heat", strength);
    mark.querySelector(".label").textContent = text;
    mark.querySelector(".note").textContent = note;
    return best ? `${words}, best` : words;
  }

  #build(rows, columns) {
    [this.#rows, this.#columns] = [rows, columns];
    this.#squares.clear();
    this.frame.style.setProperty("--rows", rows);
    this.frame.style.setProperty("--columns", columns);
    const longer = Math.max(rows, columns);
    this.frame.dataset.crowd = longer > 12 ? "many" : longer > 6 ? "some" : "few";
    this.columnNumbers.replaceChildren(...numbers(columns));
    this.rowNumbers.replaceChildren(...numbers(rows));
    this.grid.setAttribute("aria-rowcount", rows);
    this.grid.setAttribute("aria-colcount", columns);
    this.grid.replaceChildren(
      ...numbers(rows).map((_, row) =>
        element("div", { role: "row" }, numbers(columns).map((_, column) => this.#square(row, column))),
      ),
    );
    this.#focus = [rows, columns].map((side) => Math.floor((side - 1) / 2));
    this.#squares.get(this.#focus.join(",")).tabIndex = 0;
  }

  #square(row, column) {
    const value = element("span", { className: "value", hidden: true, "aria-hidden": "true" }, [
      element("span", { className: "shape" }),
      element("span", { className: "label" }),
      " ",
      element("span", { className: "note" }),
    ]);
    const square = element("div", { role: "gridcell", tabIndex: -1, className: "square" }, [value]);
    square.dataset.move = `${row},${column}`;
    this.#squares.set(square.dataset.move, square);
    return square;
  }

  #choose(square) {
    if (!square) return;
    const { move } = square.dataset;
    this.#walk(move.split(",").map(Number));
    const mustAsk = this.onAsk && matchMedia("(pointer: coarse)").matches && square.clientWidth < SMALL && square.classList.contains("free");
    if (mustAsk && this.#asked !== square) {
      this.#ask(square);
      this.onAsk(move);
      return;
    }
    this.#ask(null);
    this.onMove(move);
  }

  #ask(square) {
    this.#asked?.classList.remove("asked");
    this.#asked = square;
    square?.classList.add("asked");
  }

  #walk([row, column]) {
    const clamp = (number, side) => Math.max(0, Math.min(side - 1, number));
    this.#squares.get(this.#focus.join(",")).tabIndex = -1;
    this.#focus = [clamp(row, this.#rows), clamp(column, this.#columns)];
    const square = this.#squares.get(this.#focus.join(","));
    square.tabIndex = 0;
    square.focus();
  }

  #key(event) {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const [row, column] = this.#focus;
    const step = STEPS[event.key];
    if (step) this.#walk([row + step[0], column + step[1]]);
    else if (event.key === "Home") this.#walk([row, 0]);
    else if (event.key === "End") this.#walk([row, this.#columns - 1]);
    else if (event.key === "PageUp") this.#walk([0, column]);
    else if (event.key === "PageDown") this.#walk([this.#rows - 1, column]);
    else if (event.key === "Enter" || event.key === " ") this.onMove(this.#focus.join(","));
    else if (!this.onKey(event.key)) return;
    event.preventDefault();
  }
}

function numbers(side) {
  return Array.from({ length: side }, (_, index) => element("span", { textContent: String(index) }));
}

function squareWords(move, held, value, completed) {
  const [row, column] = move.split(",");
  const stone = held ? held.toUpperCase() : "empty";
  return [`row ${row}, column ${column}: ${stone}`, completed && "in the completed line", value].filter(Boolean).join(", ");
}

/** The mark that a square shows. Values of the kind "marked" are marks already, but for the words. */
function markOf(info, found, scale) {
  if (found.kind === "marked") return { ...info, words: [[info.text, info.note].filter(Boolean).join(" "), info.words].filter(Boolean).join(", ") };
  return found.kind === "exact" ? exactMark(info, found) : heatMark(info, scale);
}

// The words of a square begin with the text on it, so that people who click by voice can say that text.

function exactMark(info, found) {
  const asGood = (other) => other.proven && valueLabel(other) === valueLabel(found.best);
  // There is no outline when all moves are equally good, or when the best one is only a guess.
  const best = found.best.proven && asGood(info) && ![...found.moves.values()].every(asGood);
  if (!info.proven && found.estimates) return estimateMark(info.pv[0], found);
  return { kind: valueKind(info), text: valueLabel(info), words: `${valueLabel(info)}, ${valueWords(info)}`, strength: 1, best };
}

/** The mark of a move's value by the tree search. The moves that it has visited most come first. */
function estimateMark(move, { best, estimates }) {
  const info = estimates.get(move);
  if (!info) return { kind: "open", text: "", words: "not proven" };
  const text = signedNumber(info.value);
  const rank = [...estimates.keys()].indexOf(move);
  return { kind: "guess", text, words: `${text}, an estimate`, strength: 1 - rank / estimates.size, guess: move === best.pv[0] };
}

/** The highest total, and the largest size of a total, which sets the scale of the colours. */
function heat(found) {
  const totals = [...found.moves.values()].map((info) => info.total ?? 0);
  return { top: Math.max(...totals), most: Math.max(...totals.map(Math.abs)) || 1 };
}

function heatMark(info, { top, most }) {
  const total = info.total ?? 0;
  const kind = total > 0 ? "win" : total < 0 ? "loss" : "draw";
  const strength = (Math.abs(total) / most).toFixed(3);
  const text = shortNumber(total);
  return { kind, text, words: `total ${text}`, strength, best: total === top };
}
