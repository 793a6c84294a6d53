// The position in the address bar, so that a link brings it back: the rules, the start, the moves, and who plays.

const RULES = { size: "3", connect: "0", reverse: "false" };

export function readAddress() {
  const found = Object.fromEntries(
    location.hash.slice(1).split("&").filter(Boolean).map((part) => {
      const [key, ...rest] = part.split("=");
      return [key, decode(rest.join("="))];
    }),
  );
  const rules = {};
  for (const [name, value] of Object.entries(RULES)) rules[name] = found[name] ?? value;
  return {
    rules,
    start: found.start ? `fen ${found.start}` : "startpos",
    moves: (found.moves ?? "").split(" ").filter(Boolean),
    sides: { x: found.x?.split(":"), o: found.o?.split(":") },
  };
}

export function writeAddress(game, sides) {
  const parts = Object.entries(RULES).filter(([name, value]) => game.rules[name] !== value)
    .map(([name]) => `${name}=${game.rules[name]}`);
  if (game.start !== "startpos") parts.push(`start=${encode(game.start.slice(4))}`);
  const moves = game.moves.slice(0, game.cursor);
  if (moves.length) parts.push(`moves=${encode(moves.join(" "))}`);
  for (const [stone, side] of Object.entries(sides)) {
    parts.push(`${stone}=${side.player}${side.isPerson ? "" : `:${side.level}`}`);
  }
  history.replaceState(null, "", `#${parts.join("&")}`);
}

// A plus for a blank keeps links short enough to read.
const encode = (text) => text.replaceAll(" ", "+");
function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
