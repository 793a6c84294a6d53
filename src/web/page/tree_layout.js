// The places of the nodes of a tree. Nodes without room are folded: a node without its children, or one item for several
// nodes side by side. The way to the node at hand is always open.

/** The width that a node takes without a board, and the sizes of boards, the largest first: the length of the longer side. */
const NARROWEST = 8.5;
const BOARDS = [64, 52, 42, 34, 28];
const BESIDE = 8;
const NO_BOARD = { wide: 0, high: 0 };
/** The least width of a board with the text below it. */
const TEXT = 28;
/** The height of the text below a board, the least height of a level, and that of a drawing. */
const LABEL = 15;
const LEAST_GAP = 22;
const HIGHEST = 500;

/**
 * The items of a drawing: { node, x, y, ply, wide, high, parent, folded } for a node, with the sides of its board, 0 where it has none;
 * { bundle, ... } for several nodes.
 *
 * Where the whole tree fits, room is kept for the nodes that the search enters later, so that nothing moves while it grows.
 */
export function layout(tree, step, width) {
  const most = Math.floor(width / NARROWEST);
  const last = tree.leaves <= most ? tree.length : step;
  const root = unfold(tree, last, tree.path(tree.at(step)), most);
  const levels = [];
  walk(root, (item) => {
    levels[item.ply] ??= [];
    levels[item.ply].push(item);
  });
  const sizes = boards(root, levels, width, tree);
  const room = widen(root, sizes);
  place(root, 0, Math.max(1, width / room));
  return { root, items: levels.flat(), height: heights(levels, sizes), width: Math.max(width, room), sizes };
}

function walk(item, visit) {
  visit(item);
  for (const child of item.items) walk(child, visit);
}

/** Opens nodes level by level while there is room for so many leaves; first of all those on the path. */
function unfold(tree, last, path, leaves) {
  const item = (node, parent) => ({ node, parent, ply: node.ply, items: [], folded: tree.children(node, last).length > 0 });
  const root = item(path[0], null);
  let free = leaves - 1;
  let along = root;
  for (const next of path.slice(1)) {
    const children = tree.children(along.node, last);
    const left = path.length - next.ply;
    // The nodes below it need room too.
    if (children.length - 1 <= free - 2 * left) {
      along.items = children.map((child) => item(child, along));
    } else {
      const index = children.indexOf(next);
      const [before, after] = [children.slice(0, index), children.slice(index + 1)];
      const bundle = (nodes) => (nodes.length ? [{ bundle: nodes, parent: along, ply: next.ply, items: [] }] : []);
      along.items = [...bundle(before), item(next, along), ...bundle(after)];
    }
    along.folded = false;
    free -= along.items.length - 1;
    along = along.items.find(({ node }) => node === next);
  }
  for (let level = [root]; level.length; level = level.flatMap(({ items }) => items)) {
    for (const folded of byWeight(tree, last, level)) {
      const children = tree.children(folded.node, last);
      if (children.length - 1 > free) continue;
      folded.items = children.map((child) => item(child, folded));
      folded.folded = false;
      free -= children.length - 1;
    }
  }
  return root;
}

/** The folded nodes of a level; in a tree with visits those with the most visits first. */
function byWeight(tree, last, level) {
  const folded = level.filter((item) => item.folded);
  if (tree.hasVisits) folded.sort((a, b) => tree.state(b.node, last).visits - tree.state(a.node, last).visits);
  return folded;
}

/** The sides of the boards of each level: the largest that leave the tree as wide and as high as it may be. */
function boards(root, levels, width, { rows, columns }) {
  const sizes = levels.map(() => NO_BOARD);
  const longer = Math.max(rows, columns);
  const possible = BOARDS.filter((size) => size >= longer * 7).map((size) => ({ wide: (size * columns) / longer, high: (size * rows) / longer }));
  let free = HIGHEST - levels.length * LEAST_GAP;
  for (let ply = 0; ply < levels.length; ply += 1) {
    sizes[ply] = possible.filter(({ high }) => high + LABEL <= free).find((size) => {
      sizes[ply] = size;
      return widen(root, sizes) <= width;
    }) ?? NO_BOARD;
    if (sizes[ply] === NO_BOARD) break;
    free -= sizes[ply].high + LABEL;
  }
  return sizes;
}

/** The widths of an item and of all below it. */
function widen(item, sizes) {
  Object.assign(item, item.node ? sizes[item.ply] : NO_BOARD);
  const own = item.wide ? Math.max(item.wide, TEXT) + BESIDE : NARROWEST;
  const below = item.items.reduce((sum, child) => sum + widen(child, sizes), 0);
  item.width = Math.max(own, below);
  item.below = below;
  return item.width;
}

function place(item, left, stretch) {
  item.x = (left + item.width / 2) * stretch;
  let x = left + (item.width - item.below) / 2;
  for (const child of item.items) {
    place(child, x, stretch);
    x += child.width;
  }
  if (!item.items.length) return;
  // A node stands above the middle of its children, as far as its own room allows.
  const half = (item.wide + BESIDE) / 2;
  const [first, last] = [left * stretch + half, (left + item.width) * stretch - half];
  item.x = Math.max(first, Math.min(last, (item.items[0].x + item.items.at(-1).x) / 2));
}

/** Gives each item its height. Returns that of the drawing. */
function heights(levels, sizes) {
  const boards = sizes.reduce((sum, { high }) => sum + (high ? high + LABEL : 12), 0);
  const gap = Math.max(LEAST_GAP - 12, Math.min(46, (HIGHEST - boards) / levels.length));
  let y = 4;
  levels.forEach((items, ply) => {
    const { high } = sizes[ply];
    const half = high ? high / 2 : 6;
    y += half;
    for (const item of items) item.y = y;
    y += half + (high ? LABEL : 0) + gap;
  });
  return y - gap + 10;
}
