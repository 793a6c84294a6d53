// The views of the page: one in which one plays, and those in which one watches a search or Monte Carlo. All of them show
// the position of the game. In those in which one watches, no player answers a move.

import { element, find } from "./dom.js";
import { EXAMPLES, FIRST } from "./examples.js";
import { PlayoutView } from "./playout_view.js";
import { Watch } from "./watch.js";

const PLAY = "play";
const TITLES = { search: "Watch the search", playouts: "Watch Monte Carlo" };

/** Whether a key has another meaning for the element that has the focus than for the view. */
function isOwnKey(node, key) {
  if (node.matches("input[type=radio]")) return key.startsWith("Arrow");
  if (node.matches("input[type=range]")) return key !== " ";
  if (node.closest("button")) return key === " ";
  return Boolean(node.closest("input, select, summary, a, #drawer, [role=gridcell]"));
}

export class Views {
  #game;
  #act;
  #name = PLAY;
  #watched;

  /** `act` runs a change of the game; `onChange` runs when the link has changed, `onSetting` when a setting has, too. */
  constructor(session, game, settings, declared, { act, check, onChange, onSetting }) {
    this.#game = game;
    this.#act = act;
    const onMove = (moves) => act(() => this.#play(moves));
    const onRule = (reverse) => act(() => game.load({ ...game.rules, reverse }, game.start, game.moves.slice(0, game.cursor)));
    const onKey = (key) => this.#boardKey(key);
    const seed = () => Number(settings.playouts.seed) || 1;
    this.#watched = {
      search: new Watch(session, game, { onMove, onChange, onKey, seed }),
      playouts: new PlayoutView(session, game, settings, declared, { onMove, onRule, onChange: onSetting, onKey, check }),
    };
    this.#fillExamples();
    for (const radio of document.querySelectorAll("input[name=view]")) radio.addEventListener("change", () => this.#choose(radio.value));
    find("#watch-undo").addEventListener("click", () => this.#jump(-1));
    find("#watch-redo").addEventListener("click", () => this.#jump(1));
    addEventListener("keydown", (event) => this.#key(event));
    this.#giveFocusBack();
    this.#show(PLAY);
  }

  get isPlay() {
    return this.#name === PLAY;
  }

  /** The title of the page while one watches. */
  get title() {
    return TITLES[this.#name];
  }

  /** The view, as a link names it. */
  get words() {
    return this.isPlay ? [] : [["view", this.#name], ...this.#watched[this.#name].words];
  }

  /** Take the view of a link. Returns the reasons for refusals. */
  take(link) {
    const name = link.take("view") ?? PLAY;
    const isKnown = name === PLAY || Object.hasOwn(this.#watched, name);
    this.#show(isKnown ? name : PLAY);
    const refusals = this.isPlay ? [] : this.#watched[name].take(link);
    return isKnown ? refusals : [`there is no view "${name}"`];
  }

  /** The tree of the empty board is too large to begin with: show a position that is worth watching instead. */
  async begin() {
    const { start, moves, rules } = this.#game;
    const isFresh = start === "startpos" && !moves.length && rules.size === "3";
    return this.#name === "search" && isFresh ? this.#game.load(FIRST.rules, "startpos", FIRST.moves) : undefined;
  }

  draw() {
    const game = this.#game;
    find("#watch-undo").disabled = game.cursor === 0;
    find("#watch-redo").disabled = game.cursor === game.moves.length;
    if (this.isPlay) return;
    this.#watched[this.#name].show();
    const start = game.start === "startpos" && !game.cursor ? emptyStart(game.rules) : game.start;
    const now = JSON.stringify([game.rules, start, game.moves.slice(0, game.cursor)]);
    find("#example").value = String(EXAMPLES.findIndex((example) => JSON.stringify(this.#example(example)) === now));
  }

  /** Put the focus on the board of the view. Returns false for the view in which one plays. */
  focus() {
    this.#watched[this.#name]?.board.focus();
    return !this.isPlay;
  }

  #show(name) {
    this.#name = name;
    find("main").dataset.view = name;
    find(`#view-${name}`).checked = true;
    for (const node of document.querySelectorAll(".table, .side")) node.hidden = name !== PLAY;
    find(".set-up").hidden = name === PLAY;
    find("#watch").hidden = name !== "search";
    find("#playouts").hidden = name !== "playouts";
    for (const [other, part] of Object.entries(this.#watched)) if (other !== name) part.hide();
  }

  // Searches of the other view end, and players wait.
  #choose(name) {
    this.#show(name);
    this.#act(() => this.begin());
  }

  #fillExamples() {
    find("#example").append(
      element("option", { value: "-1", textContent: "Set up on the board", hidden: true }),
      ...EXAMPLES.map(({ title }, index) => element("option", { value: String(index), textContent: title })),
    );
    find("#example").addEventListener("change", ({ target }) => {
      const example = EXAMPLES[target.value];
      if (example) this.#act(() => this.#game.load(...this.#example(example)));
    });
  }

  /** The rules, the start and the moves of an example. */
  #example({ rules = this.#game.rules, start = "startpos", moves, empty }) {
    return [rules, empty ? emptyStart(rules) : start, moves];
  }

  async #play(moves) {
    for (const move of moves) {
      const error = await this.#game.play(move);
      if (error) return error;
    }
    return undefined;
  }

  #jump(plies) {
    this.#act(() => this.#game.jump(this.#game.cursor + plies));
  }

  #boardKey(key) {
    const plies = { u: -1, r: 1 }[key.toLowerCase()];
    if (plies) this.#jump(plies);
    return Boolean(plies);
  }

  #key(event) {
    if (this.isPlay || !this.#game.state || event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (isOwnKey(event.target, event.key)) return;
    if (this.#watched[this.#name].key(event.key) || this.#boardKey(event.key)) event.preventDefault();
  }

  // A control keeps the focus after a click, and would take the keys of the view: a clicked tab took the arrows. A person who
  // has chosen with the pointer goes on with the keys of the view; one who has chosen with keys keeps the focus.
  #giveFocusBack() {
    let byPointer = false;
    addEventListener("pointerdown", () => (byPointer = true), true);
    addEventListener("keydown", () => (byPointer = false), true);
    const release = (selector) => ({ target }) => {
      if (byPointer && (!this.isPlay || target.name === "view")) target.closest(selector)?.blur();
    };
    addEventListener("click", release("input[type=radio], input[type=checkbox], button, .watch [role=gridcell]"));
    addEventListener("change", release("select"));
  }
}

/** A start that tells a board that is empty on purpose from one on which nothing has been played yet. */
const emptyStart = ({ size }) => `fen ${new Array(Number(size)).fill(size).join("/")} x`;
