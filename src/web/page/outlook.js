// The value bar and the expected line.

import { element, find, say } from "./dom.js";
import { noteWords, outlookWords } from "./notation.js";

export class Outlook {
  #bar = find("#value-bar");
  #words = find("#value-words");
  #source = find("#value-source");
  #line = find("#expected");
  #shown = "";

  /** `onLine` gets the first moves of the expected line, when the last of them is clicked. */
  constructor(onLine) {
    this.#line.addEventListener("click", ({ target }) => {
      const chips = [...this.#line.querySelectorAll("button")];
      const index = chips.indexOf(target.closest("button"));
      if (index >= 0) onLine(chips.slice(0, index + 1).map(({ dataset }) => dataset.move));
    });
  }

  show({ state, found, hidden, rushed }) {
    this.#bar.dataset.state = "open";
    if (state.over) return this.#finished(state);
    if (hidden) return this.#blank("Values are hidden while you play.");
    if (!found && rushed) return this.#blank("No values at this speed.");
    if (!found) return this.#blank("Searching …");
    const { best } = found;
    if (found.kind === "exact" && !best.proven && !best.isEstimate) return this.#blank("Not proven. The tree search looks at it …");
    const forX = state.xToMove ? best.value : -best.value;
    this.#fill(forX, best.proven);
    say(this.#words, `${outlookWords(best, state.xToMove)}.`);
    say(this.#source, source(found));
    this.#expect(best.pv, state.xToMove);
    return undefined;
  }

  #finished({ result }) {
    this.#fill({ p1win: 1, p2win: -1 }[result] ?? 0, true);
    say(this.#words, { p1win: "X has won", p2win: "O has won" }[result] ?? "Drawn");
    say(this.#source, "");
    this.#expect([]);
  }

  #blank(words) {
    this.#fill(0, false);
    say(this.#words, words);
    say(this.#source, "");
    this.#expect([]);
  }

  // Building the buttons again would lose the focus, so a line that has not changed stays.
  #expect(moves, xToMove) {
    const now = [xToMove, ...moves].join(" ");
    if (now === this.#shown) return;
    this.#shown = now;
    this.#line.replaceChildren(...line(moves, xToMove));
  }

  #fill(forX, proven) {
    this.#bar.style.setProperty("--part", (1 + forX) / 2);
    this.#bar.dataset.state = proven ? "proven" : "open";
  }
}

function source({ best, kind, playouts, notes }) {
  if (kind === "playouts") return `${(playouts ?? best.trials).toLocaleString("en")} random games`;
  const note = notes.find((text) => text.startsWith("proved: "));
  if (note) return noteWords(note);
  return best.proven ? `proven, ${best.nodes.toLocaleString("en")} positions` : "by the tree search, after a second";
}

function line(moves, xToMove) {
  return moves.map((move, index) => {
    const stone = (index % 2 === 0) === xToMove ? "x" : "o";
    const chip = element("button", { type: "button", className: stone, textContent: `${stone.toUpperCase()} ${move}` });
    chip.dataset.move = move;
    return element("li", {}, [chip]);
  });
}
