// Draws a tree: the boards where there is room, marks where there is none, the way to the node at hand, what was left out.

import { shape, stoneShape } from "./dom.js";
import { shortNumber, signedNumber } from "./notation.js";
import { layout } from "./tree_layout.js";

/** Triangle up, square, triangle down, in a field from -1 to 1. */
const MARKS = {
  win: "M0-1 1 .85H-1Z",
  draw: "M-.8-.8H.8V.8H-.8Z",
  loss: "M0 1-1-.85H1Z",
  open: "M-.9 0a.9.9 0 1 0 1.8 0a.9.9 0 1 0-1.8 0",
};
const KINDS = { 1: "win", 0: "draw", "-1": "loss" };
const SIGNS = { least: "≥", most: "≤" };
const ANSWERED = { table: "=", find: "=", symmetry: "⇄" };

export const kindOf = (value) => KINDS[Math.sign(Math.round(value * 1e6))];

/** The text for a value: "W3", "D", "L4"; without a distance where none is known. */
export function valueText({ value, plies }) {
  return value === 0 ? "D" : `${value > 0 ? "W" : "L"}${plies || ""}`;
}

/** The mark of the value of a node: its kind and its text. At least a loss or at most a win says nothing: "?". */
export function valueMark(tree, node) {
  const bound = tree.bound(node);
  if (bound === (node.value > 0 ? "most" : node.value < 0 ? "least" : "")) return { kind: "open", text: "?" };
  return { kind: kindOf(node.value), text: (SIGNS[bound] ?? "") + valueText(node) };
}

/** The width of a board with room for a mean below. */
const MEAN_FITS = 52;

export class TreeView {
  #frame;
  #shown = null;
  #width = 0;

  /** `onJump` gets the number of steps after which the node that was clicked is there. */
  constructor(frame, onJump) {
    this.#frame = frame;
    frame.addEventListener("click", (event) => {
      const step = event.target.closest("[data-step]")?.dataset.step;
      if (step !== undefined) onJump(Number(step));
    });
    new ResizeObserver(() => {
      if (this.#shown && this.#width !== frame.clientWidth) this.show(...this.#shown);
    }).observe(frame);
  }

  clear() {
    this.#shown = null;
    this.#frame.replaceChildren();
  }

  show(tree, step, words) {
    this.#shown = [tree, step, words];
    this.#width = this.#frame.clientWidth;
    if (!this.#width) return;
    const here = tree.at(step);
    const path = new Set(tree.path(here));
    const { items, width, height } = layout(tree, step, this.#width);
    const painter = new Painter(tree, step, here, path);
    const [edges, nodes] = [[], []];
    for (const item of items) {
      if (!painter.isThere(item)) {
        edges.push(painter.future(item));
        continue;
      }
      if (item.parent) edges.push(painter.edge(item));
      nodes.push(painter.item(item));
    }
    const twin = here.left <= step && painter.twin(items);
    const drawing = shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words });
    drawing.append(shape("g", { class: "edges" }, edges), ...(twin ? [twin] : []), shape("g", {}, nodes));
    this.#frame.replaceChildren(drawing);
  }
}

class Painter {
  constructor(tree, step, here, path) {
    Object.assign(this, { tree, step, here, path });
    this.most = tree.hasVisits ? Math.max(1, tree.state(tree.root, step).visits) : 1;
  }

  isThere({ node, bundle }) {
    return (node ?? bundle[0]).begun <= this.step || (node && node === this.tree.root);
  }

  edge(item) {
    const { parent, x, y } = item;
    const top = this.#below(parent);
    const bottom = y - (item.high ? item.high / 2 : 5);
    const middle = (top + bottom) / 2;
    const onPath = item.node && this.path.has(item.node);
    const d = `M${parent.x} ${top}C${parent.x} ${middle} ${x} ${middle} ${x} ${bottom}`;
    const edge = shape("path", { d, class: onPath ? "path" : "" });
    if (this.tree.hasVisits && item.node && !onPath) {
      edge.setAttribute("stroke-width", 1 + 5 * (this.tree.state(item.node, this.step).visits / this.most));
    }
    return edge;
  }

  /** A pale line to a node that the search will enter. */
  future({ parent, x, y }) {
    const top = parent.y + (this.isThere(parent) ? parent.high / 2 : 0);
    const middle = (top + y) / 2;
    return shape("path", { class: "future", d: `M${parent.x} ${top}C${parent.x} ${middle} ${x} ${middle} ${x} ${y}` });
  }

  /** Where the lines to the children of an item begin: below its text, if it has one. */
  #below({ node, y, high }) {
    const hasText = this.tree.hasVisits ? this.tree.state(node, this.step).visits : node.left <= this.step;
    return y + (high ? high / 2 + (hasText ? 15 : 0) : 6);
  }

  item(item) {
    if (item.bundle) return this.#bundle(item);
    return this.#node(item);
  }

  /** The moves that a node has left out: a branch that is cut. */
  #stub({ node, x, y, high, width }) {
    const count = this.tree.leftOut?.(node, this.step).length;
    if (!count) return [];
    const top = y + (high ? high / 2 + 15 : 6);
    const [right, end] = high ? [x + 15, top + 13] : [x + 5, top + 8];
    const d = `M${x} ${top}L${right} ${end}M${right - 4} ${end + 2}l7-4M${right - 3} ${end + 5}l7-4`;
    const text = shape("text", { class: "cut", x: right + 14, y: end + 6 }, [`−${count}`]);
    return [shape("path", { class: "stub", d }), ...(width > 34 ? [text] : [])];
  }

  #bundle({ bundle, x, y }) {
    const count = bundle.reduce((sum, node) => sum + this.tree.drawn(node, this.step), 0);
    return shape("g", { class: "folded" }, [
      shape("circle", { cx: x, cy: y, r: 3 }),
      shape("text", { x, y: y + 14 }, [shortNumber(count)]),
    ]);
  }

  #node(item) {
    const { node, x, y, high } = item;
    const info = this.#info(item);
    const group = shape("g", { class: `node ${info.kind}${node === this.here ? " here" : ""}`, "data-step": node.begun });
    if (high) group.append(...this.#board(item), ...this.#label(item, info));
    else group.append(...this.#mark(item, info));
    group.append(...this.#stub(item));
    if (item.folded) {
      const below = this.tree.drawn(node, this.step) - 1;
      const at = y + (high ? high / 2 + 15 : 6);
      if (below > 0) {
        group.append(shape("circle", { class: "below", cx: x, cy: at + 6, r: 2.2 }));
        if (high || item.width >= 16 || this.path.has(node)) group.append(shape("text", { class: "below", x, y: at + 18 }, [shortNumber(below)]));
      }
    }
    return group;
  }

  /** The mark of a node: its kind, its text, and true if a table has answered it. */
  #info({ node, wide }) {
    if (this.tree.hasVisits) {
      const { visits, value, proven, plies } = this.tree.state(node, this.step);
      if (proven !== undefined) return { kind: kindOf(proven), text: `${valueText({ value: proven, plies })}`, weight: visits / this.most };
      if (!visits) return { kind: "open", text: "" };
      const text = wide < MEAN_FITS ? `${visits}` : `${visits} · ${signedNumber(value)}`;
      return { kind: `guess ${kindOf(value)}`, text, weight: visits / this.most };
    }
    if (node.left > this.step) return { kind: "open", text: "" };
    return { ...valueMark(this.tree, node), answered: ANSWERED[node.reason] };
  }

  #board({ node, x, y, wide, high }) {
    const { rows, columns } = this.tree;
    const [left, top] = [x - wide / 2, y - high / 2];
    const cell = wide / columns;
    const parts = [shape("rect", { class: "frame", x: left, y: top, width: wide, height: high, rx: Math.min(6, Math.min(wide, high) / 8) })];
    if (node.move) {
      const [row, column] = node.move.split(",").map(Number);
      parts.push(shape("rect", { class: "last", x: left + column * cell + 1, y: top + row * cell + 1, width: cell - 2, height: cell - 2, rx: 2 }));
    }
    let grid = "";
    for (let line = 1; line < columns; line += 1) grid += `M${left + line * cell} ${top}v${high}`;
    for (let line = 1; line < rows; line += 1) grid += `M${left} ${top + line * cell}h${wide}`;
    parts.push(shape("path", { class: "lines", d: grid }));
    for (const [r, row] of this.tree.stones(node).entries()) {
      for (const [c, stone] of row.entries()) {
        if (!stone) continue;
        const place = `translate(${left + c * cell} ${top + r * cell}) scale(${cell / 100})`;
        parts.push(stoneShape(stone, { transform: place, class: stone }));
      }
    }
    return parts;
  }

  #label({ x, y, wide, high }, { kind, text, answered }) {
    const at = y + high / 2 + 8;
    if (!text) return [];
    const [form] = kind.split(" ").slice(-1);
    const left = x - (5.6 * text.length + 11) / 2;
    const parts = [mark(form, left + 4.5, at, 4), shape("text", { class: "label", x: left + 11, y: at + 4 }, [text])];
    if (answered) parts.push(this.#badge(x + wide / 2, y - high / 2, answered, 7));
    return parts;
  }

  #mark({ node, x, y, width }, { kind, answered, weight }) {
    const onPath = this.path.has(node);
    const most = Math.min(6, Math.max(3.2, width / 2 - 0.8));
    const radius = weight === undefined ? most : Math.max(2.2, 6 * Math.sqrt(weight));
    if (kind === "open" && node.left > this.step) return [shape("circle", { class: onPath ? "at path" : "at", cx: x, cy: y, r: Math.min(4.5, most) })];
    const parts = [mark(kind.split(" ").at(-1), x, y, radius)];
    if (answered) parts[0].classList.add("answered");
    if (node === this.here) parts.push(shape("circle", { class: "ring", cx: x, cy: y, r: radius + 4 }));
    return parts;
  }

  #badge(x, y, text, r) {
    return shape("g", { class: "badge" }, [shape("circle", { cx: x, cy: y, r }), shape("text", { x, y: y + 3.6 }, [text])]);
  }

  /** A line to the earlier position that has answered the node at hand. */
  twin(items) {
    if (!this.here.twin) return null;
    const [from, to] = [this.here, this.here.twin].map((wanted) => {
      for (let node = wanted; node; node = node.parent) {
        const item = items.find((each) => each.node === node || each.bundle?.includes(node));
        if (item) return item;
      }
      return null;
    });
    if (!from || !to || from === to) return null;
    const top = (item) => item.y - (item.high ? item.high / 2 : 6);
    const high = Math.min(top(from), top(to)) - 26;
    const at = (item) => `${item.x} ${top(item)}`;
    return shape("path", { class: "twin", d: `M${at(from)}C${from.x} ${high} ${to.x} ${high} ${at(to)}` });
  }
}

const mark = (kind, x, y, r) => shape("path", { class: "mark", d: MARKS[kind], transform: `translate(${x} ${y}) scale(${r})` });
