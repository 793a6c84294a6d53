// The tree of Monte Carlo tree search, from the steps of its trace: it grows by about one node an iteration.
//
// Each node keeps what every backup has said of it, with the number of steps after which it was said. So the tree after n
// steps is looked up, not computed again. Values are seen by the side that moves at the root.

import { PositionTree } from "./position_tree.js";

const UNKNOWN = { visits: 0 };
const RESULTS = { win: 1, draw: 0, loss: -1 };

export class GrowingTree extends PositionTree {
  /** True for trees whose nodes have visits, not a value each. */
  hasVisits = true;
  /** The final tree does not tell how it grows. */
  leaves = Infinity;

  constructor(position, steps) {
    super(position, steps);
    this.#add(null, undefined, 0);
    this.#build();
  }

  // Iterations are counted. Iteration 0 looks at the root.
  #build() {
    let here = this.root;
    let path = [this.root];
    this.steps.forEach((event, index) => {
      const step = index + 1;
      let iterations = this.entered(index);
      if (event.kind === "iteration") {
        here = this.root;
        path = [here];
        iterations = event.number;
      } else if (event.kind === "select") {
        const parent = path[event.ply - 1];
        here = parent.children.find(({ move }) => move === event.move) ?? this.#add(parent, event.move, step);
        here.prior = event.prior;
        path[event.ply] = here;
      } else if (event.kind === "backup") {
        here = path[event.ply];
        here.known.push({ step, ...this.#seenByRoot(here, event) });
      }
      this.note(step, here, iterations);
    });
  }

  #add(parent, move, step) {
    const node = this.add(parent, move, step);
    // The report of each backup about it: { step, visits, value, proven, plies }.
    node.known = [];
    return node;
  }

  // A backup is seen by the side that has moved to the node.
  #seenByRoot(node, { visits, value, proven, plies }) {
    const sign = node.ply % 2 ? 1 : -1;
    return { visits, value: sign * value, proven: proven && sign * RESULTS[proven], plies };
  }

  /** The state of a node after `step` steps. */
  state(node, step) {
    let [low, high] = [0, node.known.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (node.known[middle].step <= step) low = middle + 1;
      else high = middle;
    }
    return low ? node.known[low - 1] : UNKNOWN;
  }

  /** Nodes of the tree of a node that are drawn after so many steps, itself included. */
  drawn(node, step) {
    if (node === this.root) return this.drawnInAll(step);
    return this.children(node, step).reduce((sum, child) => sum + this.drawn(child, step), node.begun <= step ? 1 : 0);
  }

  /** The child with the most visits after so many steps. */
  best(node, step) {
    let best = null;
    for (const child of this.children(node, step)) {
      if (!best || this.state(child, step).visits > this.state(best, step).visits) best = child;
    }
    return best;
  }
}
