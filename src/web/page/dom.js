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

/** An element of a drawing. Colours come from the style sheet. */
export function shape(tag, attributes = {}, children = []) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** The outline of a stone on a square of 100 by 100. */
export const stoneShape = (stone, attributes = {}) => shape("path", { d: SHAPES[stone], ...attributes });

/** The drawing of a stone. */
export function stoneDrawing(stone) {
  return shape("svg", { viewBox: "0 0 100 100", class: `stone ${stone}`, "aria-hidden": "true" }, [stoneShape(stone)]);
}

/** Set a text only if it is new, so that screen readers do not read it twice. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}
