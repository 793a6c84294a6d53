// Asks the engine for the steps of a search, and reads them. A step is one line of the answer to `trace`.

import { errorText, LOST } from "./session.js";

/** Kinds of lines that tell what the search has come to, not a step of it. */
const RESULTS = ["total", "end"];
/** Kinds whose first word is a number of their own; that of all other steps is the ply below the root. */
const COUNTED = ["iteration", "playout"];

/** A line of a trace as an object: its kind, its ply or number, and its keys with their values; null for other lines. */
export function readTrace(line) {
  if (!line.startsWith("trace ")) return null;
  const words = line.split(" ");
  const event = { kind: words[1] };
  let at = 2;
  if (!RESULTS.includes(event.kind)) {
    event[COUNTED.includes(event.kind) ? "number" : "ply"] = Number(words[at]);
    at += 1;
  }
  while (at < words.length) {
    const key = words[at];
    if (key === "moves") {
      event.moves = words.slice(at + 1);
      break;
    }
    event[key] = read(key, words[at + 1]);
    at += 2;
  }
  return event;
}

const WORDS = ["move", "reason", "search", "proven", "result", "finished"];
const read = (key, word) => (WORDS.includes(key) ? word : Number(word));

/** A search that takes longer is stopped, in milliseconds: its first steps are enough. The engine sends them when it ends. */
const PATIENCE_MS = 800;

/**
 * Request a trace of `search` with at most `events` steps. `answer` resolves to `steps`, `totals` and `end`, to `error`
 * if the engine refuses it, and to nothing if the request was cancelled.
 */
export function askTrace(session, game, { search, events, trials, options = {} }) {
  const trace = { steps: [], totals: [], end: undefined };
  const bounds = [["events", events], ["trials", trials]].filter(([, bound]) => bound !== undefined);
  const request = session.ask({
    options: { ...game.options, ...options },
    position: game.positionLine(),
    lines: [["trace", search, ...bounds.flat()].join(" "), "query position"],
    onLine: (line) => {
      const event = readTrace(line);
      if (event?.kind === "end") trace.end = event;
      else if (event?.kind === "total") trace.totals.push(event);
      else if (event) trace.steps.push(event);
      clearTimeout(timer);
    },
  });
  const timer = setTimeout(() => session.shorten(request), PATIENCE_MS);
  const answer = request.answer.then((whole) => {
    clearTimeout(timer);
    if (!whole) return session.isOpen ? undefined : { error: LOST };
    if (whole.errors.length) return { error: errorText(whole.errors[0]) };
    return trace.end ? trace : { error: "the engine sends no trace" };
  });
  return { answer, cancel: () => request.cancel() };
}
