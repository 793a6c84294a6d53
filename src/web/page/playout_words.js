// Words for the totals of random games: the leader, whether that is chance, and whether it is a mistake.

const VERBS = { 1: "win", 0: "draw", "-1": "lose" };
const verb = (moves, value) => `${VERBS[value]}${moves.length === 1 ? "s" : ""}`;

/** The squares with the highest total. */
export function leaders(totals) {
  const most = Math.max(...totals.values());
  return [...totals].filter(([, total]) => Math.abs(total - most) < 1e-9 * Math.max(1, Math.abs(most))).map(([move]) => move);
}

/** Squares in words: "square 1,1", "squares (0,2) and (2,0)". */
function list(moves) {
  if (moves.length === 1) return `square ${moves[0]}`;
  if (moves.length > 4) return `${moves.length} squares`;
  const names = moves.map((move) => `(${move})`);
  return `squares ${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/**
 * Sentences about the totals of so many games. `limits` are the totals to expect and `perfect` the values of perfect play;
 * both are missing where the engine does not know them.
 */
export function totalsWords({ stone, games, totals, limits, perfect }) {
  if (!games) return `${stone} is to move. Play random games and see which square collects the most.`;
  const best = leaders(totals);
  const sentences = [`After ${games.toLocaleString("en")} ${games === 1 ? "game" : "games"} ${list(best)} ${best.length === 1 ? "leads" : "lead"}.`];
  if (limits.size) {
    const expected = leaders(limits);
    sentences.push(best.every((move) => expected.includes(move))
      ? "The exact expectation says the same."
      : `Chance still rules: the exact expectation has ${list(expected)} ahead.`);
    sentences.push(...verdict(stone, expected, perfect));
  }
  return sentences.join(" ");
}

/** The exact values of the leaders to expect. */
function verdict(stone, expected, perfect) {
  const worth = new Map([...(perfect ?? [])].filter(([, info]) => info.proven).map(([move, { value }]) => [move, value]));
  if (!expected.every((move) => worth.has(move))) return [];
  const highest = Math.max(...worth.values());
  const wrong = expected.filter((move) => worth.get(move) < highest);
  if (!wrong.length) return [`Perfect play agrees: ${stone} ${VERBS[highest]}s there.`];
  const better = [...worth].filter(([, value]) => value === highest).map(([move]) => move);
  return [`But perfect play says that ${list(wrong)} ${verb(wrong, worth.get(wrong[0]))}, while ${list(better)} ${verb(better, highest)}: `
    + "a mistake that no number of games corrects."];
}
