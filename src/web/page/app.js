// The page as a whole: what a click does, and what the page shows after it.

import { gameWords, linkOf, readAddress, takeGame, writeAddress } from "./address.js";
import { Analysis, exactJob, exactStages, MeasuredTrials, playoutJob } from "./analysis.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { find, say } from "./dom.js";
import { Drawer } from "./drawer.js";
import { Game, shapeOf, USUAL_GAME } from "./game.js";
import { History } from "./history.js";
import { readPosition } from "./notation.js";
import { Outlook } from "./outlook.js";
import { Program } from "./program.js";
import { Puzzles } from "./puzzles.js";
import { Score } from "./score.js";
import { errorText, LOST, Session } from "./session.js";
import { Settings } from "./settings.js";
import { offerSharing } from "./share.js";
import { Side } from "./sides.js";
import { Speed } from "./speed.js";
import { statusWords } from "./status.js";
import { LIMITS, programName } from "./transport.js";
import { Views } from "./views.js";
import { Why } from "./why.js";

const SPEEDS = [
  ["slow", 1500],
  ["gentle", 800],
  ["steady", 350],
  ["brisk", 80],
  ["at once", 0],
];
const AGAINST_PERSON_MS = 250;
/** An engine that stops so soon after it was started again stays stopped. */
const RESTART_MS = 5000;
/** Plies on the largest board. */
const LONGEST_GAME = 400;
const LEGENDS = {
  off: "Switch them on to see what every move is worth.",
  exact: "▲ W3: win in 3 moves of both sides · ■ D: draw · ▼ L4: loss in 4 · ? not proven. Outlined: best.",
  estimates: "Not proven. After a second the tree search expects this of its ten best moves, from −1, lost, to +1, won. Dashed: its choice.",
  playouts: "Totals of random games: ▲ good, ▼ bad for the side to move. Outlined: highest.",
};

/** The legend of the values on the squares. A Monte Carlo map tells how many games it rests on. */
function legend(mode, found) {
  if (mode === "exact" && found?.estimates) return LEGENDS.estimates;
  if (mode !== "playouts" || !found) return LEGENDS[mode];
  return LEGENDS.playouts.replace("of random", `of ${found.best.trials.toLocaleString("en")} random`);
}

const connection = new Connection();
// The drawer comes before the session, so that it shows a line before the session sends the next one.
new Drawer(connection, typed);
const session = new Session(connection);
const game = new Game(session);
const analysis = new Analysis(session, () => draw());
const measured = new MeasuredTrials();
const outlook = new Outlook((moves) => why.showLine(game.state, moves));
const history = new History((ply) => act(() => game.jump(ply)));
const board = new Board(find("#board"), { onMove: personPlays, onKey: boardKey, onAsk: askAgain });
new Speed(session, { onBegin: () => analysis.want([]), onEnd: () => act(() => game.jump(game.cursor)) });
const why = new Why(session, game, { onBegin: () => analysis.want([]), onEnd: () => research(), onShow: () => draw() });

const puzzles = new Puzzles(() => settings?.words ?? []);

const sides = {};
let settings;
let views;
const score = new Score();
const program = new Program();
const match = { left: 0 };

/** True while the engines wait for a person before they play on. */
let paused = true;
/** When the engine failed last, and what is to be told of it. */
let failed = -Infinity;
let failureWords = "";
/** The number of the last change of the position. What was begun under an earlier number is out of date. */
let turn = 0;
let thinking = null;
/** Changes of the game run one after another. */
let changes = Promise.resolve();
/** Changes of the game that have not come to their end. */
let unfinished = 0;

connection.addEventListener("open", begin);
connection.addEventListener("close", ({ detail: { words, failure } }) => {
  turn += 1;
  thinking = null;
  // An engine that fails is started again, but not one that fails at once.
  const isFirst = performance.now() - failed > RESTART_MS;
  if (failure) [failed, failureWords] = [performance.now(), words];
  if (failure && isFirst) return connection.open();
  offerReconnection(words);
  draw();
});
connection.addEventListener("late", () => offerReconnection("The engine has not answered yet."));
find("#reconnect").addEventListener("click", () => connection.open());
// Leaving the page ends its session and every search in it.
addEventListener("pagehide", () => connection.close());
addEventListener("pageshow", (event) => event.persisted && connection.open());
addEventListener("hashchange", () => settings && act(openAddress));
connection.open();

function offerReconnection(words) {
  find("#lost").hidden = false;
  say(find("#lost-words"), words);
  say(find("#status"), "Not connected");
}

async function begin() {
  find("#lost").hidden = true;
  const declared = await session.introduce();
  if (!declared) return;
  if (!sides.x) build(declared, await programName());
  if (game.state) await act(() => game.jump(game.cursor));
  else await act(openAddress);
  if (failureWords) complain(`${failureWords} It was started again, and the game goes on.`);
  failureWords = "";
}

function build(declared, programsName) {
  const shared = { check, onChange: sidesChanged, program: programsName };
  sides.x = new Side("x", declared, { ...shared, usual: "person" });
  sides.o = new Side("o", declared, { ...shared, usual: programsName ? "program" : "auto" });
  settings = new Settings(declared, { changeRules, check, onChange: settingsChanged });
  say(find("#limits"), LIMITS);
  say(find("#version"), session.engineName);
  // The address bar may lag behind: browsers refuse many changes of it.
  offerSharing({ link: () => new URL(linkOf(linkWords()), location.href).href, name: pictureName });
  views = new Views(session, game, settings, declared, { act, onChoose: chooseView, check, onChange: writeLink, onSetting: settingsChanged });
  find("main").inert = false;
}

function pictureName() {
  const { rows, columns } = shapeOf(game.rules);
  return `noughts-${rows}x${columns}`;
}

// Actions of a person

function inOrder(change) {
  const result = changes.then(change);
  changes = result.catch(() => {});
  return result;
}

/** Change the game. Searches for the position before the change end. */
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
  unfinished += 1;
  const error = await inOrder(change);
  unfinished -= 1;
  if (error) complain(error);
  if (mine === turn) settle();
  else draw();
}

/** Change to another view. Players wait while one watches, and a player who was to answer a person does so afterwards. */
function chooseView(change) {
  const held = paused;
  return act(async () => {
    const error = await change();
    paused = held || bothEngines();
    return error;
  });
}

async function personPlays(move) {
  // A click on the board of an explanation leads back to the game.
  if (!game.state || why.close()) return;
  if (thinking || (!game.state.over && !sides[game.stone].isPerson)) {
    complain(`${game.stone.toUpperCase()} is played by ${sides[game.stone].name}.`);
    return;
  }
  const ply = game.cursor;
  let isWrong = false;
  await act(async () => {
    // A second click for the same turn does nothing.
    if (game.cursor !== ply) return undefined;
    const error = await game.play(move);
    if (!error) score.count(game);
    isWrong = !error && puzzles.isWrong(game);
    // The engine answers a wrong move of a puzzle with what is wrong, not with a move.
    paused = Boolean(error) || isWrong;
    return error;
  });
  if (isWrong) why.askMove();
}

/** Small squares are hard to hit: the first tap only chooses. */
function askAgain(move) {
  const isMine = game.state && !game.state.over && sides[game.stone].isPerson;
  complain("");
  if (!isMine) return;
  find("#message").classList.add("question");
  say(find("#message"), `Tap again to play ${move}.`);
}

function newGame() {
  return act(async () => {
    const error = await game.load(game.rules);
    paused = bothEngines();
    return error;
  });
}

/** Begin a game by other rules. Resolves to the reason for a refusal, or to nothing. */
async function changeRules(changed) {
  let refusal;
  // The field of the rule shows the refusal, not the line below the board.
  await act(async () => {
    refusal = await game.load({ ...game.rules, ...changed });
    if (refusal) return;
    score.clear();
    paused = bothEngines();
  });
  return refusal ?? "";
}

function undo() {
  return act(() => game.jump(step(-1)));
}

function redo() {
  return act(() => game.jump(step(1)));
}

/** The next ply in a direction at which a person is to move, or else the first or last ply of the game. */
function step(direction) {
  let ply = game.cursor + direction;
  if (Object.values(sides).every((side) => !side.isPerson)) return ply;
  while (ply > 0 && ply < game.moves.length && !sides[game.states[ply].xToMove ? "x" : "o"].isPerson) ply += direction;
  // At a start where an engine is to move, the engine would play the same move again.
  if (direction < 0 && ply <= 0 && !sides[game.states[0].xToMove ? "x" : "o"].isPerson) return Math.max(game.cursor - 1, 0);
  return ply;
}

function boardKey(key) {
  const action = { u: undo, r: redo, n: newGame, v: () => settings.nextValues(), escape: () => why.close() }[key.toLowerCase()];
  action?.();
  return Boolean(action);
}

function goOn() {
  if (thinking && !bothEngines()) {
    if (!thinking.isProgram) connection.send("stop");
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
  score.clear();
  act(async () => {});
}

function settingsChanged() {
  writeLink();
  draw();
  research();
}

// A typed number of trials holds for the map too.
session.onSetting = (name, value) => {
  if (name !== "trials" || !settings) return;
  settings.setTrials(value);
  settingsChanged();
};

async function typed(line) {
  const position = await session.type(line);
  if (!position) return;
  const { game: shown } = views;
  const rules = Object.fromEntries(Object.keys(shown.rules).map((name) => [name, session.option(name)]));
  const changed = JSON.stringify(rules) !== JSON.stringify(shown.rules);
  if (position === shown.state?.position && !changed) return;
  // A typed position or rule appears on the board.
  act(() => shown.load(withShapeOf(position, rules), `fen ${position}`));
}

/** Rules with the shape of a position. A typed `UCI_Variant` changes the board and none of the options of the shape. */
function withShapeOf(position, rules) {
  const stones = readPosition(position);
  const [rows, columns] = [stones.length, stones[0].length];
  const told = shapeOf(rules);
  if (told.rows === rows && told.columns === columns) return rules;
  return { ...rules, size: String(rows), columns: rows === columns ? "0" : String(columns) };
}

// After a change

/** The position has changed: show it, search its values, and let the engine move if it is its turn. */
function settle() {
  if (!game.state) return;
  why.cancel();
  writeLink();
  draw();
  research();
  if (views.isPlay && !paused && !game.state.over && !sides[game.stone].isPerson) think();
}

const linkWords = () => [...gameWords(game), ...sides.x.words, ...sides.o.words, ...settings.words, ...views.words];

function writeLink() {
  writeAddress(linkWords());
}

async function think() {
  const mine = turn;
  const side = sides[game.stone];
  const begun = performance.now();
  // With a seed, each move of each game gets a different one: the match can be repeated, but its games differ.
  const seed = settings.seed(score.games * LONGEST_GAME + game.cursor);
  // Games with a seed can be repeated, and matches do not depend on the clock, unless the reader has set a time.
  const isCounted = settings.hasUsualSeconds && (settings.isSeeded || bothEngines());
  const seconds = side.seconds(settings, isCounted);
  const position = game.positionLine();
  if (side.isProgram) thinking = program.ask({ options: game.rules, position, seconds: settings.seconds });
  else {
    thinking = session.ask({
      options: { ...game.options, ...side.options, seed },
      position,
      lines: [seconds ? `go movetime ${seconds * 1000}` : "go", "query position"],
    });
    thinking.seconds = seconds;
  }
  draw();
  const answer = await thinking.answer;
  if (mine !== turn) return;
  thinking = null;
  const move = answer?.lines.find((line) => line.startsWith("bestmove "))?.slice(9);
  if (!move || move === "(none)") {
    paused = true;
    if (answer?.errors.length) complain(errorText(answer.errors[0]) + (match.left ? "\nThe match has ended." : ""));
    match.left = 0;
    draw();
    return;
  }
  await rest((bothEngines() ? pace() : AGAINST_PERSON_MS) - (performance.now() - begun));
  if (mine !== turn) return;
  analysis.want([]);
  const error = await inOrder(() => (mine === turn ? game.play(move) : undefined));
  if (mine !== turn) return;
  turn += 1;
  paused = paused || Boolean(error);
  complain(error ?? "");
  score.count(game);
  settle();
  if (!game.state.over) return;
  if (match.left > 1) nextGame();
  else match.left = 0;
  // After the last game of a match the page shows values as after any other game.
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

/** The searches for values: those on the board first, then those of the game so far, the latest first. */
function jobs() {
  const stages = exactStages(shapeOf(game.rules));
  const list = [];
  const mode = settings.values;
  if (!game.state.over && mode === "exact") list.push(exactJob(game, game.cursor, stages));
  if (!game.state.over && mode === "playouts") list.push(mapJob());
  if (revealed()) {
    for (let ply = game.moves.length; ply >= 0; ply -= 1) {
      if (!game.states[ply].over) list.push(exactJob(game, ply, stages.slice(0, 1)));
    }
  }
  return list;
}

/** The search for the Monte Carlo values of the position on the board. */
function mapJob() {
  return playoutJob(game, settings.playouts, measured, boardName());
}

/** Boards of one name are played on at about the same speed. */
function boardName() {
  return JSON.stringify([game.rules, session.option("Threads")]);
}

function research() {
  if (!game.state || thinking || why.isBusy || rushed() || !views.isPlay) return;
  analysis.want(jobs());
}

/** Values stay hidden during a game unless the reader has switched them on. */
function revealed() {
  return settings.values !== "off" || game.states.at(-1)?.over;
}

// Drawing

let drawing = false;
/** Draw with the next frame, once for all changes until then. */
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
  if (!unfinished) views.draw();
  const mode = settings.values;
  const stages = exactStages(shapeOf(game.rules));
  const proof = (ply) => analysis.of(exactJob(game, ply, stages));
  const found = mode === "playouts" ? analysis.of(mapJob()) : proof(game.cursor);
  const personToMove = !state.over && sides[game.stone].isPerson;
  const { picture } = why;
  board.show(picture?.state ?? state, picture?.look ?? {
    lastMove: game.moves[game.cursor - 1],
    found: mode === "off" ? undefined : found,
    stone: personToMove ? game.stone : undefined,
  });
  outlook.show({ state, found, hidden: !revealed(), rushed: rushed() });
  puzzles.show(game);
  history.show(game, (ply) => (revealed() ? proof(ply)?.best : undefined));
  say(find("#rules-words"), views.game.rulesWords);
  const reason = goOnWords();
  const words = connection.isOpen ? statusWords(game, sides, thinking, paused ? reason : "") : "Not connected";
  say(find("#status"), words);
  // Two engines play faster than a screen reader can speak; the score tells their results.
  find("#status").setAttribute("aria-live", bothEngines() && !paused && !state.over ? "off" : "polite");
  say(find("#legend"), picture?.words ?? legend(mode, state.over ? undefined : found));
  document.title = `${views.title ?? words} – Noughts`;
  find("#new-game").classList.toggle("main", state.over && !match.left);
  find("#undo").disabled = game.cursor === 0;
  find("#redo").disabled = game.cursor === game.moves.length;
  find("#why-move").disabled = game.cursor === 0;
  find("#go-on").classList.toggle("away", !reason);
  find("#go-on").disabled = !reason;
  if (reason) say(find("#go-on"), reason);
  settings.showRules(game.rules);
  settings.showMeasured(measured.of(boardName()));
  drawMatch();
}

function goOnWords() {
  if (!connection.isOpen || (game.state.over && match.left < 2)) return "";
  if (thinking && !bothEngines()) return thinking.isProgram ? "" : "Move now";
  if (sides[game.stone].isPerson) return "";
  if (!paused) return bothEngines() ? "Pause" : "";
  return game.cursor ? "Go on" : "Start";
}

function drawMatch() {
  score.show(sides);
  find("#match").disabled = !bothEngines();
  say(find("#match"), match.left ? "Stop the match" : "Play the match");
  const playing = match.left ? `Game ${match.all - match.left + 1} of ${match.all}` : "";
  say(find("#match-words"), bothEngines() ? playing : "Choose an engine for X and for O.");
}

function complain(words) {
  find("#message").classList.remove("question");
  for (const place of ["#message", "#watch-message"]) say(find(place), words);
}

// Helpers

const bothEngines = () => !sides.x.isPerson && !sides.o.isPerson;
const rushed = () => !paused && bothEngines() && pace() === 0;
const pace = () => SPEEDS[find("#speed").value][1];
const rest = (ms) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms)) : undefined);

/** Asks the engine whether it accepts an option. Resolves to the reason for a refusal, or to nothing. */
async function check(name, value) {
  const answer = await session.ask({ options: { [name]: value }, lines: ["query position"] }).answer;
  if (!answer) return LOST;
  return answer.errors.length ? errorText(answer.errors[0]) : "";
}

async function openAddress() {
  const link = readAddress();
  const refusals = [];
  const wish = takeGame(link) ?? USUAL_GAME;
  for (const part of [sides.x, sides.o, settings, views]) refusals.push(...(await part.take(link)));
  refusals.push(...link.rest.map((key) => `"${key}" is unknown`));
  const refusal = await game.open(wish);
  if (!game.state) await game.open(USUAL_GAME);
  refusals.push(await views.open());
  const words = [refusal, ...refusals].filter(Boolean);
  return words.length ? ["Not all of this link can be followed:", ...words].join("\n") : undefined;
}

// The settings are a sheet only on a small screen; on a large one they stand beside the board.
const isLarge = matchMedia("(min-width: 60rem)");
isLarge.addEventListener("change", () => find("#settings").hidePopover());
find("#settings").addEventListener("beforetoggle", (event) => {
  if (event.newState === "open" && isLarge.matches) event.preventDefault();
});
find("#new-game").addEventListener("click", newGame);
find("#undo").addEventListener("click", undo);
find("#redo").addEventListener("click", redo);
find("#go-on").addEventListener("click", goOn);
find("#match").addEventListener("click", playMatch);
find("#clear-score").addEventListener("click", () => {
  score.clear();
  draw();
});
find("#swap").addEventListener("click", () => {
  Side.swap(sides.x, sides.o);
  score.clear();
  // The engine answers at once; two engines wait for a person to start them.
  act(async () => {
    paused = bothEngines();
  });
});
find("#speed").addEventListener("input", ({ target }) => say(find("#speed-words"), SPEEDS[target.value][0]));
find(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  if (!views?.focus()) board.focus();
});
