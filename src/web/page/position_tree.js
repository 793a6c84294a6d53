// What all trees of searches have in common: nodes below a root, their moves, and the positions that these lead to.

import { readPosition } from "./notation.js";

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

  /** Rows of the board. */
  get size() {
    return this.#stones.length;
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
