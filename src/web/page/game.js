// The game: a start, the moves, and what the engine says about each position. The legal moves, the side to move and the
// result come from the engine's answers to `query`; a move is legal when the engine accepts it.

import { errorText, LOST } from "./session.js";

const QUESTIONS = ["p1turn", "gameover", "result", "position", "moves", "line"];
/** The rules of a link that names none, as the engine's options: `size` has the rows, and 0 columns are as many as rows. */
export const USUAL_RULES = { size: "3", columns: "0", connect: "0", reverse: "false" };
/** The game of a link that names none. */
export const USUAL_GAME = { rules: USUAL_RULES, start: "startpos", moves: [], undone: [] };

/** Rows and columns of the board of these rules. */
export const shapeOf = ({ size, columns }) => ({ rows: Number(size), columns: Number(columns) || Number(size) });

const words = (text) => text.split(" ").filter(Boolean);

export class Game {
  rules = USUAL_RULES;
  start = "startpos";
  moves = [];
  /** The engine's answers about the position after each number of moves. */
  states = [];
  cursor = 0;
  counted = false;

  constructor(session) {
    this.session = session;
  }

  get state() {
    return this.states[this.cursor];
  }

  get stone() {
    return this.state.xToMove ? "x" : "o";
  }

  /** The engine's options for this game. */
  get options() {
    return { UCI_Variant: "noughts", ...this.rules };
  }

  positionLine(ply = this.cursor, further = []) {
    return line(this.start, [...this.moves.slice(0, ply), ...further]);
  }

  /** Load a game, and ask about all its positions. Returns the engine's error, or nothing. */
  async load(rules, start = "startpos", moves = []) {
    const options = { UCI_Variant: "noughts", ...rules };
    // The whole game first: a game that the engine refuses may be very long.
    const whole = await this.session.ask({ options, lines: [line(start, moves), "query position"] }).answer;
    if (!whole) return LOST;
    if (whole.errors.length) return errorText(whole.errors[0]);
    const lines = [line(start, []), "d"];
    for (let ply = 0; ply <= moves.length; ply += 1) lines.push(line(start, moves.slice(0, ply)), ...questions());
    const answer = await this.session.ask({ options, lines }).answer;
    if (!answer) return LOST;
    Object.assign(this, { rules: { ...rules }, start, moves, cursor: moves.length, counted: false });
    this.rulesWords = answer.lines.find((text) => text.startsWith("rules "))?.slice(6).trim() ?? "";
    this.states = [];
    while (this.states.length <= moves.length) this.states.push(readState(answer.responses.splice(0, QUESTIONS.length)));
    return undefined;
  }

  /** Take a link's game. Returns the engine's error, or nothing. */
  async open({ rules, start, moves, undone }) {
    const refusal = await this.load(rules, start, [...moves, ...undone]);
    if (!refusal) await this.jump(moves.length);
    return refusal;
  }

  /** Become the same game as another one. */
  copy({ rules, rulesWords, start, moves, states, cursor }) {
    Object.assign(this, { rules, rulesWords, start, moves: [...moves], states: [...states], cursor });
  }

  /** Play a move in the position at the cursor. Returns the engine's error, or nothing. */
  async play(move) {
    const ply = this.cursor;
    const answer = await this.session.ask({
      options: this.options,
      lines: [this.positionLine(ply, [move]), ...questions()],
    }).answer;
    if (!answer) return LOST;
    if (answer.errors.length) return errorText(answer.errors[0]);
    // Repeating the next move of the record keeps the moves after it.
    if (this.moves[ply] !== move) {
      this.moves = [...this.moves.slice(0, ply), move];
      this.states = this.states.slice(0, ply + 1);
      this.states.push(readState(answer.responses));
    }
    this.cursor = ply + 1;
    return undefined;
  }

  /** Put the cursor and the engine on the position after `ply` moves. */
  async jump(ply) {
    this.cursor = Math.max(0, Math.min(ply, this.moves.length));
    await this.session.ask({ options: this.options, position: this.positionLine(), lines: ["query position"] }).answer;
  }
}

const line = (start, moves) => `position ${start}${moves.length ? ` moves ${moves.join(" ")}` : ""}`;
const questions = () => QUESTIONS.map((question) => `query ${question}`);

function readState([turn, over, result, position, moves, completed]) {
  return {
    position,
    xToMove: turn === "true",
    over: over === "true",
    result,
    legal: new Set(words(moves)),
    line: completed === "none" ? [] : words(completed),
  };
}
