// Alpha and beta of the position at hand, as a bar from one side's win to the other's, and in words.

import { find, say } from "./dom.js";

/** The bar goes a little beyond the wins, for a window that is open at its ends. */
const END = 1.35;
const place = (value) => (Math.max(-END, Math.min(END, value)) + END) / (2 * END);
const sign = (value) => (Math.abs(value) > 1 ? (value > 0 ? "∞" : "−∞") : String(0 + value).replace("-", "−"));
const has = (side, value) => `${side} already has a ${value === 0 ? "draw" : "win"}`;

/** Show the window of a node after so many steps, if the search has one. */
export function showWindow(tree, node, step) {
  const figure = find("#window");
  const window = node && tree.window?.(node, step);
  figure.hidden = !window;
  if (!window) return;
  const { low, high } = window;
  const isClosed = low >= high;
  const [own, rival] = tree.names;
  figure.style.setProperty("--low", place(low));
  figure.style.setProperty("--high", place(Math.max(low, high)));
  figure.classList.toggle("closed", isClosed);
  say(find("#window-left"), `${rival} wins`);
  say(find("#window-right"), `${own} wins`);
  const lowest = low <= -1 ? `${own} has nothing yet` : has(own, low);
  const highest = high >= 1 ? `${rival} has nothing yet` : has(rival, high);
  say(find("#window-words"), isClosed ? `${lowest}, and ${highest}: no result here can matter.` : `${lowest}; ${highest}.`);
  const mover = tree.stone(node);
  const [alpha, beta] = mover === tree.rootStone ? [low, high] : [-high, -low];
  say(find("#window-alpha"), `α ${sign(alpha)}   β ${sign(beta)}   for ${mover.toUpperCase()}, who moves here`);
}
