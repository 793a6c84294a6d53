// The nodes that each textbook search needs for the same position, as bars.

import { element, find, say } from "./dom.js";
import { readInfo } from "./notation.js";
import { COUNTED, hasTable } from "./searches.js";

/** A search with more nodes than these is not counted to its end. */
const MOST = 2_000_000;

export class Counts {
  #session;
  #game;
  #rows = new Map();
  /** Counts by position: { name: nodes }. */
  #known = new Map();
  #request = null;

  /** `onChoose` gets the name of the search that was clicked. */
  constructor(session, game, onChoose) {
    this.#session = session;
    this.#game = game;
    const rows = COUNTED.map(({ name, title }) => {
      const bar = element("span", { className: "amount" }, [element("span", { className: "whole" }), element("span", { className: "part" })]);
      const number = element("span", { className: "number" });
      const button = element("button", { type: "button" }, [element("span", { className: "name", textContent: title }), bar, number]);
      button.addEventListener("click", () => onChoose(name));
      this.#rows.set(name, { button, bar, number });
      return element("li", {}, [button]);
    });
    find("#counts").replaceChildren(...rows);
  }

  /** Count the nodes of all searches in the position of the game, unless they are known. Nothing waits for it. */
  async count(key) {
    const known = this.#known.get(key) ?? {};
    this.#known.set(key, known);
    for (const { name } of COUNTED) {
      if (known[name] !== undefined) continue;
      this.#request?.cancel();
      const request = this.#session.ask({
        options: { ...this.#game.options, player: name, level: 10, tiebreak: "first", MultiPV: 1 },
        position: this.#game.positionLine(),
        lines: [`go nodes ${MOST}`, "query position"],
        background: true,
      });
      this.#request = request;
      const answer = await request.answer;
      if (!answer) return;
      const nodes = answer.lines.map(readInfo).findLast((info) => info && !info.multipv)?.nodes;
      if (nodes === undefined) return;
      known[name] = nodes;
      this.onChange?.();
    }
  }

  cancel() {
    this.#request?.cancel();
  }

  /** Show the counts of a position, and how far the search that is watched has come. */
  show(key, watched, entered) {
    const known = this.#known.get(key) ?? {};
    const most = Math.max(1, entered, ...Object.values(known));
    for (const [name, { button, bar, number }] of this.#rows) {
      const nodes = known[name];
      button.setAttribute("aria-pressed", String(name === watched));
      bar.style.setProperty("--whole", (nodes ?? 0) / most);
      bar.style.setProperty("--part", name === watched ? entered / most : 0);
      say(number, nodes === undefined ? "…" : nodes >= MOST ? `> ${MOST.toLocaleString("en")}` : nodes.toLocaleString("en"));
    }
    say(find("#counts-words"), saving(known, watched) + tableWords(known[watched], watched, this.#session.option("Hash")));
  }
}

/** A search that fills its table begins to search positions again. */
function tableWords(nodes, watched, hash) {
  return nodes >= MOST && hasTable(watched) ? ` Its table has ${hash} MiB here; if that is too small, positions are searched again.` : "";
}

function saving(known, watched) {
  const [all, own] = [known.minimax, known[watched]];
  if (!all || !own || watched === "minimax" || all >= MOST) return "Nodes of each search from this position. Click one to watch it.";
  const share = own / all;
  const percent = share < 0.1 ? (100 * share).toFixed(1) : Math.round(100 * share);
  return `${percent}% of the nodes of minimax. Click another search to watch it.`;
}
