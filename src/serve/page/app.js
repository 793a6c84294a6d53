// The page as a whole: what a click leads to, and what is shown of it.

import { readAddress, writeAddress } from "./address.js";
import { Analysis, exactJob, playoutJob, proofBudgets } from "./analysis.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { find, say } from "./dom.js";
import { Drawer } from "./drawer.js";
import { Game } from "./game.js";
import { History } from "./history.js";
import { readPosition } from "./notation.js";
import { Outlook } from "./outlook.js";
import { Score } from "./score.js";
import { errorText, Session } from "./session.js";
import { optionField, Side } from "./sides.js";
import { statusWords } from "./status.js";
import { Why } from "./why.js";

const SPEEDS = [
  ["slow", 1500],
  ["gentle", 800],
  ["steady", 350],
  ["brisk", 80],
  ["at once", 0],
];
const AGAINST_PERSON_MS = 250;
const LEGENDS = {
  off: "Switch them on to see what every move is worth.",
  exact: "▲ W3: win in 3 plies · ■ D: draw · ▼ L4: loss in 4 · ? not proven. Outlined: best, dashed: a guess.",
  playouts: "Totals of random games: ▲ good, ▼ bad for the side to move. Outlined: highest.",
};

const connection = new Connection();
const session = new Session(connection);
const game = new Game(session);
const analysis = new Analysis(session, () => draw());
const outlook = new Outlook();
const history = new History((ply) => act(() => game.jump(ply)));
const board = new Board(find("#board"), { onMove: personPlays, onKey: boardKey });
const why = new Why(session, game, { onBegin: () => analysis.want([]), onEnd: () => research() });
new Drawer(connection, typed);

const sides = {};
const settings = {};
const score = new Score();
const match = { left: 0 };

/** Engines play on only while nobody has stopped them. */
let paused = true;
/** Every change of the position gets a number; what was begun under another one is no longer wanted. */
let turn = 0;
let thinking = null;
/** The game is asked for one change at a time. */
let changes = Promise.resolve();

connection.addEventListener("open", begin);
connection.addEventListener("close", () => {
  turn += 1;
  thinking = null;
  find("#lost").hidden = false;
  say(find("#status"), "Not connected");
  draw();
});
find("#reconnect").addEventListener("click", () => connection.open());
// A page that is left takes its session along, searches and all.
addEventListener("pagehide", () => connection.close());
addEventListener("pageshow", (event) => event.persisted && connection.open());
addEventListener("hashchange", () => act(openAddress));
connection.open();

async function begin() {
  find("#lost").hidden = true;
  const declared = await session.introduce();
  if (!declared) return;
  if (!sides.x) build(declared);
  if (game.state) await act(() => game.jump(game.cursor));
  else await act(openAddress);
}

function build(declared) {
  const sideSettings = { check, onChange: sidesChanged };
  sides.x = new Side("x", find("#side-x"), declared, { ...sideSettings, player: "person", level: 5 });
  sides.o = new Side("o", find("#side-o"), declared, { ...sideSettings, player: "auto", level: 5 });
  for (const name of ["size", "connect"]) {
    settings[name] = optionField(declared.get(name), { id: name, onChange: (_, value) => changeRules({ [name]: value }) });
    find("#rules").append(settings[name].field);
  }
  find("#reverse").addEventListener("change", ({ target }) => changeRules({ reverse: String(target.checked) }));
  settings.seed = optionField(declared.get("seed"), { id: "seed", onChange: (_, seed) => check({ seed }) });
  settings.seconds = optionField(
    { name: "Seconds a move (perfect, textbooks)", type: "spin", value: "2", min: 1, max: 600 },
    { id: "seconds", onChange: async () => true },
  );
  find("#general").append(settings.seed.field, settings.seconds.field);
  for (const name of ["trials", "score_current", "score_other"]) {
    const onChange = async (option, value) => {
      const accepted = await check({ [option]: value });
      queueMicrotask(research);
      return accepted;
    };
    settings[name] = optionField(declared.get(name), { id: `values-${name}`, onChange });
    find("#playout-settings").append(settings[name].field);
  }
  settings.trials.set("100000");
}

// What a person does

function inOrder(change) {
  const result = changes.then(change);
  changes = result.catch(() => {});
  return result;
}

/** Do something to the game; whatever was going on for the position before ends. */
async function act(change) {
  turn += 1;
  thinking?.cancel();
  why.cancel();
  thinking = null;
  analysis.want([]);
  match.left = 0;
  paused = true;
  complain("");
  const mine = turn;
  const error = await inOrder(change);
  if (error) complain(error);
  if (mine === turn) settle();
  else draw();
}

async function personPlays(move) {
  if (!game.state) return;
  if (thinking || (!game.state.over && !sides[game.stone].isPerson)) {
    complain(`${game.stone.toUpperCase()} is played by ${sides[game.stone].name}.`);
    return;
  }
  const ply = game.cursor;
  await act(async () => {
    // A second click that was meant for the same turn.
    if (game.cursor !== ply) return undefined;
    const error = await game.play(move);
    if (!error) score.count(game);
    paused = Boolean(error);
    return error;
  });
}

function newGame() {
  return act(async () => {
    const error = await game.load(game.rules);
    paused = bothEngines();
    return error;
  });
}

async function changeRules(changed) {
  let refused;
  await act(async () => {
    const rules = { ...game.rules, ...changed };
    refused = await game.load(rules);
    if (!refused) {
      newScore();
      paused = bothEngines();
    }
    return refused;
  });
  return !refused;
}

function undo() {
  return act(() => game.jump(step(-1)));
}

function redo() {
  return act(() => game.jump(step(1)));
}

/** The next ply in a direction at which a person is to move or the game is at an end of its record. */
function step(direction) {
  let ply = game.cursor + direction;
  if (Object.values(sides).every((side) => !side.isPerson)) return ply;
  while (ply > 0 && ply < game.moves.length && !sides[game.states[ply].xToMove ? "x" : "o"].isPerson) ply += direction;
  // Going back to a start that an engine has to play from would only make it play the same again.
  if (direction < 0 && ply <= 0 && !sides[game.states[0].xToMove ? "x" : "o"].isPerson) return Math.max(game.cursor - 1, 0);
  return ply;
}

function boardKey(key) {
  const action = { u: undo, r: redo, n: newGame, v: nextValues }[key.toLowerCase()];
  action?.();
  return Boolean(action);
}

function goOn() {
  if (thinking && !bothEngines()) {
    connection.send("stop");
    return;
  }
  if (paused) {
    paused = false;
    complain("");
    if (game.state.over) nextGame();
    else settle();
  } else {
    const { left } = match;
    act(async () => {});
    match.left = left;
  }
}

async function playMatch() {
  if (match.left) {
    act(async () => {});
    return;
  }
  const games = Math.max(1, Math.round(Number(find("#games").value) || 1));
  await act(async () => {
    const error = await game.load(game.rules);
    if (error) return error;
    match.left = games;
    match.all = games;
    paused = false;
    return undefined;
  });
}

function sidesChanged() {
  newScore();
  if (!game.state) return;
  act(async () => {});
}

async function typed(line) {
  const answer = await session.type(line);
  if (!answer) return;
  const rules = Object.fromEntries(Object.keys(game.rules).map((name) => [name, session.option(name)]));
  const changed = JSON.stringify(rules) !== JSON.stringify(game.rules);
  if (answer.position === game.state?.position && !changed) return;
  // Whoever types a position or a rule wants to see it.
  act(() => game.load({ ...rules, size: String(readPosition(answer.position).length) }, `fen ${answer.position}`));
}

// What follows from it

/** The position has changed: show it, count it, and let the engine move if it is to. */
function settle() {
  if (!game.state) return;
  writeAddress(game, sides);
  draw();
  research();
  if (!paused && !game.state.over && !sides[game.stone].isPerson) think();
}

async function think() {
  const mine = turn;
  const side = sides[game.stone];
  const begun = performance.now();
  const seconds = Number(settings.seconds.input.value) || 2;
  thinking = session.ask({
    options: { ...game.options, ...side.options, seed: seed() },
    position: game.positionLine(),
    lines: [side.go(seconds), "query position"],
  });
  draw();
  const answer = await thinking.answer;
  if (mine !== turn) return;
  thinking = null;
  const move = answer?.lines.find((line) => line.startsWith("bestmove "))?.slice(9);
  if (!move || move === "(none)") {
    paused = true;
    if (answer?.errors.length) complain(errorText(answer.errors[0]));
    draw();
    return;
  }
  await rest((bothEngines() ? pace() : AGAINST_PERSON_MS) - (performance.now() - begun));
  if (mine !== turn) return;
  analysis.want([]);
  const error = await inOrder(() => (mine === turn ? game.play(move) : undefined));
  if (mine !== turn) return;
  turn += 1;
  if (error) {
    paused = true;
    complain(error);
  }
  score.count(game);
  settle();
  if (!game.state.over) return;
  if (match.left > 1) nextGame();
  else match.left = 0;
  // The last game of a match may be looked at like any other.
  if (!match.left) paused = true;
  research();
  draw();
}

async function nextGame() {
  const mine = turn;
  await rest(2 * pace());
  if (mine !== turn) return;
  analysis.want([]);
  match.left -= 1;
  await inOrder(() => (mine === turn ? game.load(game.rules) : undefined));
  if (mine !== turn) return;
  turn += 1;
  settle();
}

let seeded = 0;
/** With a seed, the n-th move asked for has the n-th seed from there: the same match again, but not the same game. */
function seed() {
  const first = Number(settings.seed.input.value);
  if (!first) return 0;
  const max = Number(settings.seed.input.max);
  seeded += 1;
  return ((first + seeded - 2) % max) + 1;
}

function newScore() {
  score.clear();
  seeded = 0;
}

/** Wanted values: those on the board first, then those of the game so far, the latest first. */
function jobs() {
  const budgets = proofBudgets(Number(game.rules.size));
  const list = [];
  const mode = valuesMode();
  if (!game.state.over && mode === "exact") list.push(exactJob(game, game.cursor, budgets));
  if (!game.state.over && mode === "playouts") list.push(playoutJob(game, playoutSettings()));
  if (revealed()) {
    for (let ply = game.moves.length; ply >= 0; ply -= 1) {
      if (!game.states[ply].over) list.push(exactJob(game, ply, budgets.slice(0, 1)));
    }
  }
  return list;
}

function research() {
  if (!game.state || thinking || why.isBusy || rushed()) return;
  analysis.want(jobs());
}

/** Values would spoil a game for who did not ask for them, until it is over. */
function revealed() {
  return valuesMode() !== "off" || game.states.at(-1)?.over;
}

// What is shown

let drawing = false;
/** Draw soon, and once however much has changed. */
function draw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    if (game.state) drawNow();
  });
}

function drawNow() {
  const { state } = game;
  const mode = valuesMode();
  const budgets = proofBudgets(Number(game.rules.size));
  const proof = (ply) => analysis.of(exactJob(game, ply, budgets));
  const found = mode === "playouts" ? analysis.of(playoutJob(game, playoutSettings())) : proof(game.cursor);
  const personToMove = !state.over && sides[game.stone].isPerson;
  board.show(state, {
    lastMove: game.moves[game.cursor - 1],
    found: mode === "off" ? undefined : found,
    stone: personToMove ? game.stone : undefined,
  });
  outlook.show({ state, found, hidden: !revealed(), rushed: rushed() });
  history.show(game, (ply) => (revealed() ? proof(ply)?.best : undefined));
  say(find("#rules-words"), game.rulesWords);
  const words = connection.isOpen ? statusWords(game, sides, thinking) : "Not connected";
  say(find("#status"), words);
  // Two engines play faster than anybody could listen; their results are told by the score.
  find("#status").setAttribute("aria-live", bothEngines() && !paused && !state.over ? "off" : "polite");
  say(find("#legend"), LEGENDS[mode]);
  document.title = `${words} – Noughts`;
  find("#undo").disabled = game.cursor === 0;
  find("#redo").disabled = game.cursor === game.moves.length;
  find("#why-move").disabled = game.cursor === 0;
  const reason = goOnWords();
  find("#go-on").classList.toggle("away", !reason);
  find("#go-on").disabled = !reason;
  if (reason) say(find("#go-on"), reason);
  for (const name of ["size", "connect"]) {
    if (document.activeElement !== settings[name].input) settings[name].set(game.rules[name]);
  }
  find("#reverse").checked = game.rules.reverse === "true";
  drawMatch();
}

function goOnWords() {
  if (!connection.isOpen || (game.state.over && match.left < 2)) return "";
  if (thinking && !bothEngines()) return "Move now";
  if (sides[game.stone].isPerson) return "";
  if (!paused) return bothEngines() ? "Pause" : "";
  return game.cursor ? "Go on" : "Start";
}

function drawMatch() {
  score.show(sides);
  find("#match").disabled = !bothEngines();
  say(find("#match"), match.left ? "Stop the match" : "Play the match");
  const playing = match.left ? `Game ${match.all - match.left + 1} of ${match.all}` : "";
  say(find("#match-words"), bothEngines() ? playing : "Choose a built-in player for X and for O.");
}

function complain(words) {
  say(find("#message"), words);
}

// Small questions

const bothEngines = () => !sides.x.isPerson && !sides.o.isPerson;
const valuesMode = () => find("input[name=values]:checked").value;
const rushed = () => !paused && bothEngines() && pace() === 0;
const pace = () => SPEEDS[find("#speed").value][1];
const rest = (ms) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined);

function playoutSettings() {
  const chosen = { seed: settings.seed.input.value };
  for (const name of ["trials", "score_current", "score_other"]) chosen[name] = settings[name].input.value.trim();
  return chosen;
}

/** Whether the engine takes these options; if not, its error is shown. */
async function check(options) {
  const answer = await session.ask({ options, lines: ["query position"] }).answer;
  const error = answer?.errors[0];
  complain(error ? errorText(error) : "");
  return Boolean(answer) && !error;
}

function nextValues() {
  const modes = [...document.querySelectorAll("input[name=values]")];
  modes[(modes.findIndex((mode) => mode.checked) + 1) % modes.length].click();
}

async function openAddress() {
  const address = readAddress();
  for (const stone of ["x", "o"]) {
    const [player, level] = address.sides[stone] ?? [];
    if (player) sides[stone].set(player, level);
  }
  const error = await game.load(address.rules, address.start, address.moves);
  if (!error) return undefined;
  if (!game.state) await game.load({ size: "3", connect: "0", reverse: "false" });
  return `This link does not lead to a position: ${error}`;
}

find("#new-game").addEventListener("click", newGame);
find("#undo").addEventListener("click", undo);
find("#redo").addEventListener("click", redo);
find("#go-on").addEventListener("click", goOn);
find("#match").addEventListener("click", playMatch);
find("#clear-score").addEventListener("click", () => {
  newScore();
  draw();
});
find("#swap").addEventListener("click", () => {
  Side.swap(sides.x, sides.o);
  sidesChanged();
});
find("#speed").addEventListener("input", ({ target }) => say(find("#speed-words"), SPEEDS[target.value][0]));
for (const radio of document.querySelectorAll("input[name=values]")) {
  radio.addEventListener("change", () => {
    draw();
    research();
  });
}
find(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  board.focus();
});
