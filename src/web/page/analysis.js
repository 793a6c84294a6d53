// What positions are worth, found out while nobody else needs the engine. Every value is one that an info line said.

import { readInfo } from "./notation.js";

const PAUSE_MS = 90;

/** Nodes that a proof is given, a quick look first. */
export function proofBudgets(size) {
  return size <= 8 ? [20_000, 1_000_000] : [4_000, 40_000];
}

/** Numbers of playouts that grow to `trials`, so that one sees the totals settle. */
function playoutBudgets(trials) {
  const budgets = [];
  for (let count = 10; count < trials; count *= count < 1000 ? 3 : 1.6) budgets.push(Math.round(count));
  return [...budgets, trials];
}

/** The proof of a position: what `go` with all moves says under `player perfect`. */
export function exactJob(game, ply, budgets) {
  return {
    key: `exact ${JSON.stringify(game.rules)} ${game.states[ply].position}`,
    kind: "exact",
    position: game.positionLine(ply),
    home: game,
    options: { ...game.options, player: "perfect", level: 10, tiebreak: "first", MultiPV: 400 },
    stages: budgets.map((nodes) => `go nodes ${nodes}`),
  };
}

/** The totals of flat Monte Carlo, with what the person set for it. */
export function playoutJob(game, settings) {
  return {
    key: `playouts ${JSON.stringify(game.rules)} ${game.state.position} ${JSON.stringify(settings)}`,
    kind: "playouts",
    position: game.positionLine(),
    home: game,
    options: { ...game.options, ...settings, player: "montecarlo", level: 10, tiebreak: "first", MultiPV: 400 },
    stages: playoutBudgets(Number(settings.trials)).map((trials) => `go trials ${trials}`),
    pause: PAUSE_MS,
  };
}

export class Analysis {
  #session;
  #onChange;
  #found = new Map();
  #jobs = [];
  #running = null;

  constructor(session, onChange) {
    this.#session = session;
    this.#onChange = onChange;
  }

  /** What is known by now: `best`, `moves`, `notes`, `done`; or undefined. */
  of(job) {
    const found = this.#found.get(job.key);
    return found?.best ? found : undefined;
  }

  /** These jobs, in this order, and no others. */
  want(jobs) {
    this.#jobs = jobs;
    if (this.#running && this.#running.key !== this.#pick()?.job.key) this.#running.request?.cancel();
    this.#work();
  }

  #pick() {
    for (const job of this.#jobs) {
      const found = this.#found.get(job.key) ?? { stage: 0 };
      if (!found.settled && found.stage < job.stages.length) return { job, found };
    }
    return null;
  }

  async #work() {
    if (this.#running) return;
    for (let next = this.#pick(); next; next = this.#pick()) {
      const { job, found } = next;
      this.#running = { key: job.key };
      const finished = await this.#stage(job, found);
      if (finished && job.pause) await new Promise((resolve) => setTimeout(resolve, job.pause));
      this.#running = null;
      // When somebody else wanted the engine, the next try waits behind them; without an engine there is none.
      if (!finished && !this.#session.isOpen) return;
    }
  }

  async #stage(job, found) {
    const moves = new Map();
    const notes = [];
    let best = null;
    const onLine = (line) => {
      const info = readInfo(line);
      if (line.startsWith("info string ") && !line.startsWith("info string error")) notes.push(line.slice(12));
      if (!info) return;
      if (info.multipv) {
        if (info.pv.length) moves.set(info.pv[0], info);
      } else if (found.best && info.trials > found.best.trials) {
        // Progress of a long search: only what it says of the best move is known yet.
        this.#found.set(job.key, { ...found, playouts: info.trials });
        this.#onChange(job.key);
      }
      if (!info.multipv) best = info;
    };
    // The engine is left on the position that is on the board.
    const lines = [job.stages[found.stage]];
    if (job.position !== job.home.positionLine()) lines.push(job.home.positionLine());
    lines.push("query position");
    const request = this.#session.ask({ options: job.options, position: job.position, lines, onLine, background: true });
    this.#running.request = request;
    const answer = await request.answer;
    if (!answer) return false;
    if (!best) {
      // Refused: the error line has been shown, and asking again would not help.
      this.#found.set(job.key, { stage: 0, settled: true });
      return true;
    }
    const settled = best.proven && [...moves.values()].every((info) => info.proven);
    this.#found.set(job.key, { best, moves, notes, stage: found.stage + 1, settled, kind: job.kind });
    this.#onChange(job.key);
    return true;
  }
}
