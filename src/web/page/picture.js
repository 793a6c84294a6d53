// The board as a picture: a drawing that stands alone, with the colours that the page has at the moment.

import { shape, stoneShape } from "./dom.js";

/** The side of a square, and the room around the board. */
const SIDE = 100;
const EDGE = 12;

/** The drawing of a board that is shown on the page. */
export function boardPicture(grid) {
  const rows = [...grid.querySelectorAll("[role=row]")];
  const squares = rows.flatMap((row) => [...row.children]);
  const [width, height] = [squares.length / rows.length, rows.length].map((count) => count * SIDE + 2 * EDGE);
  const ground = shape("rect", { width, height, fill: getComputedStyle(document.body).backgroundColor });
  const board = shape("g", { transform: `translate(${EDGE} ${EDGE})` }, squares.map(square));
  const links = [...grid.querySelectorAll(".links line")].map((line) => {
    const places = Object.fromEntries(["x1", "y1", "x2", "y2"].map((name) => [name, line.getAttribute(name) * SIDE]));
    const { stroke, strokeOpacity } = getComputedStyle(line);
    return shape("line", { ...places, stroke, "stroke-opacity": strokeOpacity, "stroke-width": 5, "stroke-linecap": "round" });
  });
  board.append(...links);
  return shape("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height }, [ground, board]);
}

function square(cell) {
  const [row, column] = cell.dataset.move.split(",").map(Number);
  const style = getComputedStyle(cell);
  const field = { x: 1, y: 1, width: SIDE - 2, height: SIDE - 2, rx: 6 };
  const parts = [shape("rect", { ...field, fill: style.backgroundColor })];
  const { held, kind, number } = cell.dataset;
  if (kind) {
    const tint = getComputedStyle(cell, "::before");
    parts.push(shape("rect", { ...field, fill: tint.backgroundColor, opacity: tint.opacity }));
  }
  if (held) {
    const { color } = getComputedStyle(cell.querySelector(".stone"));
    parts.push(stoneShape(held, { fill: "none", stroke: color, "stroke-width": 10, "stroke-linecap": "round" }));
    if (cell.classList.contains("completed")) parts.push(shape("rect", { x: 7, y: 7, width: 86, height: 86, rx: 18, fill: "none", stroke: color, "stroke-width": 4 }));
  }
  const value = cell.querySelector(".value");
  const tone = getComputedStyle(value).color;
  if (!value.hidden) parts.push(words(value.querySelector(".label").textContent, { x: 50, y: 62, "font-size": 30, "text-anchor": "middle", fill: tone }));
  if (cell.classList.contains("best")) {
    const dashes = cell.classList.contains("guess") ? { "stroke-dasharray": "12 8" } : {};
    parts.push(shape("rect", { x: 6, y: 6, width: 88, height: 88, rx: 14, fill: "none", stroke: tone, "stroke-width": 4, ...dashes }));
  }
  if (cell.classList.contains("numbered")) parts.push(words(number, { x: 92, y: 92, "font-size": 22, "text-anchor": "end", fill: style.color }));
  return shape("g", { transform: `translate(${column * SIDE} ${row * SIDE})` }, parts);
}

const words = (text, attributes) => shape("text", { "font-family": "sans-serif", "font-weight": 700, ...attributes }, [text]);
