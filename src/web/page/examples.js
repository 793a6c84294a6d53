// Positions that are worth watching.

import { USUAL_RULES } from "./game.js";

export const EXAMPLES = [
  { title: "Four stones, X blocks and wins", rules: USUAL_RULES, moves: "0,0 1,1 2,2 0,2" },
  { title: "Four stones, a draw", rules: USUAL_RULES, moves: "1,1 0,0 0,1 2,1" },
  { title: "Three stones, a corner trap", rules: USUAL_RULES, moves: "0,0 1,1 2,2" },
  { title: "Where Monte Carlo errs", rules: USUAL_RULES, start: "fen x1o/3/3 x", moves: "" },
  { title: "Two stones, for the tree search", rules: USUAL_RULES, moves: "0,0 1,1" },
  { title: "5x5, four in a row", rules: { ...USUAL_RULES, size: "5", connect: "4" }, moves: "2,2 1,1" },
  { title: "3x4, three in a row", rules: { ...USUAL_RULES, columns: "4" }, moves: "1,1 0,0 1,2" },
  { title: "Four stones, reverse rule", rules: { ...USUAL_RULES, reverse: "true" }, moves: "1,1 0,0 2,2 0,2" },
  { title: "Empty board", moves: "" },
].map(({ moves, ...example }) => ({ ...example, moves: moves.split(" ").filter(Boolean) }));

/** The position that a search is shown with when nothing has been played: the tree of the empty board is too large to begin with. */
export const FIRST = EXAMPLES[0];
