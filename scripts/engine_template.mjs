#!/usr/bin/env node
// Write choose(), and this is an engine that speaks the Noughts protocol, for any size and any rules.

import { createInterface } from "node:readline";

/** The [row, column] to play: board is rows of "x", "o" and ".", side is who moves, "x" or "o".
 *
 * The player that gets connect in a row wins, or loses if reverse is true. */
function choose(board, _side, _connect, _reverse) {
  const row = board.findIndex((cells) => cells.includes("."));
  return [row, board[row].indexOf(".")];
}

const rules = { size: 3, columns: 0, connect: 0, reverse: false };
let [board, side] = setUp(["startpos"]);

/** The board and the side to move after "startpos" or "fen BOARD SIDE", perhaps with "moves" and moves behind it. */
function setUp(words) {
  const stop = words.includes("moves") ? words.indexOf("moves") : words.length;
  const [text = Array(rules.size).fill(rules.columns || rules.size).join("/"), mover] = words.slice(1, stop);
  const rows = text.split("/").map((row) => [...row.replace(/\d+/g, (run) => ".".repeat(run))]);
  const count = (stone) => rows.flat().filter((cell) => cell === stone).length;
  let next = mover ?? (count("o") < count("x") ? "o" : "x");
  for (const [row, column] of words.slice(stop + 1).map((move) => move.split(","))) {
    rows[row][column] = next;
    next = next === "x" ? "o" : "x";
  }
  return [rows, next];
}

for await (const line of createInterface(process.stdin)) {
  const [command, ...words] = line.trim().toLowerCase().split(/\s+/);
  if (command === "ugi" || command === "uci") {
    console.log("id name Template\noption name size type spin default 3 min 1 max 20");
    console.log("option name columns type spin default 0 min 0 max 20");
    console.log("option name connect type spin default 0 min 0 max 400");
    console.log(`option name reverse type check default false\n${command}ok`);
  } else if (command === "isready") {
    console.log("readyok");
  } else if (command === "setoption" && words.some((word) => word in rules)) {
    rules[words.find((word) => word in rules)] = JSON.parse(words.at(-1));
    [board, side] = setUp(["startpos"]);
  } else if (command === "position") {
    [board, side] = setUp(words);
  } else if (command === "go") {
    const isFull = !board.flat().includes(".");
    const connect = rules.connect || Math.min(board.length, board[0].length);
    console.log("bestmove", isFull ? "(none)" : choose(board, side, connect, rules.reverse).join());
  } else if (command === "quit") {
    process.exit();
  }
}
