// The line above the board: the last move, the side to move, the result.

import { readPosition } from "./notation.js";

/** `button` is the text of the button that an engine waits for, if it does. */
export function statusWords(game, sides, thinking, button) {
  const { state } = game;
  const last = game.cursor ? `${stoneAt(game, game.cursor - 1)} played ${game.moves[game.cursor - 1]}. ` : "";
  if (state.over) return last + resultWords(state, sides);
  const mover = stoneAt(game, game.cursor);
  const side = sides[game.stone];
  if (side.isPerson) {
    const alone = Object.values(sides).some((other) => !other.isPerson);
    return last + (alone ? `Your turn, ${mover}` : `${mover} to move`);
  }
  if (thinking) return `${last}${mover} is thinking${thinkingWords(thinking)}`;
  return `${last}${mover} (${side.name}) to move${button ? `: press ${button}` : ""}`;
}

const thinkingWords = ({ seconds }) => (seconds ? `, ${seconds === 1 ? "about a second" : `at most ${seconds} seconds`}` : "");

const stoneAt = (game, ply) => (game.states[ply].xToMove ? "X" : "O");

function resultWords({ result, line, position }, sides) {
  if (result === "draw") return "A draw";
  const [winner, loser] = result === "p1win" ? ["x", "o"] : ["o", "x"];
  const isAlone = sides.x.isPerson !== sides.o.isPerson;
  const words = isAlone ? (sides[winner].isPerson ? "You win" : "You lost") : `${winner.toUpperCase()} wins`;
  if (!line.length) return words;
  const [row, column] = line[0].split(",");
  const isReverse = readPosition(position)[row][column] === loser;
  if (!isReverse) return words;
  const owner = isAlone && sides[loser].isPerson ? "you" : loser.toUpperCase();
  return `${words}: ${owner} completed a line`;
}
