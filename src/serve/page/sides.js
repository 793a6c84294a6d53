// Who plays X and who plays O: a person, or one of the engine's players with its options.

import { element } from "./dom.js";

export const PERSON = "person";
const EVERYDAY = ["auto", "perfect", "montecarlo", "montecarlolimit", "mcts", "random"];
const LEVELLED = ["auto", "perfect", "montecarlo", "mcts"];
const PLAYING_OUT = ["auto", "perfect", "montecarlo", "mcts"];
const WEIGHTED = ["montecarlo", "montecarlolimit"];
// These end by themselves after so many trials or nodes; the others get a time.
const SELF_LIMITED = ["auto", "montecarlo", "montecarlolimit", "mcts", "random"];

const LABELS = {
  level: "Level",
  trials: "Trials",
  score_current: "Weight, own squares",
  score_other: "Weight, theirs",
  seed: "Seed",
  size: "Board size",
  connect: "In a row",
};

const PLAYER_NAMES = {
  auto: "Auto",
  perfect: "Perfect",
  montecarlo: "Monte Carlo",
  montecarlolimit: "Monte Carlo, endless",
  mcts: "Tree search",
  random: "Random",
};

/** A labelled input for an option of the engine, within the limits that it declares. */
export function optionField(option, { id, onChange, value = option.value }) {
  const number = option.type === "spin";
  const slider = option.name === "level";
  const input = element("input", { id, type: slider ? "range" : number ? "number" : "text", value, autocomplete: "off" });
  if (number) Object.assign(input, { min: option.min, max: option.max, step: 1 });
  if (option.type === "string") input.inputMode = "decimal";
  input.value = value;
  const label = element("label", { for: id, textContent: LABELS[option.name] ?? option.name });
  const field = element("div", { className: "field" }, [label, input]);
  field.dataset.option = option.name;
  if (slider) {
    const shown = element("output", { for: id, textContent: value });
    input.addEventListener("input", () => (shown.textContent = input.value));
    field.append(shown);
  }
  let accepted = value;
  input.addEventListener("change", async () => {
    const wished = input.value.trim();
    // What the engine refuses is taken back.
    if (await onChange(option.name, wished)) accepted = wished;
    else input.value = accepted;
  });
  return {
    field,
    input,
    set(next) {
      accepted = String(next);
      input.value = accepted;
      const shown = field.querySelector("output");
      if (shown) shown.textContent = accepted;
    },
  };
}

export class Side {
  #fields = new Map();

  constructor(stone, fieldset, declared, { onChange, check, player, level }) {
    this.stone = stone;
    const id = (name) => `${stone}-${name}`;
    this.select = element("select", { id: id("player") });
    this.#fill(declared.get("player").choices);
    this.select.addEventListener("change", () => {
      this.#tidy();
      onChange();
    });
    fieldset.append(
      element("div", { className: "field wide" }, [
        element("label", { for: id("player"), className: "quiet", textContent: `${stone.toUpperCase()} is played by` }),
        this.select,
      ]),
    );
    for (const name of ["level", "trials", "score_current", "score_other"]) {
      const onField = async (option, value) => {
        const accepted = await check({ [option]: value });
        if (accepted) onChange();
        return accepted;
      };
      const field = optionField(declared.get(name), { id: id(name), onChange: onField });
      this.#fields.set(name, field);
      fieldset.append(field.field);
    }
    this.set(player, level);
  }

  get player() {
    return this.select.value;
  }

  get isPerson() {
    return this.player === PERSON;
  }

  get level() {
    return this.#fields.get("level").input.value;
  }

  get name() {
    if (this.isPerson) return "person";
    return LEVELLED.includes(this.player) && this.level !== "10" ? `${this.player}, level ${this.level}` : this.player;
  }

  set(player, level) {
    if ([...this.select.options].some((option) => option.value === player)) this.select.value = player;
    if (level) this.#fields.get("level").set(level);
    this.#tidy();
  }

  /** What the engine is told before it plays for this side. */
  get options() {
    const options = { player: this.player, level: 10, MultiPV: 1, tiebreak: "random" };
    for (const [name, { field, input }] of this.#fields) {
      if (!field.hidden) options[name] = input.value.trim();
    }
    return options;
  }

  go(seconds) {
    return SELF_LIMITED.includes(this.player) ? "go" : `go movetime ${Math.round(seconds * 1000)}`;
  }

  /** The other way round: what X was becomes O. */
  static swap(a, b) {
    const state = (side) => [side.player, side.level, ...[...side.#fields.values()].map(({ input }) => input.value)];
    const [one, two] = [state(a), state(b)];
    const put = (side, [player, level, ...values]) => {
      [...side.#fields.values()].forEach((field, index) => field.set(values[index]));
      side.set(player, level);
    };
    put(a, two);
    put(b, one);
  }

  #fill(choices) {
    const option = (value) => element("option", { value, textContent: PLAYER_NAMES[value] ?? value });
    this.select.append(element("option", { value: PERSON, textContent: "Person" }));
    for (const [label, wanted] of [["Players", true], ["Searches of the textbooks", false]]) {
      const some = choices.filter((choice) => EVERYDAY.includes(choice) === wanted);
      if (some.length) this.select.append(element("optgroup", { label }, some.map(option)));
    }
  }

  #tidy() {
    const shown = {
      level: LEVELLED,
      trials: PLAYING_OUT,
      score_current: WEIGHTED,
      score_other: WEIGHTED,
    };
    for (const [name, { field }] of this.#fields) field.hidden = !shown[name].includes(this.player);
  }
}
