// Reads what the engine writes: positions, info lines, values. This file contains no rule of the game.

/** The stones of a position such as `xo1/1x1/3 o`, row by row: "x", "o" or "". */
export function readPosition(text) {
  const [board] = text.split(" ");
  return board.split("/").map((row) =>
    [...row.matchAll(/\d+|[xo.]/g)].flatMap(([word]) => {
      if (word === "x" || word === "o") return [word];
      return new Array(word === "." ? 1 : Number(word)).fill("");
    }),
  );
}

/** The other way round: rows of stones and the side to move as a position. */
export const writePosition = (rows, stone) => `${rows.map((row) => row.map((held) => held || ".").join("")).join("/")} ${stone}`;

export const otherStone = (stone) => (stone === "x" ? "o" : "x");

const WORDS = new Set(["value", "proven", "plies", "plies_at_most", "trials", "total", "nodes", "time", "multipv", "depth", "nps"]);

/** An info line as an object; null for notes. It has only the keys that the page uses. */
export function readInfo(line) {
  if (!line.startsWith("info ") || line.startsWith("info string")) return null;
  const words = line.split(" ").slice(1);
  const info = { pv: [] };
  for (let i = 0; i < words.length; i += 1) {
    if (words[i] === "pv") {
      info.pv = words.slice(i + 1);
      break;
    }
    if (!WORDS.has(words[i])) continue;
    const value = words[i + 1];
    info[words[i]] = words[i] === "proven" ? value === "true" : Number(value);
    i += 1;
  }
  return info;
}

/** A proven value as "W3", "D" or "L4", or as "W≤9" where the distance is not proven; any other value as "?". */
export function valueLabel({ proven, value, plies, plies_at_most }) {
  if (!proven) return "?";
  if (value === 0) return "D";
  return `${value > 0 ? "W" : "L"}${plies ?? `≤${plies_at_most}`}`;
}

export function valueKind({ proven, value }) {
  if (!proven) return "open";
  return value === 0 ? "draw" : value > 0 ? "win" : "loss";
}

/** People count moves of both sides where the engine counts plies. */
const inMoves = ({ plies, plies_at_most }) =>
  plies === 1 ? "with the next move" : plies === undefined ? `in ${plies_at_most} moves or fewer` : `in ${plies} moves`;

/** A note of the engine for people. */
export const noteWords = (note) => note.replace(/\b1 ply\b/g, "1 move").replace(/\bplies\b/g, "moves");

/** A value in words: "win in 3 moves". */
export function valueWords(info) {
  const kind = valueKind(info);
  if (kind === "open") return "value not proven";
  return kind === "draw" ? "draw" : `${kind} ${inMoves(info)}`;
}

/** A value seen by the side to move, as a sentence about X and O: "X wins in 3 moves". */
export function outlookWords(info, xToMove) {
  const forX = xToMove ? info.value : -info.value;
  if (!info.proven) {
    const size = Math.abs(forX).toFixed(2);
    return Number(size) === 0 ? "About even, an estimate" : `About +${size} for ${forX > 0 ? "X" : "O"}, an estimate`;
  }
  if (forX === 0) return "A draw with best play";
  return `${forX > 0 ? "X" : "O"} wins ${inMoves(info)}`;
}

/** A mean result in few characters: +.35, −.02. */
export const signedNumber = (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(2).replace(/^0/, "")}`;

/** A total in few characters: -90, 1.2k, 345M. */
export function shortNumber(number) {
  const size = Math.abs(number);
  if (size >= 1e15) return number.toExponential(0).replace("e+", "e");
  for (const [limit, unit] of [[1e12, "T"], [1e9, "G"], [1e6, "M"], [1e3, "k"]]) {
    if (size >= limit) {
      const scaled = number / limit;
      return `${Math.abs(scaled) < 10 ? scaled.toFixed(1) : Math.round(scaled)}${unit}`;
    }
  }
  return size !== 0 && size < 10 && !Number.isInteger(number) ? number.toFixed(2) : String(Math.round(number));
}
