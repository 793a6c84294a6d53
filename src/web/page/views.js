// The views of the page: one in which one plays, and those in which one watches a search or Monte Carlo. The watched game
// is one of its own: it begins as the game that is played, and changes nothing in it. No player answers its moves.

import { gameWords, takeGame } from "./address.js";
import { element, find } from "./dom.js";
import { EXAMPLES, FIRST } from "./examples.js";
import { Game, USUAL_RULES } from "./game.js";
import { PlayoutView } from "./playout_view.js";
import { Watch } from "./watch.js";

const PLAY = "play";
const TITLES = { search: "Watch the search", playouts: "Watch Monte Carlo" };

/** True if a key has another meaning for the element that has the focus than for the view. */
function isOwnKey(node, key) {
  if (node.matches("input[type=radio]")) return key.startsWith("Arrow");
  if (node.matches("input[type=range]")) return key !== " ";
  if (node.closest("button")) return key === " ";
  return Boolean(node.closest("input, select, summary, a, #drawer, [role=gridcell]"));
}

/** The keys of the game that is watched. */
const PREFIX = "watch.";

export class Views {
  #played;
  #game;
  #act;
  #onChoose;
  #name = PLAY;
  #watched;
  /** The game that was played when it was last copied, as a link names it. */
  #copied = "";
  /** The game that a link wants to be watched, if it is another one. */
  #wish;

  /**
   * `act` runs a change of a game, `onChoose` one that leads to another view; `onChange` runs when the link has changed,
   * `onSetting` when a setting has, too. `played` is the game that is played.
   */
  constructor(session, played, settings, declared, { act, onChoose, check, onChange, onSetting }) {
    const game = new Game(session);
    this.#played = played;
    this.#game = game;
    this.#act = act;
    this.#onChoose = onChoose;
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

  /** The game that is shown. */
  get game() {
    return this.isPlay ? this.#played : this.#game;
  }

  /** The view, as a link names it. */
  get words() {
    if (this.isPlay) return [];
    const [game, played] = [gameWords(this.#game, PREFIX), gameWords(this.#played, PREFIX)];
    // A game that has none of its keys in the link is the one that is played. So the empty board names its size.
    const own = game.length ? game : [[`${PREFIX}size`, this.#game.rules.size]];
    const isSame = JSON.stringify(game) === JSON.stringify(played);
    return [...(isSame ? [] : own), ["view", this.#name], ...this.#watched[this.#name].words];
  }

  /** Take the view of a link. Returns the reasons for refusals. */
  take(link) {
    const name = link.take("view") ?? PLAY;
    const isKnown = name === PLAY || Object.hasOwn(this.#watched, name);
    this.#show(isKnown ? name : PLAY);
    this.#wish = takeGame(link, PREFIX);
    const refusals = this.isPlay ? [] : this.#watched[name].take(link);
    return isKnown ? refusals : [`there is no view "${name}"`];
  }

  /** Watch what the link names. Returns the engine's error, or nothing. */
  async open() {
    this.#copy();
    return this.isPlay || !this.#wish ? undefined : this.#game.open(this.#wish);
  }

  #copy() {
    this.#copied = JSON.stringify(gameWords(this.#played));
    this.#game.copy(this.#played);
  }

  draw() {
    const game = this.#game;
    if (this.isPlay || !game.state) return;
    find("#watch-undo").disabled = game.cursor === 0;
    find("#watch-redo").disabled = game.cursor === game.moves.length;
    this.#watched[this.#name].show();
    const now = JSON.stringify([game.rules, game.start, game.moves.slice(0, game.cursor)]);
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
    for (const node of document.querySelectorAll(".table, .info, .side")) node.hidden = name !== PLAY;
    find(".set-up").hidden = name === PLAY;
    find("#watch").hidden = name !== "search";
    find("#playouts").hidden = name !== "playouts";
    for (const [other, part] of Object.entries(this.#watched)) if (other !== name) part.hide();
  }

  // Searches of the other view end, and players wait. A game that has changed since it was last watched is watched anew.
  #choose(name) {
    this.#show(name);
    this.#onChoose(() => {
      if (this.isPlay) return this.#played.jump(this.#played.cursor);
      if (this.#copied !== JSON.stringify(gameWords(this.#played))) this.#copy();
      const { start, moves, rules } = this.#game;
      const isFresh = start === "startpos" && !moves.length && ["size", "columns"].every((name) => rules[name] === USUAL_RULES[name]);
      return name === "search" && isFresh ? this.#game.load(FIRST.rules, "startpos", FIRST.moves) : undefined;
    });
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
  #example({ rules = this.#game.rules, start = "startpos", moves }) {
    return [rules, start, moves];
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
