// Random games and what they count: the totals of flat Monte Carlo, from the playouts of a trace.
//
// A decided game counts for every square of its final board: a square of the side to move at the root gets its weight
// if that side has won, and one of the opponent loses the other weight. A lost game turns the signs; a draw adds nothing.

import { readPosition } from "./notation.js";

const SIGNS = { win: 1, draw: 0, loss: -1 };

export class Playouts {
  #steps;
  #stones;
  /** Games won minus games lost, with a stone of the side to move on each square, and of its opponent. */
  #credits;
  #results;
  #counted = 0;

  /** `position` is that from which all games begin. */
  constructor(position, steps) {
    this.#steps = steps;
    this.#stones = readPosition(position);
    this.stone = position.split(" ")[1];
    this.#clear();
  }

  get length() {
    return this.#steps.length;
  }

  /** The empty squares of the position. */
  get squares() {
    return [...this.#credits.keys()];
  }

  /** A game: its result for the side to move, and its moves. */
  game(number) {
    return this.#steps[number - 1];
  }

  /** Count the first games, so many of them. */
  count(games) {
    if (games < this.#counted) this.#clear();
    for (; this.#counted < games; this.#counted += 1) this.#add(this.#steps[this.#counted]);
  }

  get results() {
    return this.#results;
  }

  /** The total of a square under the weights of the side to move and of its opponent. */
  total(move, { own, other }) {
    const credit = this.#credits.get(move);
    return credit.own * own - credit.other * other;
  }

  #clear() {
    this.#counted = 0;
    this.#results = { win: 0, draw: 0, loss: 0 };
    this.#credits = new Map();
    for (const [r, row] of this.#stones.entries()) {
      for (const [c, stone] of row.entries()) {
        if (!stone) this.#credits.set(`${r},${c}`, { own: 0, other: 0 });
      }
    }
  }

  #add({ result, moves }) {
    this.#results[result] += 1;
    moves.forEach((move, index) => {
      const credit = this.#credits.get(move);
      credit[index % 2 ? "other" : "own"] += SIGNS[result];
    });
  }
}
