// "Watch the search": the steps of a search, forwards and back, with its tree, its board and its counters.

import { Board } from "./board.js";
import { Counts } from "./counts.js";
import { element, find, say } from "./dom.js";
import { GrowingTree } from "./growing_tree.js";
import { writePosition } from "./notation.js";
import { SearchTree } from "./search_tree.js";
import { valueMarks, visitMarks } from "./search_marks.js";
import { pathWords, stepWords } from "./search_words.js";
import { SEARCHES, titleOf, TREE_SEARCH } from "./searches.js";
import { askTrace } from "./trace.js";
import { TreeView } from "./tree_view.js";
import { showWindow } from "./window.js";

/** The most steps of a trace. A longer search is shown from its beginning. */
const MOST_STEPS = 20_000;
/** Playouts of a tree search: some of them for each node. */
const TRIALS = 1000;
const UNSENT = ["enter", "leave", "find", "iteration", "backup"];
const PACES = [1, 3, 10, 40, 200];
const USUAL = { search: "alphabeta", step: 0, pace: 1 };

export class Watch {
  #session;
  #game;
  #search = USUAL.search;
  #step = USUAL.step;
  #tree = null;
  #end = undefined;
  #error = "";
  /** The position and the search of the tree, and of the request under way. */
  #shown = "";
  #request = null;
  #playing = 0;
  #onChange;
  #seed;

  /** `onMove` gets the moves from the root that a click adds; `onChange` runs when the link changes; `seed` tells the seed. */
  constructor(session, game, { onMove, onChange, onKey, seed }) {
    this.#session = session;
    this.#game = game;
    this.#onChange = onChange;
    this.#seed = seed;
    this.view = new TreeView(find("#watch-tree"), (step) => this.go(step));
    this.board = new Board(find("#watch-board"), {
      onMove: (move) => onMove([...this.#path.map((node) => node.move), move]),
      onKey,
    });
    this.counts = new Counts(session, game, (name) => this.choose(name));
    this.counts.onChange = () => this.#drawCounts();
    const select = find("#watch-search");
    select.append(...SEARCHES.map(({ name, title }) => element("option", { value: name, textContent: title })));
    select.addEventListener("change", () => this.choose(select.value));
    for (const [id, action] of Object.entries({
      "watch-first": () => this.go(0),
      "watch-back": () => this.go(this.#step - 1),
      "watch-play": () => this.play(),
      "watch-on": () => this.go(this.#step + 1),
      "watch-last": () => this.go(Infinity),
    })) find(`#${id}`).addEventListener("click", action);
    find("#watch-scrub").addEventListener("input", ({ target }) => this.go(Number(target.value)));
    find("#watch-pace").addEventListener("input", () => {
      this.#showPace();
      this.#onChange();
    });
    find("#watch-pace").max = PACES.length - 1;
    this.#showPace();
  }

  /** The words of a link to this view. */
  get words() {
    const now = { search: this.#search, step: this.#step, pace: this.#pace };
    return Object.entries(now).filter(([key, value]) => value !== USUAL[key]).map(([key, value]) => [key, String(value)]);
  }

  take(link) {
    const refusals = [];
    const search = link.take("search") ?? USUAL.search;
    const isKnown = SEARCHES.some(({ name }) => name === search);
    if (!isKnown) refusals.push(`there is no search "${search}"`);
    this.#search = isKnown ? search : USUAL.search;
    const whole = (key, most) => {
      const text = link.take(key) ?? String(USUAL[key]);
      if (/^\d{1,9}$/.test(text) && Number(text) <= most) return Number(text);
      refusals.push(`${key}: a whole number from 0 to ${most.toLocaleString("en")}, not ${text}`);
      return USUAL[key];
    };
    this.#step = whole("step", MOST_STEPS);
    find("#watch-pace").value = whole("pace", PACES.length - 1);
    this.#showPace();
    this.#shown = "";
    return refusals;
  }

  /** Show the search of the position of the game. Another position begins at its first step. */
  show() {
    const key = this.#key;
    if (key === this.#shown) return;
    const isNew = this.#shown !== "";
    this.#shown = key;
    if (isNew && this.#step) {
      this.#step = 0;
      this.#onChange();
    }
    this.#ask();
  }

  hide() {
    this.#pause();
    this.#request?.cancel();
    this.counts.cancel();
    if (!this.#tree) this.#shown = "";
  }

  choose(search) {
    if (search === this.#search) return;
    this.#pause();
    this.#search = search;
    this.#step = 0;
    this.#shown = this.#key;
    this.#ask();
    this.#onChange();
  }

  /** Go to a step. Playing ends. */
  go(step) {
    this.#pause();
    this.#move(step);
    this.#onChange();
  }

  play() {
    if (this.#playing) {
      this.#pause();
      this.#onChange();
      return;
    }
    if (!this.#tree) return;
    if (this.#step >= this.#tree.length) this.#move(0);
    let last = performance.now();
    let owed = 1;
    const frame = (now) => {
      owed += ((now - last) / 1000) * PACES[this.#pace];
      last = now;
      const steps = Math.floor(owed);
      owed -= steps;
      if (steps) this.#move(this.#step + steps);
      if (this.#step >= this.#tree.length) {
        this.#pause();
        this.#onChange();
      } else if (this.#playing) this.#playing = requestAnimationFrame(frame);
    };
    this.#playing = requestAnimationFrame(frame);
    this.#drawControls();
  }

  /** A key anywhere in the view. Returns whether it was taken. */
  key(key) {
    const action = {
      ArrowRight: () => this.go(this.#step + 1),
      ArrowLeft: () => this.go(this.#step - 1),
      Home: () => this.go(0),
      End: () => this.go(Infinity),
      " ": () => this.play(),
    }[key];
    action?.();
    return Boolean(action);
  }

  #pause() {
    if (this.#playing) cancelAnimationFrame(this.#playing);
    this.#playing = 0;
    this.#drawControls();
  }

  #move(step) {
    if (!this.#tree) return;
    this.#step = Math.max(0, Math.min(step, this.#tree.length));
    this.#draw();
  }

  get #key() {
    const { rules, state } = this.#game;
    return JSON.stringify([rules, state.position, this.#search, this.#search === TREE_SEARCH ? this.#seed() : 0]);
  }

  /** The position on the board, by which counts are known. */
  get #position() {
    return JSON.stringify([this.#game.rules, this.#game.state.position]);
  }

  get #path() {
    return this.#tree ? this.#tree.path(this.#tree.at(this.#step)).slice(1) : [];
  }

  get #pace() {
    return Number(find("#watch-pace").value);
  }

  #showPace() {
    const steps = PACES[this.#pace];
    say(find("#watch-pace-words"), `${steps} ${steps === 1 ? "step" : "steps"} a second`);
  }

  async #ask() {
    this.#pause();
    this.#request?.cancel();
    this.#tree = null;
    this.#error = "";
    this.#draw();
    if (this.#game.state.over) return;
    const isTree = this.#search === TREE_SEARCH;
    const request = askTrace(this.#session, this.#game, {
      search: this.#search,
      events: MOST_STEPS,
      trials: isTree ? TRIALS : undefined,
      options: isTree ? { seed: this.#seed() } : {},
    });
    this.#request = request;
    const [position, answer] = [this.#game.state.position, await request.answer];
    if (this.#request !== request) return;
    this.#request = null;
    if (!answer) {
      this.#shown = "";
      return;
    }
    this.#error = answer.error ?? "";
    this.#end = answer.end;
    if (!answer.error) this.#tree = isTree ? new GrowingTree(position, answer.steps) : new SearchTree(position, answer.steps);
    this.#move(this.#step);
    this.#draw();
    this.counts.count(this.#position);
  }

  // Drawing

  #draw() {
    find("#watch-search").value = this.#search;
    say(find("#watch-idea"), SEARCHES.find(({ name }) => name === this.#search).idea);
    this.#drawControls();
    this.#drawCounts();
    const tree = this.#tree;
    if (!tree) {
      this.view.clear();
      const over = this.#game.state.over;
      say(find("#watch-now"), this.#error || (over ? "The game is over: there is nothing to search. Take a move back." : "Searching …"));
      this.#drawBoard();
      return;
    }
    const words = stepWords(tree, this.#step);
    say(find("#watch-now"), words);
    this.view.show(tree, this.#step, `The tree of ${titleOf(this.#search)}, ${this.#counterWords()}. At hand: ${pathWords(tree, tree.at(this.#step))}. ${words}`);
    find("#tree-legend").dataset.kind = tree.hasVisits ? "visits" : "values";
    say(find("#tree-legend"), legend(tree));
    this.#drawBoard();
  }

  #counterWords() {
    const tree = this.#tree;
    const [done, all, unit] = tree.hasVisits
      ? [tree.entered(this.#step), tree.entered(tree.length) + (this.#end.iteration ?? 0), "iterations"]
      : [tree.entered(this.#step), this.#end.nodes, "nodes"];
    return `${done.toLocaleString("en")} of ${this.#end.finished === "true" ? "" : "more than "}${all.toLocaleString("en")} ${unit}`;
  }

  #drawControls() {
    const length = this.#tree?.length ?? 0;
    const scrub = find("#watch-scrub");
    scrub.max = length;
    scrub.value = this.#step;
    scrub.disabled = !length;
    scrub.setAttribute("aria-valuetext", `step ${this.#step} of ${length}`);
    const first = this.#tree && UNSENT.some((kind) => this.#end[kind]) ? "the first " : "";
    say(find("#watch-step"), length ? `${this.#step.toLocaleString("en")} of ${first}${length.toLocaleString("en")}` : "");
    say(find("#watch-counter"), this.#tree ? this.#counterWords() : "");
    const play = find("#watch-play");
    say(play, this.#playing ? "Pause" : "Play");
    for (const [id, isOff] of [["first", !this.#step], ["back", !this.#step], ["on", this.#step >= length], ["last", this.#step >= length]]) {
      find(`#watch-${id}`).disabled = !length || isOff;
    }
    play.disabled = !length;
    // A screen reader would only ever hear the beginning of each sentence.
    find("#watch-now").setAttribute("aria-live", this.#playing ? "off" : "polite");
  }

  #drawCounts() {
    if (!this.#game.state) return;
    this.counts.show(this.#position, this.#search, this.#tree && !this.#tree.hasVisits ? this.#tree.entered(this.#step) : 0);
  }

  #drawBoard() {
    const { state } = this.#game;
    const tree = this.#tree;
    if (!tree) {
      this.board.show(state, {});
      showWindow(tree);
      return;
    }
    const node = tree.at(this.#step);
    const isOver = node.reason === "gameover" && node.left <= this.#step;
    const position = writePosition(tree.stones(node), tree.stone(node));
    this.board.show({ position, over: false, line: [] }, {
      lastMove: node.move ?? this.#game.moves[this.#game.cursor - 1],
      found: { kind: "marked", moves: tree.hasVisits ? visitMarks(tree, node, this.#step) : valueMarks(tree, node, this.#step) },
      stone: isOver ? undefined : tree.stone(node),
    });
    say(find("#watch-path"), node.parent ? pathWords(tree, node) : "The position");
    say(find("#watch-mover"), isOver ? "The game is over" : `${tree.stone(node).toUpperCase()} to move`);
    showWindow(tree, node, this.#step);
  }
}

function legend(tree) {
  const [own, rival] = tree.names;
  if (tree.hasVisits) return `Under a board: visits · mean, seen by ${own}. ▲ good for ${own}, ▼ good for ${rival}; proven values are W, D, L with moves. Thick lines: many visits.`;
  return `▲ W3: ${own} wins in 3 moves · ■ D: draw · ▼ L4: ${rival} wins in 4 · ≥ ≤ a bound, ? none · // −2: two moves left out · = ⇄ from the table, by symmetry · ● 12: 12 nodes folded.`;
}
