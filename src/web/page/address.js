// The game in the address bar, so that a link restores it: the rules, the start, the moves, the moves taken back, the
// players, and the settings that differ from the usual ones.
//
//     #size=4&connect=3&moves=1,1+0,0&undone=2,2&x=person&o=montecarlo:5&o.trials=500&seed=7
//
// `size` has the rows. A link without `columns` means as many columns as rows.
//
// A game that is watched, if it is another one, has the same keys with a prefix: `watch.moves`.

import { USUAL_RULES } from "./game.js";

/** Browsers refuse more than about a hundred changes of the address in half a minute. */
const AT_MOST = 30;
const WITHIN_MS = 10_000;

/** The keys and values of a link. */
class Link {
  #words;

  constructor(text) {
    this.#words = new Map(text.split("&").filter(Boolean).map((part) => {
      const [key, ...rest] = part.split("=");
      return [key, decode(rest.join("="))];
    }));
  }

  /** The value of a key, which is removed from the link. */
  take(key) {
    const value = this.#words.get(key);
    this.#words.delete(key);
    return value;
  }

  /** The keys that were not taken. */
  get rest() {
    return [...this.#words.keys()];
  }
}

/** The link in the address. */
export function readAddress() {
  shown = location.hash;
  return new Link(shown.slice(1));
}

/** Take a game out of a link: the keys that begin with `prefix`. Nothing if there is no such key. */
export function takeGame(link, prefix = "") {
  const values = new Map([...Object.keys(USUAL_RULES), "start", "moves", "undone"].map((key) => [key, link.take(prefix + key)]));
  if ([...values.values()].every((value) => value === undefined)) return undefined;
  const rules = Object.fromEntries(Object.entries(USUAL_RULES).map(([name, usual]) => [name, values.get(name) ?? usual]));
  const [moves, undone] = ["moves", "undone"].map((key) => (values.get(key) ?? "").split(" ").filter(Boolean));
  const start = values.get("start");
  return { rules, start: start ? `fen ${start}` : "startpos", moves, undone };
}

/** A game as a link names it. */
export function gameWords(game, prefix = "") {
  const words = Object.entries(game.rules).filter(([name, value]) => USUAL_RULES[name] !== value);
  if (game.start !== "startpos") words.push(["start", game.start.slice(4)]);
  const [moves, undone] = [game.moves.slice(0, game.cursor), game.moves.slice(game.cursor)];
  if (moves.length) words.push(["moves", moves.join(" ")]);
  if (undone.length) words.push(["undone", undone.join(" ")]);
  return words.map(([key, value]) => [prefix + key, value]);
}

/** Keys and values as the part of an address behind its page. */
export const linkOf = (words) => `#${words.map(([key, value]) => `${key}=${encode(value)}`).join("&")}`;

/** Put keys and values into the address. */
export function writeAddress(words) {
  put(linkOf(words));
}

let timer = 0;
let changes = [];
/** The part of the address that was last read or written here. */
let shown = location.hash;

function put(hash) {
  clearTimeout(timer);
  const now = performance.now();
  changes = changes.filter((when) => now - when < WITHIN_MS);
  if (changes.length >= AT_MOST) {
    timer = setTimeout(() => put(hash), changes[0] + WITHIN_MS - now);
    return;
  }
  // The reader has entered another link, which the page has not read yet.
  if (location.hash !== shown) return;
  history.replaceState(null, "", hash);
  changes.push(now);
  shown = location.hash;
}

// People read links too: a blank becomes a plus; commas, slashes and colons stay.
function encode(text) {
  return encodeURIComponent(text).replaceAll("%20", "+").replace(/%(2C|2F|3A)/g, decodeURIComponent);
}

function decode(text) {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
