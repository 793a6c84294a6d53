#!/usr/bin/env node
// Holds the engine of the page without a server against the native one, without a browser. `scripts/check-web` runs it.
//
//   node scripts/check_page_engine.mjs FOLDER ENGINE
//
// FOLDER is what `scripts/build-page` makes. The exit code is 0 when every check has passed.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, native] = process.argv.slice(2);
if (!native) {
  console.error("usage: check_page_engine.mjs FOLDER ENGINE");
  process.exit(2);
}
// Node.js hands over a thousand messages of a channel before it looks at its clocks; browsers take turns.
globalThis.MessageChannel = class {
  port1 = { close() {} };
  port2 = { postMessage: () => setImmediate(() => this.port1.onmessage()) };
};
const { Engine } = await import(pathToFileURL(resolve(folder, "engine.js")));
const module = await WebAssembly.compile(readFileSync(resolve(folder, "engine.wasm")));
const POSITIONS = 500;
const TRACED = ["minimax", "alphabetasymmetryall", "negamax", "mcts", "montecarlo"];
const PLAYERS = ["auto", "perfect", "mcts", "uct", "montecarlo", "montecarlolimit", "alphabeta", "negamax", "alphabetasymmetry"];

let failures = 0;
async function check(name, work) {
  try {
    console.log(`ok    ${name}${(await work()) ?? ""}`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  ${name}\n      ${error.message}`);
  }
}

function equal(found, expected, words) {
  if (found !== expected) throw new Error(`${words}:\n      page    ${found}\n      native  ${expected}`);
}

/** The memory of the module that was started last. */
let memory;
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...wanted) => {
  const instance = await instantiate(...wanted);
  memory = instance.exports.memory;
  return instance;
};

/** The engine of the page, with the lines it says and a way to wait for one. */
async function open(...settings) {
  const said = [];
  const waiting = [];
  const hear = (line) => {
    said.push(line);
    if (waiting.length && line.startsWith(waiting[0].start)) waiting.shift().heard(line);
  };
  let ended;
  const end = new Promise((done) => (ended = done));
  const engine = await Engine.start(module, hear, (reason) => ended(reason ?? ""));
  const tell = (...lines) => {
    for (const line of lines) engine.receive(line);
  };
  tell(...settings.map((setting) => `setoption name ${setting}`));
  const hears = (start) => new Promise((heard) => waiting.push({ start, heard }));
  return { said, tell, hears, end };
}

/** The answers of the native engine to these lines. */
function answersThere(lines) {
  const engine = spawn(native, { stdio: ["pipe", "pipe", "inherit"] });
  engine.stdin.end([...lines, "query position", "wait", "quit", ""].join("\n"));
  let text = "";
  engine.stdout.on("data", (data) => (text += data));
  return new Promise((done) => engine.on("close", () => done(text.trimEnd().split("\n"))));
}

/** The lines that must be equal: without the speed and the reports of progress, which come with time. */
function comparable(lines) {
  const timeless = lines.map((line) => line.replace(/ (nps|time) \d+/g, ""));
  return timeless.filter((line, index) => !line.startsWith("info depth") || timeless[index + 1]?.startsWith("bestmove"));
}

/** Whole numbers below a bound, the same in every run. (Marsaglia, "Xorshift RNGs", 2003.) */
let state = 2463534242;
function below(bound) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % bound;
}

/** A position, a player and a search of it. */
function question(seed) {
  const [size, columns] = [3 + below(6), 3 + below(6)];
  const shorter = Math.min(size, columns);
  const connect = shorter > 5 ? 4 + below(shorter - 3) : 3 + below(shorter - 2);
  const cells = Array.from({ length: size * columns }, (_, cell) => `${Math.floor(cell / columns)},${cell % columns}`);
  const all = cells.length;
  const moves = Array.from({ length: below(Math.min(all - 3, 12)) }, () => cells.splice(below(cells.length), 1)[0]);
  const options = { size, columns, connect, reverse: below(2) === 1, player: PLAYERS[seed % PLAYERS.length], seed, Hash: 8, trials: 50 + below(3000) };
  const settings = Object.entries(options).map(([name, value]) => `setoption name ${name} value ${value}`);
  const trace = `trace ${TRACED[seed % TRACED.length]} events 300 trials 500`;
  // A trace of a textbook search goes on to the end of its tree, which has to be near.
  const traces = moves.length > 7 && all <= 16 ? [trace] : [];
  return [...settings, `position startpos moves ${moves.join(" ")}`, `go nodes ${1000 + below(5_000)} trials ${options.trials}`, "d", ...traces];
}

await check(`${POSITIONS} searches have equal answers`, async () => {
  const questions = Array.from({ length: POSITIONS }, (_, index) => question(index + 1));
  const lines = questions.flat();
  // One after the other: while the page's engine is busy here, nothing would read what the other says.
  const there = comparable(await answersThere(lines));
  const { said, tell, hears } = await open();
  const done = hears("response");
  tell(...lines, "query position");
  await done;
  const here = comparable(said);
  for (const [index, line] of here.entries()) equal(line, there[index], `line ${index + 1}`);
  equal(here.length, there.length, "the number of lines");
  const moves = here.filter((line) => line.startsWith("bestmove")).length;
  return `: ${moves} moves, ${here.length} lines`;
});

await check("a stop is answered soon, with what the search has found", async () => {
  const latest = [];
  for (const player of PLAYERS) {
    for (const [size, connect, reverse] of [[4, 4, true], [6, 4, true], [8, 5, false], [15, 5, false], [20, 10, true]]) {
      const game = [`size value ${size}`, `connect value ${connect}`, `reverse value ${reverse}`];
      const { tell, hears } = await open(...game, `player value ${player}`, "Hash value 64");
      const ready = hears("readyok");
      tell("isready");
      await ready;
      const moved = hears("bestmove");
      tell("go infinite");
      await new Promise((rest) => setTimeout(rest, 250));
      const begun = performance.now();
      tell("stop");
      const move = await moved;
      latest.push([performance.now() - begun, `${player} ${size}x${size}, ${connect}`]);
      if (!/^bestmove \d+,\d+$/.test(move)) throw new Error(`${player}: ${move}`);
      tell("quit");
    }
  }
  latest.sort(([one], [other]) => other - one);
  const [[worst, where]] = latest;
  if (worst > 1000) throw new Error(`${Math.round(worst)} ms: ${where}`);
  return `: ${latest[latest.length >> 1][0].toFixed(1)} ms in the median, ${worst.toFixed(1)} ms at most (${where})`;
});

await check("isready is answered while a search is suspended, and commands keep their order", async () => {
  const { said, tell, hears } = await open("size value 15", "player value montecarlo");
  const done = hears("response");
  tell("go infinite");
  await new Promise((rest) => setTimeout(rest, 50));
  tell("isready", "stop", "position startpos moves 0,0", "query position");
  equal(await done, `response x14${"/15".repeat(14)} o`, "the position");
  equal(said.filter((line) => /^(readyok|bestmove)/.test(line)).map((line) => line.split(" ")[0]).join(), "readyok,bestmove", "the order");
});

await check("memory stays near what Hash allows", async () => {
  const found = [];
  for (const hash of [1, 64, 256]) {
    const { tell, hears } = await open();
    const done = hears("response");
    for (const [player, size, connect] of [["perfect", 8, 5], ["mcts", 8, 5], ["negamax", 4, 4], ["auto", 15, 5]]) {
      const settings = [`Hash value ${hash}`, `size value ${size}`, `connect value ${connect}`, `player value ${player}`];
      tell(...settings.map((setting) => `setoption name ${setting}`), "go movetime 1000");
    }
    tell("query position");
    await done;
    tell("quit");
    const mebibytes = memory.buffer.byteLength / 2 ** 20;
    if (mebibytes > hash + 24) throw new Error(`${mebibytes} MiB with Hash ${hash}`);
    found.push(`${Math.round(mebibytes)} MiB with Hash ${hash}`);
  }
  return `: ${found.join(", ")}`;
});

await check("seed 0 takes the random numbers of the host", async () => {
  const moves = new Set();
  for (let session = 0; session < 12; session += 1) {
    const { tell, hears } = await open("size value 20", "player value random");
    const moved = hears("bestmove");
    tell("go");
    moves.add(await moved);
  }
  if (moves.size < 6) throw new Error(`12 sessions played ${moves.size} different moves`);
});

await check("quit ends the session, and lines that make no sense are refused", async () => {
  const { said, tell, end } = await open();
  tell("nonsense", "x".repeat(70_000), "setoption name Threads value 4", "setoption name Debug Log File value a.log", "quit");
  equal(await end, "", "the reason of the end");
  equal(said.filter((line) => line.startsWith("info string error: ")).length, 4, "errors");
});

process.exit(failures ? 1 : 0);
