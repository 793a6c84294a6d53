// Measures the speed of random games here: a small benchmark.

import { find, say } from "./dom.js";
import { readInfo } from "./notation.js";

const BOARDS = [
  { size: "3", connect: "3", words: "3x3" },
  { size: "8", connect: "5", words: "8x8, five in a row" },
];
/** Time of a run. The first one lets the browser compile what is run often, and does not count. */
const RUN_MS = 600;
const RUNS = 2;

export class Speed {
  #session;

  /** `onBegin` runs before the measurement, `onEnd` when the engine is free again. */
  constructor(session, { onBegin, onEnd }) {
    this.#session = session;
    find("#measure").addEventListener("click", async () => {
      onBegin();
      find("#measure").disabled = true;
      const figures = [];
      for (const board of BOARDS) {
        say(find("#measured"), `Measuring ${board.words} …`);
        figures.push([board, await this.#playoutsPerSecond(board)]);
      }
      find("#measure").disabled = false;
      const isWhole = figures.every(([, speed]) => speed);
      say(find("#measured"), isWhole ? `Random games a second: ${figures.map(figureWords).join("; ")}.` : "Not measured.");
      onEnd();
    });
  }

  async #playoutsPerSecond({ size, connect }) {
    let speed;
    for (let run = 0; run < RUNS; run += 1) {
      const request = this.#session.ask({
        options: { size, columns: "0", connect, reverse: "false", player: "montecarlo", level: "10", seed: "0" },
        position: "position startpos",
        lines: [`go movetime ${RUN_MS}`, "query position"],
      });
      const answer = await request.answer;
      // An answer that came late says nothing of the speed; the line before it does.
      speed = answer?.lines.map(readInfo).findLast((info) => info?.nps)?.nps;
    }
    return speed;
  }
}

const figureWords = ([{ words }, speed]) => `${words}: ${Number(speed.toPrecision(2)).toLocaleString("en")}`;
