// A labelled input for an option of the engine, within the limits that the engine declares.

import { element, say } from "./dom.js";

const LABELS = {
  level: "Level",
  trials: "Playouts",
  score_current: "Weight, own squares",
  score_other: "Weight, others",
  exploration: "Exploration",
  seed: "Seed, 0 for chance",
  size: "Rows",
  columns: "Columns",
  connect: "In a row",
  seconds: "Seconds a move",
};

/** The meaning of the ends of a slider. */
const ENDS = { level: ["1 beginner", "10 best"] };

const KINDS = { level: "range", size: "number", columns: "number", connect: "number", trials: "number", seed: "number", seconds: "number" };

export class Field {
  #accepted;
  #check;
  #input;
  #refusal = element("p", { className: "refusal", role: "alert" });
  #shown = null;
  #whenEmpty;

  /**
   * `check` gets every new value and resolves to the reason for a refusal, or to nothing. `onChange` runs when a person
   * has set a value. `usual` is the value until a link or a person sets another; an empty one means that the field may
   * be left empty. `whenEmpty` is what `check` gets for an empty field; without it, an empty field is not checked.
   */
  constructor({ name, value, min, max }, { id, check, onChange, usual = value, whenEmpty }) {
    this.declared = value;
    this.usual = String(usual);
    this.#whenEmpty = whenEmpty;
    this.#check = (wished) => check(name, wished);
    this.#input = element("input", { id, type: KINDS[name] ?? "text", min, max, autocomplete: "off" });
    if (!KINDS[name]) this.#input.inputMode = "decimal";
    const label = element("label", { for: id, textContent: LABELS[name] ?? name });
    this.node = element("div", { className: "field" }, [label, this.#input, this.#refusal]);
    this.node.dataset.option = name;
    if (KINDS[name] === "range") {
      this.#shown = element("output", { for: id });
      this.#input.addEventListener("input", () => say(this.#shown, this.#input.value));
      const ends = (ENDS[name] ?? []).map((textContent) => element("span", { textContent }));
      this.node.append(this.#shown, element("p", { className: "ends", id: `${id}-ends` }, ends));
      this.#input.setAttribute("aria-describedby", `${id}-ends`);
    }
    this.#input.addEventListener("change", async () => {
      const refusal = await this.#offer(this.#input.value.trim());
      say(this.#refusal, refusal);
      if (!refusal) onChange?.();
    });
    this.value = this.usual;
  }

  /** The accepted value. Text that is still being typed does not count. */
  get value() {
    return this.#accepted;
  }

  set value(next) {
    this.#accepted = String(next);
    this.#input.value = this.#accepted;
    if (this.#shown) say(this.#shown, this.#accepted);
    say(this.#refusal, "");
  }

  /** The value that the page uses while the field is empty, shown in pale letters. */
  set placeholder(words) {
    if (this.#input.placeholder !== words) this.#input.placeholder = words;
  }

  get isUsual() {
    return this.#accepted === this.usual;
  }

  get isBeingTyped() {
    return document.activeElement === this.#input;
  }

  /** Take the value of a link, or the usual one. Resolves to the reason for a refusal, or to nothing. */
  async take(value = this.usual) {
    this.value = this.usual;
    return value === this.usual ? "" : this.#offer(value);
  }

  // After a refusal the field shows the accepted value again.
  async #offer(value) {
    // A number that the browser cannot read is an empty value too, and needs a refusal.
    const isEmpty = value === "" && this.usual === "" && !this.#input.validity.badInput;
    const wished = isEmpty ? this.#whenEmpty : value;
    const refusal = wished === undefined ? "" : await this.#check(wished);
    const taken = value === this.#whenEmpty ? "" : value;
    this.value = refusal ? this.#accepted : taken;
    return refusal;
  }
}
