// Searches in the background: the value of each move, found while no other request needs the engine. Every value comes
// from an info line.

import { readInfo } from "./notation.js";

const PAUSE_MS = 90;

/** The time that a Monte Carlo map takes when the reader has set no number of trials. */
const MAP_SECONDS = 0.2;
/** Trials of the first run on a board of unknown speed; also the fewest of a finished map. */
const FEWEST_TRIALS = 100;
/** More trials than these would hardly change a number on the squares. */
const MOST_TRIALS = 1_000_000;
/** The factor by which the trials of the next run grow, until the map is near its end. */
const GROWTH = 8;
/** A shorter run spends much of its time on its start, and tells little about the speed. */
const SHORTEST_MEASURE = MAP_SECONDS / 4;
/** On a board of unknown speed a map is finished if its trials differ from the fitting ones by no more than this factor. */
const CLOSE = 1.4;
/** Later the number of trials changes only if the fitting one differs by more than this factor. */
const TOLERANCE = 2;

const round = (number) => Number(number.toPrecision(2));
const ratio = (a, b) => Math.max(a / b, b / a);

/** In place of a number of nodes: the tree search estimates what the first proof has not proven. */
const ESTIMATE = "estimate";
/** The search is stopped after this time. Under a limit of time the engine may have none left to tell of all moves. */
const ESTIMATE_MS = 1000;
/** The tree search knows little about the moves that it has seldom visited, so this many of the best are shown. */
const MOST_ESTIMATES = 10;

/** The most squares of a board on which long proofs are tried. */
const PROVEN_SQUARES = 64;

/** The searches for exact values: a short proof, an estimate if it has not proven the value, and a long proof. */
export function exactStages({ rows, columns }) {
  const [short, long] = rows * columns <= PROVEN_SQUARES ? [20_000, 1_000_000] : [4_000, 40_000];
  return [short, ESTIMATE, long];
}

/** Numbers of trials that grow to `trials`, so that the reader sees the totals settle. */
function growingTrials(trials) {
  const numbers = [];
  for (let count = 10; count < trials; count *= count < 1000 ? 3 : 1.6) numbers.push(Math.round(count));
  return [...numbers, trials];
}

/** Chooses the trials of a Monte Carlo map from the speed that the engine reports, for each board on its own. */
export class MeasuredTrials {
  #trials = new Map();

  /** The trials of a map on this board; undefined before the first measurement. */
  of(board) {
    return this.#trials.get(board);
  }

  /** The trials of the first run on a position, few enough to be shown at once. */
  first(board) {
    return Math.max(round((this.of(board) ?? 0) / GROWTH ** 2), FEWEST_TRIALS);
  }

  /** Learn from a run of `asked` trials. Returns the trials of the next run, or undefined if the map is finished. */
  after(asked, info, board) {
    const seconds = info.nodes / info.nps;
    const fitting = Math.min(Math.max(round(info.trials * (MAP_SECONDS / seconds)), FEWEST_TRIALS), MOST_TRIALS);
    if (Number.isNaN(fitting)) return undefined;
    const isLong = seconds >= SHORTEST_MEASURE;
    const present = this.of(board);
    let wanted = present;
    if (!present) wanted = ratio(fitting, asked) > CLOSE ? fitting : asked;
    else if ((isLong || asked >= present) && ratio(fitting, present) > TOLERANCE) wanted = fitting;
    // Fewer trials than asked: a limit of the engine or of the server has ended the run, and would end the next one too.
    const isFinished = info.trials < asked || asked >= wanted;
    if (present || isLong || isFinished) this.#trials.set(board, wanted);
    if (isFinished) return undefined;
    return asked * GROWTH * 2 < wanted ? round(asked * GROWTH) : wanted;
  }
}

/** The exact values of a position, and the tree search's estimate where they are not proven. */
export function exactJob(game, ply, stages) {
  const options = { ...game.options, level: 10, tiebreak: "first", MultiPV: 400 };
  return {
    key: `exact ${JSON.stringify(game.rules)} ${game.states[ply].position}`,
    kind: "exact",
    position: game.positionLine(ply),
    home: game,
    budget: ({ stage }) => stages[stage],
    request: (stage) =>
      stage === ESTIMATE
        ? { options: { ...options, player: "mcts" }, line: "go infinite", stopAfter: ESTIMATE_MS }
        : { options: { ...options, player: "perfect" }, line: `go nodes ${stage}` },
    merge: (found, result, stage) => (stage === ESTIMATE ? estimated(found, result) : proved(found, result)),
  };
}

/** The results that a proof adds, without values guessed from random games: they would be noise on a large board. */
function proved({ stage, best: known, estimates }, { best, moves, notes }) {
  const isOpen = !best.proven;
  return { best: isOpen && estimates ? known : best, moves, notes, estimates: isOpen ? estimates : undefined, stage: stage + (isOpen || stage ? 1 : 2) };
}

/** The results that the tree search adds: the best move, and its value of the moves that it has visited most. */
function estimated({ stage, moves, notes }, { best, moves: visited }) {
  const proven = [...visited].filter(([, info]) => info.proven);
  const open = [...visited].filter(([move, info]) => !info.proven && !moves.get(move)?.proven);
  return {
    best: { ...best, isEstimate: true },
    moves: new Map([...moves, ...proven]),
    notes,
    estimates: new Map(open.slice(0, MOST_ESTIMATES)),
    stage: stage + 1,
  };
}

/**
 * The totals of flat Monte Carlo, with the options that the reader has set. Without `trials` among them, their number
 * comes from `measured`, for the board of this name.
 */
export function playoutJob(game, { trials, ...settings }, measured, board) {
  const options = { ...game.options, ...settings, player: "montecarlo", level: 10, tiebreak: "first", MultiPV: 400 };
  const job = {
    key: `playouts ${JSON.stringify(game.rules)} ${game.state.position} ${JSON.stringify({ trials, ...settings })}`,
    kind: "playouts",
    position: game.positionLine(),
    home: game,
    pause: PAUSE_MS,
  };
  if (trials) {
    const numbers = growingTrials(Number(trials));
    return {
      ...job,
      budget: ({ stage }) => numbers[stage],
      request: (count) => ({ options: { ...options, trials }, line: `go trials ${count}` }),
    };
  }
  return {
    ...job,
    budget: ({ stage, next }) => (stage ? next : measured.first(board)),
    request: (count) => ({ options: { ...options, trials: count }, line: "go" }),
    after: (asked, info) => measured.after(asked, info, board),
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

  /** The results so far: `best`, `moves`, `notes`, `kind`, and `estimates` of moves that are not proven; or undefined. */
  of(job) {
    const found = this.#found.get(job.key);
    return found?.best ? found : undefined;
  }

  /** Run these jobs, in this order, and no others. */
  want(jobs) {
    this.#jobs = jobs;
    if (this.#running && this.#running.key !== this.#pick()?.job.key) this.#running.request?.cancel();
    this.#work();
  }

  /** The first job that is not finished, and the nodes or trials of its next run. */
  #pick() {
    for (const job of this.#jobs) {
      const found = this.#found.get(job.key) ?? { stage: 0 };
      const budget = found.settled ? undefined : job.budget(found);
      if (budget !== undefined) return { job, found, budget };
    }
    return null;
  }

  async #work() {
    if (this.#running) return;
    for (let next = this.#pick(); next; next = this.#pick()) {
      const { job } = next;
      this.#running = { key: job.key };
      const finished = await this.#stage(next);
      if (finished && job.pause) await new Promise((resolve) => setTimeout(resolve, job.pause));
      this.#running = null;
      // After a request in the foreground the next try waits its turn. Without an engine there is no next try.
      if (!finished && !this.#session.isOpen) return;
    }
  }

  async #stage({ job, found, budget }) {
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
        // Progress of a long search: it tells only about the best move.
        this.#found.set(job.key, { ...found, playouts: info.trials });
        this.#onChange(job.key);
      }
      if (!info.multipv) best = info;
    };
    // The engine is left on the position that is on the board.
    const { options, line, stopAfter } = job.request(budget);
    const lines = [line];
    if (job.position !== job.home.positionLine()) lines.push(job.home.positionLine());
    lines.push("query position");
    const request = this.#session.ask({ options, position: job.position, lines, onLine, background: true });
    this.#running.request = request;
    const timer = stopAfter && setTimeout(() => this.#session.shorten(request), stopAfter);
    const answer = await request.answer;
    clearTimeout(timer);
    if (!answer) return false;
    if (!best) {
      // The engine has refused the request and would refuse it again. The protocol log shows the error.
      this.#found.set(job.key, { stage: 0, settled: true });
      return true;
    }
    const next = job.after?.(budget, best);
    const result = job.merge?.(found, { best, moves, notes }, budget) ?? { best, moves, notes, stage: found.stage + 1 };
    const settled = result.best.proven && [...result.moves.values()].every((info) => info.proven);
    this.#found.set(job.key, { ...result, next, settled, kind: job.kind });
    this.#onChange(job.key);
    return true;
  }
}
