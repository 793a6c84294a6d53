// The players of X and O: a person, or one of the engine's players with its options.

import { element, find } from "./dom.js";
import { Field } from "./fields.js";

const PERSON = "person";
/** The players that have each option. */
const OF_PLAYERS = {
  level: ["auto", "perfect", "montecarlo", "mcts"],
  trials: ["auto", "perfect", "montecarlo", "mcts"],
  score_current: ["montecarlo", "montecarlolimit"],
  score_other: ["montecarlo", "montecarlolimit"],
};
// These stop after a number of trials or nodes; the others get a time limit.
const SELF_LIMITED = ["auto", "montecarlo", "montecarlolimit", "mcts", "random"];

const PLAYER_NAMES = {
  auto: "Auto",
  perfect: "Perfect",
  montecarlo: "Monte Carlo",
  montecarlolimit: "Endless Monte Carlo",
  mcts: "Tree search",
  random: "Random",
};

export class Side {
  #stone;
  #usual;
  #select;
  #fields = new Map();

  /** `check` resolves to the reason for a refusal, or to nothing. `usual` is the player and level of a link that names none. */
  constructor(stone, declared, { check, onChange, usual }) {
    this.#stone = stone;
    this.#usual = usual.player;
    const id = (name) => `${stone}-${name}`;
    this.#select = element("select", { id: id("player") });
    this.#fill(declared.get("player").choices);
    this.#select.addEventListener("change", () => {
      this.#tidy();
      onChange();
    });
    const label = element("label", { for: id("player"), className: "quiet", textContent: `${stone.toUpperCase()} is played by` });
    const nodes = [element("div", { className: "field" }, [label, this.#select])];
    for (const name of Object.keys(OF_PLAYERS)) {
      const field = new Field(declared.get(name), { id: id(name), check, onChange, usual: usual[name] });
      this.#fields.set(name, field);
      nodes.push(field.node);
    }
    find(`#side-${stone}`).append(...nodes);
    this.#play(usual.player);
  }

  get player() {
    return this.#select.value;
  }

  get isPerson() {
    return this.player === PERSON;
  }

  get name() {
    if (this.isPerson) return "a person";
    const { level } = this.#options;
    const name = PLAYER_NAMES[this.player] ?? this.player;
    return level === this.#fields.get("level").declared ? name : `${name}, level ${level}`;
  }

  /** The engine's options while it plays for this side. */
  get options() {
    return { player: this.player, MultiPV: 1, tiebreak: "random", ...this.#options };
  }

  go(seconds) {
    return SELF_LIMITED.includes(this.player) ? "go" : `go movetime ${seconds * 1000}`;
  }

  /** The player, as a link names it: `x=montecarlo:5&x.trials=500`. */
  get words() {
    const { level, ...others } = Object.fromEntries([...this.#fields].filter(([, { node }]) => !node.hidden));
    const changed = Object.entries(others).filter(([, field]) => !field.isUsual);
    return [
      [this.#stone, level ? `${this.player}:${level.value}` : this.player],
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

  /** The options of this player; those it does not have keep the value that the engine declares. */
  get #options() {
    return Object.fromEntries([...this.#fields].map(([name, field]) => [name, field.node.hidden ? field.declared : field.value]));
  }

  #fill(choices) {
    const option = (value) => element("option", { value, textContent: PLAYER_NAMES[value] ?? value });
    this.#select.append(element("option", { value: PERSON, textContent: "Person" }));
    for (const [label, wanted] of [["Players", true], ["Searches of the textbooks", false]]) {
      const some = choices.filter((choice) => Boolean(PLAYER_NAMES[choice]) === wanted);
      if (some.length) this.#select.append(element("optgroup", { label }, some.map(option)));
    }
  }

  #tidy() {
    for (const [name, { node }] of this.#fields) node.hidden = !OF_PLAYERS[name].includes(this.player);
  }
}
