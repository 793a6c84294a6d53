// Why a move was right or wrong, and why a position has its value: the answer to `explain`.

import { element, find } from "./dom.js";
import { errorText } from "./session.js";

export class Why {
  #session;
  #game;
  #request = null;

  /** `onBegin` runs before a request, `onEnd` when the engine is free again. */
  constructor(session, game, { onBegin, onEnd }) {
    this.#session = session;
    this.#game = game;
    this.onBegin = onBegin;
    this.onEnd = onEnd;
    find("#why-position").addEventListener("click", () => this.#ask(game.cursor, "explain"));
    find("#why-move").addEventListener("click", () => this.#ask(game.cursor - 1, `explain ${game.moves[game.cursor - 1]}`));
  }

  get isBusy() {
    return this.#request !== null;
  }

  cancel() {
    this.#request?.cancel();
  }

  async #ask(ply, question) {
    if (!this.#game.state) return;
    this.cancel();
    this.onBegin();
    show(["Searching …"]);
    const request = this.#session.ask({
      options: this.#game.options,
      position: this.#game.positionLine(ply),
      // The engine is left on the position that is on the board.
      lines: [question, this.#game.positionLine(), "query position"],
    });
    this.#request = request;
    const answer = await request.answer;
    if (this.#request !== request) return;
    this.#request = null;
    const words = answer?.lines.filter((line) => !/^(response|info) /.test(line)) ?? [];
    show([...words, ...(answer?.errors.map(errorText) ?? [])]);
    this.onEnd();
  }
}

/** Sentences may wrap; the lines of a board may not. */
function show(lines) {
  find("#why").replaceChildren(
    ...lines.map((text) => {
      const drawing = /^[ \d]{2}/.test(text) && !/^ {10}/.test(text);
      return element("div", { textContent: text || "\u00a0", className: drawing ? "drawing" : "" });
    }),
  );
}
