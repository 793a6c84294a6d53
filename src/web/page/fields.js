// A labelled input for an option of the engine, within the limits that the engine declares.

import { element, say } from "./dom.js";

const LABELS = {
  level: "Level",
  trials: "Trials",
  score_current: "Weight, own squares",
  score_other: "Weight, theirs",
  seed: "Seed, 0 for chance",
  size: "Board size",
  connect: "In a row",
  seconds: "Seconds a move",
};

const KINDS = { level: "range", size: "number", connect: "number", trials: "number", seed: "number", seconds: "number" };

export class Field {
  #accepted;
  #check;
  #input;
  #refusal = element("p", { className: "refusal", role: "alert" });
  #shown = null;

  /**
   * `check` is asked about every new value and resolves to why it cannot be, or to nothing; `onChange` is told when a
   * person has set one. `usual` is the value as long as nobody says another.
   */
  constructor({ name, value, min, max }, { id, check, onChange, usual = value }) {
    this.declared = value;
    this.usual = String(usual);
    this.#check = (wished) => check(name, wished);
    this.#input = element("input", { id, type: KINDS[name] ?? "text", min, max, autocomplete: "off" });
    if (!KINDS[name]) this.#input.inputMode = "decimal";
    const label = element("label", { for: id, textContent: LABELS[name] ?? name });
    this.node = element("div", { className: "field" }, [label, this.#input, this.#refusal]);
    this.node.dataset.option = name;
    if (KINDS[name] === "range") {
      this.#shown = element("output", { for: id });
      this.#input.addEventListener("input", () => say(this.#shown, this.#input.value));
      this.node.append(this.#shown);
    }
    this.#input.addEventListener("change", async () => {
      const refusal = await this.#offer(this.#input.value.trim());
      say(this.#refusal, refusal);
      if (!refusal) onChange?.();
    });
    this.value = this.usual;
  }

  /** What is in force, whatever somebody may be typing. */
  get value() {
    return this.#accepted;
  }

  set value(next) {
    this.#accepted = String(next);
    this.#input.value = this.#accepted;
    if (this.#shown) say(this.#shown, this.#accepted);
    say(this.#refusal, "");
  }

  get isUsual() {
    return this.#accepted === this.usual;
  }

  get isBeingTyped() {
    return document.activeElement === this.#input;
  }

  /** Take what a link says, or what is usual. Resolves to why it cannot be, or to nothing. */
  async take(value = this.usual) {
    this.value = this.usual;
    return value === this.usual ? "" : this.#offer(value);
  }

  // What is refused is taken back.
  async #offer(value) {
    const refusal = await this.#check(value);
    this.value = refusal ? this.#accepted : value;
    return refusal;
  }
}
