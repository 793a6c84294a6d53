// Reads the answer to `explain`: its sentences, the moves in them, and the boards that are drawn for them.

import { noteWords } from "./notation.js";

const COLUMNS = /^\s+0(\s+\d+)*$/;
const FILES = /^\s+a(\s+[a-t])*$/;
/** Sentences with moves of X and O in turn, and those with moves of one side. */
const LINES = ["line", "better"];
const CHOICES = ["best"];

/** The parts of an explanation: a key, its words, the moves in them, and a drawing if there is one. */
export function readExplanation(lines) {
  const parts = [];
  let first;
  let rows = null;
  for (const line of lines) {
    const sentence = /^([a-z]+) +(.*)$/.exec(line);
    if (COLUMNS.test(line)) rows = [];
    else if (rows && FILES.test(line)) {
      if (parts.length) parts.at(-1).drawing = rows;
      else first = rows;
      rows = null;
    } else if (rows) rows.push(line.trim().split(/\s+/).slice(1, -1));
    else if (sentence) parts.push({ key: sentence[1], words: sentence[2] });
    else if (line.trim() && parts.length) parts.at(-1).words += ` ${line.trim()}`;
  }
  const drawn = parts.find(({ key, words }) => ["why", "then"].includes(key) && /pair|\*/.test(words));
  // The first board belongs to the line or, if there is none, to the first argument that needs one.
  if (drawn && !parts.some(({ key }) => key === "line")) drawn.drawing ??= first;
  return parts.map(withMoves);
}

function withMoves({ key, words, drawing }) {
  const picture = drawing && readDrawing(drawing);
  if (LINES.includes(key)) {
    const [moves, ...rest] = words.split(":");
    return { key, words: rest.join(":").trim(), line: moves.match(/\d+,\d+/g) ?? [], picture };
  }
  if (CHOICES.includes(key) && /^\d+,\d+/.test(words)) return { key, words: "", choices: words.match(/\d+,\d+/g), picture };
  return { key, words: noteWords(words), picture };
}

/** The names of cells in a drawing, and the pairs of cells that have the same name. */
function readDrawing(rows) {
  const names = new Map();
  for (const [row, cells] of rows.entries()) {
    for (const [column, cell] of cells.entries()) if (!/^[.XO]$/.test(cell)) names.set(`${row},${column}`, cell);
  }
  const pairs = new Map();
  for (const [move, name] of names) pairs.set(name, [...(pairs.get(name) ?? []), move]);
  return { names, pairs: [...pairs.values()].filter((moves) => moves.length === 2) };
}
