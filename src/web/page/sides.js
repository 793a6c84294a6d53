// The players of X and O: a person, or one of the engine's players with its options.

import { element, find } from "./dom.js";
import { Field } from "./fields.js";
import { isTextbook, titleOf } from "./searches.js";

const PERSON = "person";
/** A program of the reader's, which is no player of the engine. */
const PROGRAM = "program";
const GUESSING = ["auto", "perfect", "montecarlo", "mcts"];
const SCORING = ["montecarlo", "montecarlolimit"];
/** The players that know each option, and those that offer it to a person who has chosen them. A link may set it for the others. */
const OPTIONS = {
  level: { known: GUESSING, offered: ["auto"] },
  trials: { known: [...GUESSING, "uct"], offered: ["montecarlo", "mcts", "uct"] },
  score_current: { known: SCORING, offered: SCORING },
  score_other: { known: SCORING, offered: SCORING },
  exploration: { known: ["uct"], offered: ["uct"] },
};
/** Without a number of playouts, the engine thinks for the seconds of a move. */
const USUAL = { trials: "" };
// These stop after a number of playouts; the others need a limit of time.
const SELF_LIMITED = ["auto", "montecarlo", "montecarlolimit", "mcts", "uct", "random"];

export class Side {
  #stone;
  #usual;
  #program;
  #select;
  #fields = new Map();

  /**
   * `check` resolves to the reason for a refusal, or to nothing. `usual` is the player of a link that names none, `program`
   * the name of the reader's program, if the server has one.
   */
  constructor(stone, declared, { check, onChange, usual, program }) {
    this.#stone = stone;
    this.#usual = usual;
    this.#program = program;
    const id = (name) => `${stone}-${name}`;
    this.#select = element("select", { id: id("player") });
    this.#fill(declared.get("player").choices);
    this.#select.addEventListener("change", () => {
      // An option that was set for another player does not hold for one that does not offer it: Perfect is perfect.
      for (const [name, field] of this.#fields) if (!OPTIONS[name].offered.includes(this.player)) field.value = field.usual;
      this.#tidy();
      onChange();
    });
    const label = element("label", { for: id("player"), className: "quiet", textContent: `${stone.toUpperCase()} is played by` });
    const nodes = [element("div", { className: "field" }, [label, this.#select])];
    for (const name of Object.keys(OPTIONS)) {
      const field = new Field(declared.get(name), { id: id(name), check, onChange, usual: USUAL[name] });
      if (USUAL[name] === "") field.placeholder = "by time";
      this.#fields.set(name, field);
      nodes.push(field.node);
    }
    find(`#side-${stone}`).append(...nodes);
    this.#play(usual);
  }

  get player() {
    return this.#select.value;
  }

  get isPerson() {
    return this.player === PERSON;
  }

  get isProgram() {
    return this.player === PROGRAM;
  }

  get name() {
    if (this.isPerson) return "a person";
    if (this.isProgram) return this.#program;
    const { level } = this.#options;
    const name = titleOf(this.player);
    return level === this.#fields.get("level").declared ? name : `${name}, level ${level}`;
  }

  /** The engine's options while it plays for this side. */
  get options() {
    return { player: this.player, MultiPV: 1, tiebreak: "random", ...this.#options };
  }

  /** The seconds that it may think about a move; nothing if it stops by itself. `isCounted` asks for that where it can. */
  seconds({ seconds }, isCounted) {
    const stopsItself = SELF_LIMITED.includes(this.player) && (isCounted || this.#fields.get("trials").value);
    return stopsItself ? undefined : seconds;
  }

  /** The player, as a link names it: `x=montecarlo:5&x.trials=500`. The best level goes without saying. */
  get words() {
    const { level, ...others } = Object.fromEntries([...this.#fields].filter(([, { node }]) => !node.hidden));
    const changed = Object.entries(others).filter(([, field]) => !field.isUsual);
    return [
      [this.#stone, level && !level.isUsual ? `${this.player}:${level.value}` : this.player],
      ...changed.map(([name, field]) => [`${this.#stone}.${name}`, field.value]),
    ];
  }

  /** Take the player of a link, and the usual values for all else. Resolves to the reasons for refusals. */
  async take(link) {
    const refusals = [];
    const [player, level] = (link.take(this.#stone) ?? this.#usual).split(":");
    const known = [...this.#select.options].some(({ value }) => value === player);
    if (!known) refusals.push(`there is no player "${player}"`);
    this.#play(known ? player : this.#usual);
    for (const [name, field] of this.#fields) {
      refusals.push(await field.take(name === "level" ? level : link.take(`${this.#stone}.${name}`)));
    }
    this.#tidy();
    return refusals;
  }

  /** Exchange the players of the two sides. */
  static swap(one, other) {
    const [first, second] = [one, other].map((side) => ({
      player: side.player,
      values: [...side.#fields.values()].map(({ value }) => value),
    }));
    one.#become(second);
    other.#become(first);
  }

  #become({ player, values }) {
    for (const [index, field] of [...this.#fields.values()].entries()) field.value = values[index];
    this.#play(player);
  }

  #play(player) {
    this.#select.value = player;
    this.#tidy();
  }

  /** The options of this player; those that it does not have, or that are empty, keep the value that the engine declares. */
  get #options() {
    return Object.fromEntries([...this.#fields].map(([name, field]) => [name, (!field.node.hidden && field.value) || field.declared]));
  }

  #fill(choices) {
    const option = (value) => element("option", { value, textContent: titleOf(value) });
    this.#select.append(element("option", { value: PERSON, textContent: "Person" }));
    if (this.#program) this.#select.append(element("option", { value: PROGRAM, textContent: this.#program }));
    for (const [label, wanted] of [["Players", false], ["Searches of the textbooks", true]]) {
      this.#select.append(element("optgroup", { label }, choices.filter((choice) => isTextbook(choice) === wanted).map(option)));
    }
  }

  #tidy() {
    for (const [name, field] of this.#fields) {
      const { known, offered } = OPTIONS[name];
      field.node.hidden = !offered.includes(this.player) && (field.isUsual || !known.includes(this.player));
    }
  }
}
