// The game so far: a strip with one mark a move, and a list of the moves. A click on either jumps to that position.
//
// A mark shows the value after the move, seen by X: up is good for X, down for O. A move after which the value is worse
// for its player than before gave something away.

import { element, find, stoneDrawing } from "./dom.js";

const NAMES = { x: "X", o: "O" };

export class History {
  #strip = find("#strip");
  #list = find("#moves");
  #onJump;
  #shown = "";

  constructor(onJump) {
    this.#onJump = onJump;
    for (const place of [this.#strip, this.#list]) {
      place.addEventListener("click", (event) => {
        const button = event.target.closest("button");
        if (button) this.#onJump(Number(button.dataset.ply));
      });
    }
  }

  /** `outlook` returns the known value of the position after so many moves: { value, proven, plies } or nothing. */
  show(game, outlook) {
    const marks = game.states.map((state, ply) => describe(game, state, ply, outlook(ply)));
    for (const [ply, mark] of marks.entries()) mark.gave = ply > 0 && gaveAway(marks[ply - 1], mark);
    // Building the buttons again would lose the focus, so unchanged marks stay.
    const picture = JSON.stringify([marks, game.cursor]);
    if (picture === this.#shown) return;
    this.#shown = picture;
    const focused = document.activeElement?.dataset?.ply;
    const within = [this.#strip, this.#list].find((place) => place.contains(document.activeElement));
    this.#strip.replaceChildren(...marks.map((mark) => this.#column(mark, game.cursor)));
    this.#list.replaceChildren(...marks.slice(1).map((mark) => this.#row(mark, game.cursor)));
    if (within) within.querySelector(`button[data-ply="${focused}"]`)?.focus();
    for (const place of [this.#strip, this.#list]) reveal(place, place.querySelector("[aria-current]"));
  }

  #column(mark, cursor) {
    const bar = element("span", { className: "bar" }, [element("span", { className: "fill" })]);
    const { forX } = mark;
    bar.dataset.kind = mark.kind;
    if (forX !== undefined) {
      bar.style.setProperty("--up", Math.max(forX, 0));
      bar.style.setProperty("--down", Math.max(-forX, 0));
    }
    const button = this.#button(mark, cursor, [
      bar,
      element("span", { className: "who" }, mark.stone ? [stoneDrawing(mark.stone)] : ["start"]),
      element("span", { className: "left", textContent: mark.short }),
    ]);
    button.setAttribute("aria-label", [mark.title, mark.short, mark.words, mark.gave && "gave this away"].filter(Boolean).join(", "));
    return element("li", {}, [button]);
  }

  #row(mark, cursor) {
    const button = this.#button(mark, cursor, [
      element("span", { className: "number", textContent: `${mark.ply}.` }),
      element("span", { className: "move" }, [stoneDrawing(mark.stone), ` ${mark.move}`]),
      element("span", { className: "words", textContent: mark.words + (mark.gave ? " — a mistake" : "") }),
    ]);
    return element("li", {}, [button]);
  }

  #button(mark, cursor, children) {
    const button = element("button", { type: "button", className: mark.gave ? "gave" : "" }, children);
    button.dataset.ply = mark.ply;
    if (mark.ply === cursor) button.setAttribute("aria-current", "step");
    return button;
  }
}

/** Scroll a mark into view inside its strip, without scrolling the page. */
function reveal(place, button) {
  if (!button) return;
  const outer = place.getBoundingClientRect();
  const inner = button.getBoundingClientRect();
  if (inner.right > outer.right) place.scrollLeft += inner.right - outer.right + 8;
  if (inner.left < outer.left) place.scrollLeft -= outer.left - inner.left + 8;
  if (inner.bottom > outer.bottom) place.scrollTop += inner.bottom - outer.bottom;
  if (inner.top < outer.top) place.scrollTop -= outer.top - inner.top;
}

function describe(game, state, ply, outlook) {
  const move = game.moves[ply - 1];
  const stone = ply ? (game.states[ply - 1].xToMove ? "x" : "o") : "";
  const title = ply ? `move ${ply}, ${NAMES[stone]} ${move}` : "start";
  const mark = { ply, move, stone, title, xToMove: state.xToMove, kind: "open", short: "", words: "" };
  if (state.over) return { ...mark, ...ended(state) };
  if (!outlook?.proven && !outlook?.isEstimate) return mark;
  const forX = state.xToMove ? outlook.value : -outlook.value;
  if (!outlook.proven) return { ...mark, forX, kind: "guess", short: "~", words: "not proven" };
  if (forX === 0) return { ...mark, forX, kind: "draw", short: "=", words: "a draw" };
  const winner = forX > 0 ? "X" : "O";
  const words = outlook.plies === undefined ? `${winner} wins` : `${winner} wins in ${outlook.plies}`;
  return { ...mark, forX, kind: winner.toLowerCase(), short: `${winner}${outlook.plies ?? ""}`, words };
}

function ended({ result }) {
  if (result === "draw") return { forX: 0, kind: "draw", short: "=", words: "drawn" };
  const winner = result === "p1win" ? "X" : "O";
  return { forX: winner === "X" ? 1 : -1, kind: winner.toLowerCase(), short: `${winner}!`, words: `${winner} has won` };
}

/** True if the move to `after` made the value worse for its player, and both values are proven. */
function gaveAway(before, after) {
  const known = (mark) => mark.forX !== undefined && mark.kind !== "guess";
  if (!known(before) || !known(after)) return false;
  const sign = after.stone === "x" ? 1 : -1;
  return sign * after.forX < sign * before.forX;
}
