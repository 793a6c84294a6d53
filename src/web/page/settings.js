// The settings beside those of the players: the rules, the seed, the time for a move, and the values on the squares.

import { find } from "./dom.js";
import { Field } from "./fields.js";

const SECONDS = { name: "seconds", value: "1", min: 1, max: 600 };
const PLAYOUTS = ["trials", "score_current", "score_other"];
/** The page measures how many trials suit the board while the reader has set no number. */
const MEASURED = "";
const OFF = "off";
/** The fields of the rules, with what an empty one says in pale letters, if it may be empty. */
const RULES = [["size"], ["columns", "as rows"], ["connect", "all"]];
/** The engine's word for a field of the rules that is left empty. */
const EMPTY = "0";

const modes = () => [...document.querySelectorAll("input[name=values]")];

export class Settings {
  #rules = new Map();
  /** The fields that a link may name, by their keys in the link. */
  #fields = new Map();
  #seeds;

  /**
   * `changeRules` and `check` resolve to the reason for a refusal, or to nothing. `onChange` runs after every change
   * but those of the rules.
   */
  constructor(declared, { changeRules, check, onChange }) {
    for (const [name, placeholder] of RULES) {
      const check = (_, value) => changeRules({ [name]: value });
      const field = new Field(declared.get(name), { id: name, check, ...(placeholder && { usual: "", whenEmpty: EMPTY }) });
      if (placeholder) field.placeholder = placeholder;
      this.#rules.set(name, field);
      find("#rules").append(field.node);
    }
    find("#reverse").addEventListener("change", ({ target }) => changeRules({ reverse: String(target.checked) }));
    this.#seeds = Number(declared.get("seed").max);
    this.#fields.set("seed", new Field(declared.get("seed"), { id: "seed", check, onChange }));
    const checkSeconds = async (_, value) => secondsRefusal(value);
    this.#fields.set("seconds", new Field(SECONDS, { id: "seconds", check: checkSeconds, onChange }));
    for (const name of PLAYOUTS) {
      const usual = name === "trials" ? MEASURED : declared.get(name).value;
      const field = new Field(declared.get(name), { id: `values-${name}`, check, onChange, usual });
      this.#fields.set(`values.${name}`, field);
    }
    find("#thinking").append(this.#fields.get("seconds").node);
    find("#general").append(this.#fields.get("seed").node);
    for (const name of PLAYOUTS) find("#playout-settings").append(this.#fields.get(`values.${name}`).node);
    for (const radio of modes()) radio.addEventListener("change", onChange);
  }

  /** The values that stand on the squares: "off", "exact" or "playouts". */
  get values() {
    return modes().find((radio) => radio.checked).value;
  }

  nextValues() {
    const all = modes();
    all[(all.findIndex((radio) => radio.checked) + 1) % all.length].click();
  }

  get seconds() {
    return Number(this.#fields.get("seconds").value);
  }

  /** True if the reader has set a seed. */
  get isSeeded() {
    return Number(this.#fields.get("seed").value) !== 0;
  }

  get hasUsualSeconds() {
    return this.#fields.get("seconds").isUsual;
  }

  /** A seed for the `n`-th search of its kind; 0, which means a random seed, if none is set. */
  seed(n) {
    const first = Number(this.#fields.get("seed").value);
    return first && ((first + n - 1) % this.#seeds) + 1;
  }

  /** The engine's options for Monte Carlo values. `trials` is empty unless the reader has set a number. */
  get playouts() {
    const options = { seed: this.#fields.get("seed").value };
    for (const name of PLAYOUTS) options[name] = this.#fields.get(`values.${name}`).value;
    return options;
  }

  /** A number of trials that the reader has set outside of the field. */
  setTrials(trials) {
    this.setPlayout("trials", trials);
  }

  /** An option of the Monte Carlo values that the reader has set outside of the field. */
  setPlayout(name, value) {
    this.#fields.get(`values.${name}`).value = value;
  }

  /** Show the number of trials that the page has measured, where the reader has set none. */
  showMeasured(trials) {
    this.#fields.get("values.trials").placeholder = trials?.toLocaleString("en") ?? "measured";
  }

  showRules(rules) {
    for (const [name, field] of this.#rules) {
      if (!field.isBeingTyped) field.value = rules[name] === EMPTY ? "" : rules[name];
    }
    find("#reverse").checked = rules.reverse === "true";
  }

  /** The settings that differ from the usual ones, as a link names them. */
  get words() {
    const words = [...this.#fields].filter(([, field]) => !field.isUsual).map(([key, field]) => [key, field.value]);
    return this.values === OFF ? words : [...words, ["values", this.values]];
  }

  /** Take the settings of a link, and the usual ones for all else. Resolves to the reasons for refusals. */
  async take(link) {
    const refusals = [];
    for (const [key, field] of this.#fields) refusals.push(await field.take(link.take(key)));
    const mode = link.take("values") ?? OFF;
    const radio = modes().find(({ value }) => value === mode);
    if (!radio) refusals.push(`values are off, exact or playouts, not ${mode}`);
    (radio ?? find("#values-off")).checked = true;
    return refusals;
  }
}

function secondsRefusal(value) {
  const { min, max } = SECONDS;
  return /^\d+$/.test(value) && value >= min && value <= max ? "" : `seconds: a whole number from ${min} to ${max}`;
}
