// The marks on the squares of the position at hand while a search is watched.

import { signedNumber } from "./notation.js";
import { resultWords } from "./search_words.js";
import { kindOf, valueMark, valueText } from "./tree_view.js";

/** The marks of the squares: the values of the moves that have been tried, and the moves that are left out. */
export function valueMarks(tree, node, step) {
  const marks = new Map();
  const best = tree.best(node, step);
  for (const child of tree.children(node, step)) {
    if (child.left > step) continue;
    marks.set(child.move, { ...valueMark(tree, child), words: resultWords(tree, child), best: child === best });
  }
  for (const move of tree.leftOut(node, step)) marks.set(move, { kind: "open", text: "✂\ufe0e", words: "left out" });
  return marks;
}

/** The marks for a tree with visits: the visits, the mean and the prior of each move. */
export function visitMarks(tree, node, step) {
  const marks = new Map();
  const best = tree.best(node, step);
  const most = best ? Math.max(1, tree.state(best, step).visits) : 1;
  for (const child of tree.children(node, step)) {
    const { visits, value, proven, plies } = tree.state(child, step);
    if (!visits && proven === undefined) continue;
    const known = proven ?? value;
    const text = proven === undefined ? signedNumber(value) : valueText({ value: proven, plies });
    const prior = child.prior === undefined ? "" : `, prior ${child.prior.toFixed(2)}`;
    const note = `${visits.toLocaleString("en")}×${child.prior === undefined ? "" : ` p ${child.prior.toFixed(2).replace(/^0/, "")}`}`;
    marks.set(child.move, {
      kind: kindOf(known), text, note, strength: visits / most, best: child === best,
      words: `${proven === undefined ? "mean" : resultWords(tree, { value: proven, plies })}, ${visits} visits${prior}`,
    });
  }
  return marks;
}
