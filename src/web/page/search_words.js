// Sentences about the step at hand of a search: what it does, and why.

import { otherStone } from "./notation.js";

const NAMES = { x: "X", o: "O" };
/** The most moves of a path that are named. */
const LAST_MOVES = 6;

/** A value in words; it is seen by the side that moves at the root. */
export function resultWords(tree, { value, plies }) {
  if (value === 0) return "a draw";
  const [own, rival] = tree.names;
  const winner = value > 0 ? own : rival;
  return plies ? `${winner} wins in ${plies}` : `${winner} wins`;
}

/** The moves from the root to a node. */
export function pathWords(tree, node) {
  const moves = tree.path(node).slice(1).map(({ parent, move }) => `${NAMES[tree.stone(parent)]} ${move}`);
  const last = moves.slice(-LAST_MOVES).join(", ");
  if (moves.length > LAST_MOVES) return `${moves.length - LAST_MOVES} moves, then ${last}`;
  return last || "the position itself";
}

/** True if the game is over at a position above: only plain minimax plays on there. */
const isPlayedOn = (tree, node) => tree.path(node).slice(0, -1).some(({ reason }) => reason === "gameover");

/** The last step of the search, in a sentence or two. */
export function stepWords(tree, step) {
  if (tree.hasVisits) return iterationWords(tree, step);
  const node = tree.at(step);
  const mover = NAMES[tree.stone(node)];
  if (!step) return `${mover} is to move. Step on, and the search begins.`;
  if (node.left > step) return entered(tree, node, mover);
  const end = step === tree.length && node === tree.root ? ` The search is over: ${resultWords(tree, node)}.` : "";
  return leftWords(tree, node, mover) + end;
}

function entered(tree, node, mover) {
  if (!node.parent) return `The search begins. ${mover} is to move.`;
  const tries = `${NAMES[tree.stone(node.parent)]} tries ${node.move}`;
  if (isPlayedOn(tree, node)) return `${tries}, though the game is over: plain minimax does not look.`;
  return `${tries}. ${mover} is to answer.`;
}

const PLIES = { 1: "one move", 2: "two moves" };
const earlier = (from, to) => (to.parent ? `${PLIES[from.ply - to.ply] ?? `${from.ply - to.ply} moves`} earlier` : "at the root");

function leftWords(tree, node, mover) {
  const result = resultWords(tree, node);
  const best = tree.best(node, node.left);
  if (isPlayedOn(tree, node)) return "The game was over before. What is found here will not count.";
  switch (node.reason) {
    case "gameover": {
      const now = node.value === 0 ? "The game is over: a draw." : `The game is over: ${resultWords(tree, { value: node.value })}.`;
      return node.children.length ? `${now} It was over before these moves, and minimax has played on for nothing.` : now;
    }
    case "table":
      return `The table has this position: ${result}.${met(tree, node)} Nothing below it is searched again.`;
    case "symmetry":
      return `The table has ${node.image?.words ?? "an image of this position"}: ${result}.${met(tree, node)} Nothing below it is searched.`;
    case "find":
      return `The table has the position after ${node.move}: ${result}.${met(tree, node)} It is not entered again.`;
    case "cutoff":
      return cutoffWords(tree, node, mover, best);
    default:
      return allTried(tree, node, mover, best, result);
  }
}

const met = (tree, { twin }) => (twin ? ` It was met after ${pathWords(tree, twin)}.` : "");

function allTried(tree, node, mover, best, result) {
  if (tree.bound(node)) return `${mover} has tried every move here. None improves on what ${mover} already has elsewhere: ${result}.`;
  const only = node.children.length === 1 ? `${mover} has one move only: ${best?.move}, ${result}.` : "";
  return only || `${mover} has tried every move here and takes the best: ${best?.move}, ${result}.`;
}

function cutoffWords(tree, node, mover, best) {
  const left = tree.leftOut(node, node.left).length;
  const rest = left ? `Cut off: ${left === 1 ? "one move is" : `${left} moves are`} left out.` : "No move is left to cut off.";
  const refuted = tree.refuted(node);
  const rival = NAMES[otherStone(tree.stone(node))];
  if (!refuted) return `${mover} has ${best.move}: ${resultWords(tree, best)}. Nothing is better than that. ${rest}`;
  const { above, rival: known } = refuted;
  const has = `${mover} has ${best.move} here: ${resultWords(tree, best)}.`;
  const isLost = resultWords(tree, { value: known.value }) === `${mover} wins`;
  const why = `But ${rival} already has ${known.move} ${earlier(node, above)}${isLost ? ", which is no worse" : ""}: ${resultWords(tree, known)}. So ${rival} gains nothing by coming here.`;
  return `${has} ${why} ${rest}`;
}

function iterationWords(tree, step) {
  if (!step) return `${NAMES[tree.rootStone]} is to move. Step on: each iteration adds a position to the tree.`;
  const event = tree.steps[step - 1];
  const node = tree.at(step);
  const mover = NAMES[tree.stone(node.parent ?? node)];
  const rootSide = NAMES[tree.rootStone];
  const isGlance = tree.entered(step) === 0;
  const place = node.parent ? `${mover} ${node.move}` : "the root";
  const end = step === tree.length ? ` ${lastWords(tree)}` : "";
  switch (event.kind) {
    case "iteration":
      return isGlance ? "First the search looks at the root itself." : `Iteration ${event.number.toLocaleString("en")} begins at the root.`;
    case "select":
      if (isGlance) return `${place} can be judged at a glance.`;
      return event.visits
        ? `Select: ${mover} takes ${node.move}: ${times(event.visits)}, mean ${event.value.toFixed(2)} for ${mover}, prior ${event.prior.toFixed(2)}.`
        : `Expand: ${mover} tries ${node.move} for the first time, prior ${event.prior.toFixed(2)}.`;
    case "evaluate":
      return evaluated(tree, event, node);
    default: {
      const { visits, value, proven } = tree.state(node, step);
      const begin = isGlance && node.parent ? "At a glance" : "Back up";
      if (proven !== undefined) return `${begin}: ${place} is proven, ${resultWords(tree, { value: proven, plies: event.plies })}.${end}`;
      return `${begin}: ${place} now has ${times(visits)} and a mean of ${value.toFixed(2)} for ${rootSide}.${end}`;
    }
  }
}

function lastWords(tree) {
  const { proven } = tree.state(tree.root, tree.length);
  if (proven !== undefined) return "Nothing is left to search.";
  const best = tree.best(tree.root, tree.length);
  return best ? `The steps end here; ${NAMES[tree.rootStone]} would play ${best.move}, which has the most visits.` : "";
}

function evaluated(tree, { value, proven, plies, wins, draws, losses }, node) {
  const mover = NAMES[tree.stone(node)];
  const sign = node.ply % 2 ? -1 : 1;
  if (proven) return `Evaluate: proven, ${resultWords(tree, { value: sign * { win: 1, draw: 0, loss: -1 }[proven], plies })}.`;
  const games = (wins ?? 0) + (draws ?? 0) + (losses ?? 0);
  if (games === 1) return `Evaluate: one random game from here; ${wins ? `${mover} wins` : draws ? "a draw" : `${mover} loses`}.`;
  if (games) return `Evaluate: ${games} random games from here; ${mover} wins ${wins}, draws ${draws}, loses ${losses}.`;
  return `Evaluate: worth ${value.toFixed(2)} to ${mover}.`;
}

const times = (visits) => `${visits.toLocaleString("en")} ${visits === 1 ? "visit" : "visits"}`;
