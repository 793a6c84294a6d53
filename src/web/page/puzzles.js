// "Find the win": a puzzle for each day, and what is wrong with a wrong move. The puzzles are those of `puzzles.jsonl`, which
// `python -m noughts.puzzles` has made; docs/formats.md has their keys.

import { linkOf } from "./address.js";
import { find, say } from "./dom.js";
import { otherStone } from "./notation.js";

const DAY_MS = 86_400_000;

export class Puzzles {
  #list = [];
  #index = Math.floor(Date.now() / DAY_MS);
  #puzzle = null;

  /** `settingsWords` gives the part of a link that a puzzle leaves as it is. */
  constructor(settingsWords) {
    find("#puzzle").addEventListener("click", () => this.#next(settingsWords()));
  }

  /** Open the puzzle of the day, and from then on the next one. */
  async #next(words) {
    if (!this.#list.length) this.#list = await readList();
    if (!this.#list.length) return say(find("#puzzle-words"), "The puzzles cannot be read now.");
    if (this.#puzzle) this.#index += 1;
    this.#puzzle = this.#list[this.#index % this.#list.length];
    const { position, rules: { rows, columns, connect, reverse } } = this.#puzzle;
    const stone = position.at(-1);
    const game = { size: rows, columns: columns === rows ? 0 : columns, connect, reverse, start: position };
    const players = { [stone]: "person", [otherStone(stone)]: "auto" };
    const all = [...Object.entries({ ...game, ...players }).map(([key, value]) => [key, String(value)]), ...words];
    location.hash = linkOf(all);
  }

  /** The first move in the puzzle, if the game is one: "" before it. */
  #firstMove({ start, moves, cursor }) {
    return this.#puzzle && start === `fen ${this.#puzzle.position}` ? (cursor ? moves[0] : "") : undefined;
  }

  /** True if the move that was just made is a wrong answer. */
  isWrong(game) {
    const move = this.#firstMove(game);
    return Boolean(move) && game.cursor === 1 && !this.#wins(move);
  }

  /** A win that takes longer than the shortest is right too. */
  #wins(move) {
    return this.#puzzle.regrets[move] === 0;
  }

  show(game) {
    const move = this.#firstMove(game);
    say(find("#puzzle"), this.#puzzle ? "Another puzzle" : "Today's puzzle");
    say(find("#puzzle-words"), move === undefined ? "A position where one side wins by force, another one each day." : this.#words(move));
  }

  #words(move) {
    const { best, plies, position } = this.#puzzle;
    const side = position.at(-1).toUpperCase();
    if (!move) return `${side} to move wins in ${plies} moves of both sides. Find the move.`;
    if (best.includes(move)) return `Right: ${move} wins in ${plies} moves. Play it to the end.`;
    if (this.#wins(move)) return `${move} wins too, but not in ${plies} moves.`;
    return `${move} does not win: the board shows why. Undo, and try again.`;
  }
}

async function readList() {
  try {
    const text = await (await fetch("puzzles.jsonl")).text();
    return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
