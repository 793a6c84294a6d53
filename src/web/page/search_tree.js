// The tree of a textbook search, from the steps of its trace.
//
// The search goes through its tree in depth, so the nodes stand in the order in which they are entered, and each one's
// subtree follows it without a gap. The tree is built once. The state after n steps follows from the steps at which
// each node begins and is left, so going back costs no more than going on.
//
// Every value is seen by the side that moves at the root: 1 if that side wins, -1 if it loses.

import { PositionTree } from "./position_tree.js";
import { imageOf, imagesOf } from "./symmetry.js";

/** A node is a position that the search has entered or, under negamax, found in its table. */
export class SearchTree extends PositionTree {
  /** Nodes without any below. */
  leaves;

  constructor(position, steps) {
    super(position, steps);
    this.#build();
    this.leaves = this.nodes.filter(({ children }) => !children.length).length;
    this.#findTwins();
  }

  // The nodes that are entered are counted. Those found in a table are drawn, but not entered.
  #build() {
    let here = null;
    this.steps.forEach((event, index) => {
      const step = index + 1;
      const entered = this.entered(index);
      if (event.kind === "enter") {
        here = this.#add(here, event.move, step);
        if (event.beta !== undefined) Object.assign(here, { alpha: event.alpha, beta: event.beta });
        this.note(step, here, entered + 1);
      } else if (event.kind === "find") {
        const found = this.#add(here, event.move, step);
        this.#leave(found, { ...event, reason: "find" }, step);
        this.note(step, found, entered);
      } else {
        this.#leave(here, event, step);
        this.note(step, here, entered);
        here = here.parent;
      }
    });
    // A trace that was cut short before its first step.
    if (!this.root) this.#add(null, undefined, 0);
  }

  #add(parent, move, step) {
    const node = this.add(parent, move, step);
    node.below = 0;
    for (let above = parent; above; above = above.parent) above.below += 1;
    return node;
  }

  #leave(node, { value, plies, reason }, step) {
    Object.assign(node, { left: step, value: this.#turned(node, value), plies, reason });
  }

  /** A value seen by the side to move at a node, as the root sees it; and the other way round. */
  #turned(node, value) {
    return node.ply % 2 ? 0 - value : value;
  }

  /** For each node that a table has answered: the earlier node with the same position, or with an image of it. */
  #findTwins() {
    const answered = (node) => ["table", "symmetry", "find"].includes(node.reason);
    if (!this.nodes.some(answered)) return;
    const seen = new Map();
    const all = imagesOf(this);
    const key = (squares) => squares.map((stone) => stone || ".").join("");
    for (const node of this.nodes) {
      const squares = this.stones(node).flat();
      if (!answered(node)) {
        if (!seen.has(key(squares))) seen.set(key(squares), node);
        continue;
      }
      const images = node.reason === "symmetry" ? all.slice(1) : all.slice(0, 1);
      for (const image of images) {
        const twin = seen.get(key(imageOf(squares, image, this)));
        if (!twin) continue;
        Object.assign(node, { twin, image });
        break;
      }
    }
  }

  /** Nodes of the tree of a node that are drawn after so many steps, itself included. */
  drawn(node, step) {
    return Math.max(0, Math.min(this.drawnInAll(step) - node.id, node.below + 1));
  }

  /** The moves that a node leaves out: those that it has not tried when it is left. */
  leftOut(node, step) {
    if (node.left > step || node.reason !== "cutoff") return [];
    const tried = new Set(node.children.map(({ move }) => move));
    const moves = this.stones(node).flatMap((row, r) => row.flatMap((stone, c) => (stone ? [] : [`${r},${c}`])));
    return moves.filter((move) => !tried.has(move));
  }

  /** The state of a node after `step` steps: its best value so far, and the move that leads there. */
  best(node, step) {
    let best = null;
    for (const child of this.children(node, step)) {
      if (child.left <= step && (!best || this.#isBetter(child, best, this.stone(node) === this.rootStone))) best = child;
    }
    return best;
  }

  #isBetter(one, other, forRoot) {
    const sign = forRoot ? 1 : -1;
    if (one.value !== other.value) return sign * one.value > sign * other.value;
    // A fast win and a slow loss are better.
    return sign * one.value > 0 ? one.plies < other.plies : one.plies > other.plies;
  }

  /**
   * The window of alpha-beta at a node after so many steps, seen by the root: `low` is what the root's side already has,
   * `high` what its opponent already holds it to. Nothing for a search without a window.
   */
  window(node, step) {
    if (node.beta === undefined) return undefined;
    const own = this.#turned(node, 1) > 0;
    let [low, high] = own ? [node.alpha, node.beta] : [-node.beta, -node.alpha];
    const best = this.best(node, step);
    if (best && own) low = Math.max(low, best.value);
    else if (best) high = Math.min(high, best.value);
    return { low, high };
  }

  /** The node above a cut-off whose other move makes it one, with that move; nothing if the edge of the window does. */
  refuted(node) {
    for (let above = node.parent; above; above = above.parent?.parent) {
      const rival = this.best(above, node.begun);
      const sign = this.stone(above) === this.rootStone ? 1 : -1;
      if (rival && sign * rival.value >= sign * node.value) return { above, rival };
    }
    return undefined;
  }

  /** The kind of bound, if the search knows only a bound of the value of a node: "least" or "most", seen by the root. */
  bound(node) {
    if (node.beta === undefined || ["gameover", "table", "symmetry"].includes(node.reason)) return undefined;
    const own = this.#turned(node, 1) > 0;
    const value = this.#turned(node, node.value);
    if (node.reason === "cutoff") return value >= 1 ? undefined : own ? "least" : "most";
    return value <= node.alpha && value > -1 ? (own ? "most" : "least") : undefined;
  }
}
