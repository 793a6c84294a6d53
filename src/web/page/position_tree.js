// The common part of all trees of searches: nodes below a root, their moves, and the positions that these lead to.

import { otherStone, readPosition } from "./notation.js";

/** A node: a position, reached from its parent by a move. `begun` is the number of steps after which it is there. */
export class Node {
  children = [];
  /** The number of steps after which the search has left it for good. */
  left = Infinity;

  constructor(id, parent, move, begun) {
    Object.assign(this, { id, parent, move, begun, ply: parent ? parent.ply + 1 : 0 });
  }
}

export class PositionTree {
  nodes = [];
  /** The side to move at the root. */
  rootStone;
  steps;
  #stones;
  /** After each number of steps: the node at hand, what the search counts, and the nodes that are drawn. */
  #at = [];
  #entered = [0];
  #drawn = [0];

  /** `position` is that of the root, as the engine writes it. */
  constructor(position, steps) {
    this.#stones = readPosition(position);
    this.rootStone = position.split(" ")[1];
    this.steps = steps;
  }

  get length() {
    return this.steps.length;
  }

  get root() {
    return this.nodes[0];
  }

  /** The node at hand after so many steps. */
  at(step) {
    return this.#at[step] ?? this.root;
  }

  /** The count of the search after `step` steps: nodes, or iterations. */
  entered(step) {
    return this.#entered[step];
  }

  /** All nodes that are drawn after so many steps. */
  drawnInAll(step) {
    return this.#drawn[step];
  }

  /** Note what is so after a step: the node at hand and the count. The nodes so far are drawn. */
  note(step, node, entered) {
    this.#at[step] = node;
    this.#entered[step] = entered;
    this.#drawn[step] = this.nodes.length;
  }

  /** The names of the side to move at the root and of its opponent. */
  get names() {
    return [this.rootStone, otherStone(this.rootStone)].map((stone) => stone.toUpperCase());
  }

  /** Rows of the board. */
  get rows() {
    return this.#stones.length;
  }

  /** Columns of the board. */
  get columns() {
    return this.#stones[0].length;
  }

  add(parent, move, step) {
    const node = new Node(this.nodes.length, parent, move, step);
    parent?.children.push(node);
    this.nodes.push(node);
    return node;
  }

  /** The side to move at a node. */
  stone(node) {
    return (node.ply % 2 === 0) === (this.rootStone === "x") ? "x" : "o";
  }

  /** The nodes from the root to a node. */
  path(node) {
    const path = [];
    for (let above = node; above; above = above.parent) path.unshift(above);
    return path;
  }

  /** The stones of a node, row by row. */
  stones(node) {
    const stones = this.#stones.map((row) => [...row]);
    for (let { parent, move } = node; parent; { parent, move } = parent) {
      const [row, column] = move.split(",");
      stones[row][column] = this.stone(parent);
    }
    return stones;
  }

  /** The children that are known after so many steps. */
  children(node, step) {
    return node.children.filter((child) => child.begun <= step);
  }
}
