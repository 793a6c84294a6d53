// "Watch Monte Carlo": random games one by one, the totals that they give the squares, and the totals to expect.

import { Board } from "./board.js";
import { find, say } from "./dom.js";
import { Field } from "./fields.js";
import { shapeOf } from "./game.js";
import { otherStone, readInfo, readPosition, shortNumber, valueLabel, writePosition } from "./notation.js";
import { leaders, totalsWords } from "./playout_words.js";
import { Playouts } from "./playouts.js";
import { askTrace } from "./trace.js";

/** Games that can be watched, and the moves of all of them together. */
const MOST = 10_000;
const MOST_MOVES = 90_000;
const COUNT_MS = 700;
const MOVE_MS = 180;
/** The most squares of a board whose expected totals the engine computes. */
const MOST_EXPECTED = 9;
const WEIGHTS = { score_current: "own", score_other: "other" };
/** Seed of the games, unless the reader has set one. */
const SEED = 1;

export class PlayoutView {
  #session;
  #game;
  #settings;
  #onChange;
  #fields = new Map();
  #shown = "";
  #expectedFor = "";
  #playouts = null;
  #expected = null;
  #perfect = null;
  #error = "";
  #request = null;
  /** Games counted, games on the way to be counted, and moves of the last game that are drawn. */
  #count = 0;
  #target = 0;
  #drawn = Infinity;
  #frame = 0;

  constructor(session, game, settings, declared, { onMove, onRule, onChange, onKey, check }) {
    this.#session = session;
    this.#game = game;
    this.#settings = settings;
    this.#onChange = onChange;
    this.board = new Board(find("#totals-board"), { onMove: (move) => onMove([move]), onKey });
    this.expected = new Board(find("#expected-board"), { onMove: (move) => onMove([move]), onKey });
    this.last = new Board(find("#playout-board"), { onMove: () => {}, onKey });
    for (const id of ["1", "10", "1000"]) find(`#playout-${id}`).addEventListener("click", () => this.add(Number(id)));
    find("#playout-reset").addEventListener("click", () => this.#set(0));
    find("#playout-back").addEventListener("click", () => this.#set(this.#target - 1));
    find("#playout-reverse").addEventListener("change", ({ target }) => onRule(String(target.checked)));
    for (const name of Object.keys(WEIGHTS)) {
      const changed = () => {
        settings.setPlayout(name, this.#fields.get(name).value);
        onChange();
      };
      const field = new Field(declared.get(name), { id: `watch-${name}`, check, onChange: changed });
      this.#fields.set(name, field);
      find("#playout-weights").append(field.node);
    }
  }

  get words() {
    return this.#target ? [["games", String(this.#target)]] : [];
  }

  take(link) {
    const text = link.take("games") ?? "0";
    const isNumber = /^\d{1,5}$/.test(text) && Number(text) <= MOST;
    this.#shown = "";
    this.#halt();
    this.#count = this.#target = isNumber ? Number(text) : 0;
    return isNumber ? [] : [`games: a whole number from 0 to ${MOST.toLocaleString("en")}, not ${text}`];
  }

  /** Show the games from the position of the game. */
  show() {
    const key = JSON.stringify([this.#game.rules, this.#game.state.position, this.#seed]);
    if (key !== this.#shown) {
      const isNew = this.#shown !== "" && this.#target > 0;
      this.#shown = key;
      if (isNew) this.#set(0);
      this.#ask();
    } else if (!this.#request && this.#expectedFor !== this.#expectedKey) this.#expect();
    for (const name of Object.keys(WEIGHTS)) {
      const field = this.#fields.get(name);
      if (!field.isBeingTyped) field.value = this.#settings.playouts[name];
    }
    find("#playout-reverse").checked = this.#game.rules.reverse === "true";
    this.#draw();
  }

  hide() {
    this.#halt();
    this.#count = this.#target;
    this.#request?.cancel();
    if (!this.#playouts) this.#shown = "";
  }

  /** A key anywhere in the view. Returns whether it was taken. */
  key(key) {
    const action = { ArrowRight: () => this.add(1), ArrowLeft: () => this.#set(this.#target - 1), Home: () => this.#set(0), End: () => this.add(1000), " ": () => this.add(10) }[key];
    action?.();
    return Boolean(action);
  }

  /** Play so many more games: one move by move, more of them as a count that runs up. */
  add(games) {
    if (!this.#playouts) return;
    this.#halt();
    const from = this.#target;
    this.#count = from;
    this.#target = Math.min(from + games, this.#playouts.length);
    this.#onChange();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || this.#target === from) return this.#set(this.#target);
    const begun = performance.now();
    if (games === 1) {
      this.#count = this.#target;
      const moves = this.#playouts.game(this.#target).moves.length;
      const step = Math.min(MOVE_MS, 2000 / moves);
      this.#run((now) => {
        this.#drawn = Math.floor((now - begun) / step);
        return this.#drawn >= moves;
      });
    } else {
      this.#run((now) => {
        const part = Math.min(1, (now - begun) / COUNT_MS);
        this.#count = from + Math.round(part * (this.#target - from));
        return part === 1;
      });
    }
    return undefined;
  }

  #run(step) {
    const frame = (now) => {
      const isOver = step(now);
      if (isOver) this.#halt();
      else this.#frame = requestAnimationFrame(frame);
      this.#draw();
    };
    this.#frame = requestAnimationFrame(frame);
  }

  #halt() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#drawn = Infinity;
  }

  #set(games) {
    this.#halt();
    this.#count = this.#target = Math.max(0, Math.min(games, this.#playouts?.length ?? 0));
    this.#onChange();
    this.#draw();
  }

  get #seed() {
    const { seed } = this.#settings.playouts;
    return seed === "0" ? SEED : seed;
  }

  get #weights() {
    const { playouts } = this.#settings;
    return Object.fromEntries(Object.entries(WEIGHTS).map(([name, key]) => [key, Number(playouts[name])]));
  }

  /** True if the engine computes the totals to expect on this board. */
  get #isExpected() {
    const { rows, columns } = shapeOf(this.#game.rules);
    return rows * columns <= MOST_EXPECTED;
  }

  get #expectedKey() {
    return JSON.stringify([this.#shown, this.#weights]);
  }

  async #ask() {
    this.#request?.cancel();
    this.#halt();
    this.#playouts = null;
    this.#expected = null;
    this.#perfect = null;
    this.#error = "";
    const { state } = this.#game;
    if (state.over) return;
    const empty = state.legal.size;
    const games = Math.min(MOST, Math.max(100, Math.floor(MOST_MOVES / empty)));
    const request = askTrace(this.#session, this.#game, { search: "montecarlo", trials: games, events: games, options: { seed: this.#seed } });
    this.#request = request;
    const answer = await request.answer;
    if (this.#request !== request) return;
    this.#request = null;
    if (!answer) {
      this.#shown = "";
      return;
    }
    this.#error = answer.error ?? "";
    if (!answer.error) {
      this.#playouts = new Playouts(state.position, answer.steps);
      this.#count = this.#target = Math.min(this.#target, this.#playouts.length);
    }
    this.#draw();
    this.#expect();
  }

  /** Asks for the limits of the totals and the values of perfect play, as far as the engine knows them. */
  async #expect() {
    const key = this.#expectedKey;
    this.#expectedFor = key;
    if (!this.#isExpected || this.#game.state.over) return;
    const ask = async (player, weights) => {
      const moves = new Map();
      const answer = await this.#session.ask({
        options: { ...this.#game.options, ...weights, player, level: 10, tiebreak: "first", MultiPV: 400 },
        position: this.#game.positionLine(),
        lines: ["go", "query position"],
        onLine: (line) => {
          const info = readInfo(line);
          if (info?.multipv) moves.set(info.pv[0], info);
          else if (info && !moves.size) moves.set(info.pv[0], info);
        },
      }).answer;
      return answer && key === this.#expectedKey ? moves : null;
    };
    const { score_current, score_other } = this.#settings.playouts;
    const expected = await ask("montecarlolimit", { score_current, score_other });
    const perfect = expected && (await ask("perfect", {}));
    if (!perfect) {
      this.#expectedFor = "";
      return;
    }
    this.#expected = expected;
    this.#perfect = perfect;
    this.#draw();
  }

  // Drawing

  #draw() {
    const { state } = this.#game;
    const playouts = this.#playouts;
    playouts?.count(this.#count);
    const totals = playouts && this.#count ? new Map(playouts.squares.map((move) => [move, playouts.total(move, this.#weights)])) : new Map();
    const limits = new Map([...(this.#expected ?? [])].map(([move, { total }]) => [move, total * Math.max(1, this.#count)]));
    const stone = state.over ? undefined : this.#game.stone;
    const lastMove = this.#game.moves[this.#game.cursor - 1];
    this.board.show(state, { lastMove, found: marks(totals, this.#count), stone });
    this.expected.show(state, { lastMove, found: marks(limits, Math.max(1, this.#count), this.#perfect), stone });
    this.#drawGame();
    const count = this.#count.toLocaleString("en");
    say(find("#totals-title"), this.#count === 1 ? "Totals of one game" : `Totals of ${count} games`);
    say(find("#expected-title-watch"), this.#count > 1 ? `Expected after ${count} games` : "Expected after one game");
    find("#expected-figure").hidden = !this.#isExpected;
    say(find("#playout-note"), this.#isExpected ? "" : `The exact expectation is computed up to ${MOST_EXPECTED} squares, such as 3x3.`);
    say(find("#playout-now"), this.#words(totals, limits));
    find("#playout-now").setAttribute("aria-live", this.#frame ? "off" : "polite");
    this.#drawResults();
    for (const id of ["1", "10", "1000"]) find(`#playout-${id}`).disabled = !playouts || this.#target >= playouts.length;
    for (const id of ["reset", "back"]) find(`#playout-${id}`).disabled = !this.#target;
  }

  #words(totals, limits) {
    if (this.#error) return this.#error;
    if (this.#game.state.over) return "The game is over: there is nothing to play. Take a move back.";
    if (!this.#playouts) return "Playing …";
    return totalsWords({ stone: this.#game.stone.toUpperCase(), games: this.#count, totals, limits, perfect: this.#perfect });
  }

  #drawGame() {
    const { state } = this.#game;
    const game = this.#count ? this.#playouts?.game(this.#count) : undefined;
    const rows = readPosition(state.position);
    const numbers = new Map();
    game?.moves.slice(0, this.#drawn).forEach((move, index) => {
      const [row, column] = move.split(",");
      rows[row][column] = this.#stoneAt(index);
      numbers.set(move, { number: index + 1, words: `move ${index + 1}` });
    });
    this.last.show({ position: writePosition(rows, "x"), over: true, line: [] }, { numbers });
    say(find("#playout-title"), game ? `Game ${this.#count.toLocaleString("en")}` : "A random game");
    say(find("#playout-result"), game && this.#drawn >= game.moves.length ? this.#gameWords(game) : "");
  }

  #stoneAt(index) {
    const { stone } = this.#game;
    return index % 2 ? otherStone(stone) : stone;
  }

  #gameWords({ result }) {
    const [own, rival] = [this.#stoneAt(0), this.#stoneAt(1)].map((stone) => stone.toUpperCase());
    if (result === "draw") return "A draw: no square gets anything.";
    const { own: points, other } = this.#weights;
    const [winner, first, second] = result === "win" ? [own, `+${points}`, `−${other}`] : [rival, `−${points}`, `+${other}`];
    return `${winner} wins: squares of ${own} get ${first}, those of ${rival} ${second}.`;
  }

  #drawResults() {
    const { results } = this.#playouts ?? { results: { win: 0, draw: 0, loss: 0 } };
    const all = Math.max(1, this.#count);
    const stone = this.#game.state.over ? "" : this.#game.stone.toUpperCase();
    const bar = find("#playout-results");
    bar.style.setProperty("--won", results.win / all);
    bar.style.setProperty("--drawn", results.draw / all);
    bar.style.setProperty("--lost", results.loss / all);
    const part = (name) => `${name} ${results[name].toLocaleString("en")} (${Math.round((100 * results[name]) / all)}%)`;
    say(find("#playout-results-words"), this.#count
      ? `${stone} ${part("win").replace("win", "won")}, ${part("draw").replace("draw", "drew")}, ${part("loss").replace("loss", "lost")}.`
      : "");
  }
}

/** Marks for the squares: totals, with the mean of a game below; or the totals to expect, with what perfect play says. */
function marks(totals, games, perfect) {
  if (!totals.size) return undefined;
  const most = Math.max(...[...totals.values()].map(Math.abs)) || 1;
  const best = leaders(totals);
  const moves = new Map([...totals].map(([move, total]) => {
    const mean = (total / games).toFixed(2).replace(/^-0\.00$/, "0.00").replace("-", "−");
    const worth = perfect?.get(move);
    const note = worth?.proven ? valueLabel(worth) : perfect === undefined ? `ø ${mean}` : "";
    const text = shortNumber(Math.abs(total) < 10 && !Number.isInteger(total) ? Number(total.toFixed(2)) : total).replace("-", "−");
    return [move, {
      kind: total > 0 ? "win" : total < 0 ? "loss" : "draw",
      text, note, strength: Math.abs(total) / most, best: best.includes(move) && best.length < totals.size,
      words: worth?.proven ? "perfect play" : "",
    }];
  }));
  return { kind: "marked", moves };
}
