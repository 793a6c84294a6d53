// The score of the two sides. It is cleared when the players or the rules change.

import { find, say } from "./dom.js";

export class Score {
  #points = { x: 0, draws: 0, o: 0 };

  clear() {
    this.#points = { x: 0, draws: 0, o: 0 };
  }

  get games() {
    return Object.values(this.#points).reduce((sum, points) => sum + points);
  }

  /** Count a finished game, once, even if its last move is played again. */
  count(game) {
    if (!game.state.over || game.counted) return;
    game.counted = true;
    this.#points[{ p1win: "x", p2win: "o" }[game.state.result] ?? "draws"] += 1;
  }

  show(sides) {
    const { games } = this;
    for (const [key, points] of Object.entries(this.#points)) say(find(`#score-${key}`), String(points));
    for (const [stone, side] of Object.entries(sides)) {
      say(find(`#score-${stone}-name`), `${stone.toUpperCase()}, ${side.name}`);
    }
    say(find("#score-games"), games ? `${games} ${games === 1 ? "game" : "games"} finished.` : "No game finished yet.");
  }
}
