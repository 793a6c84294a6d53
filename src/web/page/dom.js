// Small helpers to build and find elements.

export const find = (selector) => document.querySelector(selector);

export function element(tag, properties = {}, children = []) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-") || name === "role" || name === "for") node.setAttribute(name, value);
    else node[name] = value;
  }
  node.append(...children);
  return node;
}

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = { x: "M26 26 74 74M74 26 26 74", o: "M50 23a27 27 0 1 0 .01 0z" };

/** The drawing of a stone. Its colour comes from the style sheet. */
export function stoneDrawing(stone) {
  const drawing = document.createElementNS(SVG, "svg");
  drawing.setAttribute("viewBox", "0 0 100 100");
  drawing.setAttribute("class", `stone ${stone}`);
  drawing.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", SHAPES[stone]);
  drawing.append(path);
  return drawing;
}

/** Set a text only if it is new, so that screen readers do not read it twice. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
