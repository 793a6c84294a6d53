// The answer to `explain`: reasons for the value of a position and of a move, in sentences and on the board.

import { element, find } from "./dom.js";
import { readExplanation } from "./explanation.js";
import { otherStone, readPosition, writePosition } from "./notation.js";
import { errorText } from "./session.js";

/** A title for a sentence of the engine, from its key. */
const titleOf = (key) => ({ move: "The move", line: "What follows" })[key] ?? key[0].toUpperCase() + key.slice(1);

export class Why {
  #session;
  #game;
  #onShow;
  #request = null;
  /** The part of the explanation that the board shows; nothing while it shows the game. */
  #picture = null;

  /** `onBegin` runs before a request, `onEnd` when the engine is free again, `onShow` when the board is to be drawn anew. */
  constructor(session, game, { onBegin, onEnd, onShow }) {
    this.#session = session;
    this.#game = game;
    this.onBegin = onBegin;
    this.onEnd = onEnd;
    this.#onShow = onShow;
    find("#why-position").addEventListener("click", () => this.#ask(game.cursor, "explain"));
    find("#why-move").addEventListener("click", () => this.askMove());
    find("#why-back").addEventListener("click", () => this.close());
  }

  get isBusy() {
    return this.#request !== null;
  }

  /** The picture that the board shows in place of the game: a state, and its drawing. */
  get picture() {
    return this.#picture;
  }

  /** Forget the explanation: it was about another position. */
  cancel() {
    this.#request?.cancel();
    this.#picture = null;
    find("#why").replaceChildren();
    find("#why-back").hidden = true;
  }

  /** Ask about the last move. */
  askMove() {
    const ply = this.#game.cursor - 1;
    return this.#ask(ply, `explain ${this.#game.moves[ply]}`);
  }

  /** Show moves from a state on the board. */
  showLine(state, moves) {
    this.#show(withLine(state, moves));
  }

  /** The board shows the game again. Returns whether it did not before. */
  close() {
    const wasOpen = this.#picture !== null;
    this.#show(null);
    return wasOpen;
  }

  async #ask(ply, question) {
    if (!this.#game.state) return;
    this.cancel();
    this.onBegin();
    find("#why").replaceChildren(element("p", { textContent: "Searching …" }));
    const request = this.#session.ask({
      options: this.#game.options,
      position: this.#game.positionLine(ply),
      // The engine is left on the position that is on the board.
      lines: [question, this.#game.positionLine(), "query position"],
    });
    this.#request = request;
    const state = this.#game.states[ply];
    const answer = await request.answer;
    if (this.#request !== request) return;
    this.#request = null;
    const lines = answer?.lines.filter((line) => !/^(response|info) /.test(line)) ?? [];
    const refusals = answer?.errors.map((error) => element("p", { textContent: errorText(error) })) ?? [];
    const parts = readExplanation(lines).map((part) => this.#part(part, state));
    find("#why").replaceChildren(...parts.map(({ node }) => node), ...refusals);
    find("#why").scrollTop = 0;
    parts.find(({ show }) => show)?.show();
    this.onEnd();
  }

  /** A sentence with its buttons, and what shows its drawing, if it has one. */
  #part({ key, words, line, choices, picture }, state) {
    const buttons = [];
    const add = (textContent, className, drawing) => {
      const button = element("button", { type: "button", className, textContent });
      button.addEventListener("click", () => this.#show(drawing, button));
      buttons.push(button);
      return () => this.#show(drawing, button);
    };
    let show;
    for (const [index, move] of (line ?? []).entries()) {
      const stone = stoneAt(state, index);
      show = add(`${stone.toUpperCase()} ${move}`, stone, withLine(state, line.slice(0, index + 1)));
    }
    for (const move of choices ?? []) add(move, stoneAt(state, 0), withLine(state, [move]));
    if (picture && !line) show = add("Show on the board", "plain", withNames(state, picture));
    const below = [...(buttons.length ? [element("div", { className: "chips" }, buttons)] : []), element("p", { textContent: words })];
    const node = element("div", { className: "part", "data-key": key }, [element("h3", { textContent: titleOf(key) }), ...(line ? below : below.reverse())]);
    return { node, show };
  }

  #show(picture, button) {
    this.#picture = picture;
    for (const other of document.querySelectorAll("#why button")) other.setAttribute("aria-pressed", String(other === button));
    find("#why-back").hidden = !picture;
    // On a phone the board may have been scrolled away.
    const frame = find("#board");
    if (picture && frame.getBoundingClientRect().bottom < innerHeight / 4) frame.scrollIntoView();
    this.#onShow();
  }
}

/** The stone of the move after so many others. */
function stoneAt({ xToMove }, moves) {
  const mover = xToMove ? "x" : "o";
  return moves % 2 ? otherStone(mover) : mover;
}

/** Moves from a position, numbered on its board. */
function withLine(state, moves) {
  const rows = readPosition(state.position);
  const numbers = new Map();
  for (const [index, move] of moves.entries()) {
    const [row, column] = move.split(",");
    rows[row][column] = stoneAt(state, index);
    numbers.set(move, { number: index + 1, words: `move ${index + 1}` });
  }
  return {
    state: { position: writePosition(rows, stoneAt(state, moves.length)), over: true, line: [] },
    look: { numbers, lastMove: moves.at(-1) },
    words: "The numbers say in which order the moves follow. A click on the board leads back to the game.",
  };
}

/** The cells of an argument, with their names. */
function withNames({ position }, { names, pairs }) {
  const marks = new Map([...names].map(([move, name]) => {
    const isPair = pairs.some((pair) => pair.includes(move));
    return [move, { kind: "pair", text: name, words: isPair ? "a pair" : "a cell of its own", best: !isPair }];
  }));
  return {
    state: { position, over: false, line: [] },
    look: { found: { kind: "marked", moves: marks }, links: pairs },
    words: "Squares that are joined are a pair: who answers inside it has one of the two.",
  };
}
