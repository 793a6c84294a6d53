#!/usr/bin/env node
// Plays on the page in a headless Chromium, and prints what it saw. `scripts/check-web` runs it.
//
//   NODE_PATH=target/web/node_modules node scripts/check_web.mjs PAGE URL PID [WORDS]
//
// PAGE is `served` for the page of a running `noughts serve`, `static` for the page without a server, and `offline` for the same
// once its file server has been ended. PID is the process of the server. With WORDS, only the checks whose names contain them
// run. The exit code is 0 when every check has passed.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

import {
  Browser, countsArrived, enter, gamesAre, isReady, openDrawer, press, processFields, require, say, settings, square, status, statusIs, stepsArrived,
  textIs, values, valuesArrived,
} from "./web_browser.mjs";

const [kind, address, pid, wanted = ""] = process.argv.slice(2);
if (!pid || !["served", "static", "offline"].includes(kind)) {
  console.error("usage: check_web.mjs served|static|offline URL PID [WORDS]");
  process.exit(2);
}
const isServed = kind === "served";
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const browser = await Browser.start(address);
const open = (hash, options) => browser.open(hash, options);
let failures = 0;

function expect(condition, words) {
  if (!condition) throw new Error(words);
}

function equal(found, expected, words) {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  expect(a === b, `${words}: found ${a}, expected ${b}`);
}

/**
 * Does a check. One that fails is done again: a machine that stands still for half a minute fails any of them, and a browser now
 * and then. Both failures are printed, and the second one counts.
 */
async function checkEverywhere(name, work) {
  if (!name.includes(wanted)) return;
  if (!(await succeeds(name, work)) && !(await succeeds(`${name}, once more`, work))) failures += 1;
}

/**
 * A check of what the page does. Without its file server the page has the same files, which a check of its own shows; so there
 * only `checkEverywhere` runs: what loads files, and what the worker of the engine does.
 */
const check = (name, work) => (kind === "offline" ? undefined : checkEverywhere(name, work));

async function succeeds(name, work) {
  browser.complaints = [];
  const begun = Date.now();
  let isGood = false;
  try {
    await work();
    equal(browser.complaints, [], "the console");
    console.log(`ok    ${name} (${Date.now() - begun} ms)`);
    isGood = true;
  } catch (error) {
    console.log(`FAIL  ${name}\n      ${error.stack}`, browser.complaints);
    for (const lines of await browser.shown()) console.log(`      ${lines.join("\n        ")}`);
  }
  await browser.closePages();
  return isGood;
}

/** A check of what the page looks like, which is the same with a server and without. */
const checkLooks = (name, work) => (isServed ? check(name, work) : undefined);

const stones = (page) => page.locator("[role=gridcell][data-held=x], [role=gridcell][data-held=o]").count();
const stonesAre = (page, count) =>
  page.waitForFunction((n) => document.querySelectorAll("[data-held=x],[data-held=o]").length === n, count);
const moreStones = (page, count) =>
  page.waitForFunction((n) => document.querySelectorAll("[data-held=x],[data-held=o]").length > n, count);
const message = (page) => page.locator("#message").innerText();
const squaresAre = (page, count) => page.waitForFunction((n) => document.querySelectorAll("[role=gridcell]").length === n, count);

/** Click a square, or press a button, and wait for a status. */
async function play(page, move, pattern) {
  await square(page, move).click();
  await statusIs(page, pattern);
}
async function pressed(page, name, pattern) {
  await press(page, name);
  await statusIs(page, pattern);
}

async function keys(page, ...names) {
  for (const name of names) await page.keyboard.press(name);
}

async function showValues(page, mode) {
  await values(page, mode);
  await valuesArrived(page);
}

async function reload(page) {
  await page.reload();
  await isReady(page);
}

/** A tab that watches a search. */
async function watch(hash, options) {
  const page = await open(hash, options);
  await stepsArrived(page);
  return page;
}

/** Click on squares as a person until the game is over. */
async function playOn(page, chooseSquare) {
  for (;;) {
    await statusIs(page, /Your turn|draw|You win|You lost/);
    if (!/Your turn/.test(await status(page))) return;
    const square = await chooseSquare();
    const before = await stones(page);
    await square.click();
    await moreStones(page, before);
  }
}

/** The labels on the squares, row by row; stones as X and O. */
const labels = (page) =>
  page.locator("[role=row]").evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => (cell.dataset.held || cell.querySelector(".label").textContent).toUpperCase())),
  );

/** The trials of the Monte Carlo map on the board, as the legend tells them. */
async function mapTrials(page) {
  const [, trials] = /^Totals of ([\d,]+) random games/.exec(await page.locator("#legend").innerText());
  return Number(trials.replaceAll(",", ""));
}

const mapHas = (page, trials) => textIs(page, "#legend", new RegExp(`^Totals of ${trials.toLocaleString("en")} random`));

/** Has a tab keep the lines that the page sends, to a server or to its worker. */
const recordLines = () => {
  globalThis.sentLines = [];
  for (const [{ prototype }, name] of [[WebSocket, "send"], [Worker, "postMessage"]]) {
    const send = prototype[name];
    prototype[name] = function (line) {
      globalThis.sentLines.push(line);
      return send.call(this, line);
    };
  }
};

/** The numbers of trials that the page has set. */
const trialsSent = (page) =>
  page.evaluate(() => globalThis.sentLines.map((line) => /name trials value (\d+)/.exec(line)).filter(Boolean).map((match) => Number(match[1])));

/** Wait until the Monte Carlo map has the measured number of trials. */
async function mapIsFinished(page) {
  await page.waitForFunction(() => {
    const read = (text) => Number(text.replace(/\D/g, ""));
    const [legend, measured] = [document.querySelector("#legend").textContent, document.querySelector("#values-trials").placeholder];
    return /^Totals of \d/.test(legend) && /^\d/.test(measured) && read(legend.split(" random")[0]) >= read(measured);
  });
}

async function type(page, line) {
  await say(page, line);
  // The page asks for the position after each typed line. Later lines may push the answer out of the log.
  const answer = await page.waitForFunction((text) => {
    const rows = [...document.querySelectorAll("#log div")].map((row) => row.textContent);
    const sent = rows.lastIndexOf(`> ${text}`);
    const end = rows.findIndex((row, index) => index > sent && row.startsWith("response"));
    return sent >= 0 && end >= 0 && rows.slice(sent + 1, end + 1);
  }, line);
  return answer.jsonValue();
}

/** The drawing of `eval`, as `labels` has it. */
function drawn(rows) {
  return rows.filter((row) => /^\d+ /.test(row)).map((row) => row.trim().split(/\s+/).slice(1, -1));
}

/** The computing time of what searches, in hundredths of a second: the server, or the browser with all its processes. */
function computed() {
  const spent = (id) => {
    const fields = processFields(id);
    return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  };
  return isServed ? spent(pid) : browser.processes().reduce((sum, id) => sum + spent(id), 0);
}

/** Wait until what searches is busy, or until it is idle. Returns how long that took, in milliseconds. */
async function engineIs(busy) {
  // A browser is never quite idle.
  const idle = isServed ? 1 : 15;
  const begun = Date.now();
  for (;;) {
    const before = computed();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const spent = computed() - before;
    if (busy ? spent >= idle + 10 : spent <= idle) return Date.now() - begun;
    expect(Date.now() - begun < 8000, `the engine is ${busy ? "idle" : "still busy"}, ${spent * 2}% of a core`);
  }
}

/** The page below another path, in another version. `scripts/check-web` has put it there. */
const other = String(new URL("../other/", address));

if (kind === "offline") {
  // The first visits bring the files of both pages; then the server is ended.
  for (const visited of [address, other]) {
    const page = await browser.tab();
    await page.goto(visited);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await page.waitForFunction(() => navigator.serviceWorker.controller);
    if (visited === address) {
      const isThere = () => page.evaluate(async () => Boolean(await caches.match("engine.wasm")));
      // One file alone does not come again: the server may have that of another version.
      await page.evaluate(async () => {
        for (const name of await caches.keys()) await (await caches.open(name)).delete("engine.wasm");
      });
      await page.reload();
      await statusIs(page, /Your turn/);
      await page.waitForTimeout(1000);
      expect(!(await isThere()), "a file has come into a cache that has the others");
      // All files come again if the browser has dropped the cache.
      await page.evaluate(async () => Promise.all((await caches.keys()).map((name) => caches.delete(name))));
      await page.reload();
      for (let tries = 0; !(await isThere()); tries += 1) {
        expect(tries < 100, "the files that were dropped have not come again");
        await page.waitForTimeout(100);
      }
    }
    await page.close();
  }
  process.kill(Number(pid));
  const isGone = await fetch(address).then(() => false, () => true);
  expect(isGone, "the file server is still there");
}

await checkEverywhere("a person draws against perfect on 3x3", async () => {
  const page = await open("#x=person&o=perfect:10");
  await values(page, "exact");
  await playOn(page, async () => {
    await valuesArrived(page);
    // When all moves are equally good, none is outlined.
    const best = page.locator(".square.free.best");
    return ((await best.count()) ? best : page.locator(".square.free")).first();
  });
  expect(/A draw/.test(await status(page)), `it ended with ${await status(page)}`);
  equal(await page.locator("#score-draws").innerText(), "1", "draws in the score");
});

await check("hints are what eval says, under both rules", async () => {
  const positions = [
    "", "#moves=1,1", "#moves=1,1+0,1", "#start=xo1/1x1/2o+x", "#reverse=true", "#reverse=true&moves=1,1+0,0", "#reverse=true&moves=0,0",
    "#size=4&reverse=true&start=xx2/oxox/x3/1oo1+o", "#size=4&connect=3&moves=1,1+0,0",
    "#columns=4&connect=3&moves=1,1+0,1", "#size=4&columns=3&reverse=true&moves=1,1+0,0+3,2", "#size=2&columns=5&connect=3", "#size=1&columns=9&connect=3&start=x8+o",
  ];
  for (const position of positions) {
    const page = await open(position);
    await showValues(page, "exact");
    const shown = await labels(page);
    await type(page, "setoption player perfect");
    equal(shown, drawn(await type(page, "eval")), `values of ${position || "the empty board"}`);
    await page.close();
  }
});

await checkEverywhere("Monte Carlo totals appear and grow to what was asked", async () => {
  const page = await open("#size=5&connect=4&x=person&o=person&values.trials=100000");
  await showValues(page, "playouts");
  await textIs(page, "#value-source", /^100,000/);
  expect((await page.locator(".square.best").count()) >= 1, "no highest total");
});

await check("a large board gets as many trials as its speed allows", async () => {
  const page = await open("#size=15&connect=5&x=person&o=person&values=playouts", { early: recordLines });
  await mapIsFinished(page);
  const first = await mapTrials(page);
  expect(first >= 5000 && first <= 1_000_000, `trials of the map: ${first}`);
  equal(Number(first.toPrecision(2)), first, "the trials, rounded to two digits");
  expect((await trialsSent(page)).includes(first), `the engine has never heard of ${first} trials`);
  expect(!page.url().includes("trials"), `the link names trials that were not set: ${page.url()}`);
  await play(page, "7,7", /X played 7,7/);
  await mapIsFinished(page);
  expect((await mapTrials(page)) >= 5000, `trials of the next map: ${await mapTrials(page)}`);
  // A limit of the engine ends each run early; the page must not ask again and again.
  await type(page, "setoption name max_trials value 500");
  await square(page, "0,0").click();
  await mapHas(page, 500);
  const asked = (await trialsSent(page)).length;
  await page.waitForTimeout(1000);
  equal((await trialsSent(page)).length, asked, "numbers of trials sent after a limit has ended a run");
});

await check("a number of trials that the reader has set stays", async () => {
  const page = await open("#size=15&connect=5&x=person&o=person&values=playouts&values.trials=2000", { early: recordLines });
  const field = page.locator("#values-trials");
  await settings(page);
  await mapHas(page, 2000);
  await play(page, "7,7", /X played 7,7/);
  await mapHas(page, 2000);
  await page.waitForTimeout(500);
  await mapHas(page, 2000);
  equal([await field.inputValue(), [...new Set(await trialsSent(page))]], ["2000", [2000]], "the trials of the link");
  await field.fill("3000");
  await field.press("Enter");
  await mapHas(page, 3000);
  await page.waitForURL(/values\.trials=3000/);
  await type(page, "setoption trials 4000");
  await mapHas(page, 4000);
  await page.waitForURL(/values\.trials=4000/);
  equal(await field.inputValue(), "4000", "the field after a typed line");
  await field.fill("0");
  await field.press("Enter");
  await textIs(page, "[data-option=trials]:has(#values-trials) .refusal", /trials accepts/);
  equal(await field.inputValue(), "4000", "the field after a refusal");
  await field.fill("");
  await field.press("Enter");
  await mapIsFinished(page);
  expect((await mapTrials(page)) > 4000, "an empty field does not bring the measured number back");
  expect(!page.url().includes("trials"), `the link after the field was emptied: ${page.url()}`);
});

await check("proven values of 3x3 need no trials", async () => {
  const page = await open("#x=person&o=person", { early: recordLines });
  await showValues(page, "exact");
  await textIs(page, "#value-source", /^proven/);
  equal(await labels(page), Array(3).fill(Array(3).fill("D")), "the values");
  expect(/^▲ W3: win in 3 moves/.test(await page.locator("#legend").innerText()), "the legend is another one");
  equal(await trialsSent(page), [], "trials sent");
});

await check("where nothing is proven the squares show what the tree search expects, or nothing", async () => {
  for (const hash of ["#size=15&connect=5&moves=7,7+6,6+8,7+6,7+6,8", "#size=12&connect=6&moves=5,5", "#size=9&connect=5&moves=4,4+3,3"]) {
    const page = await open(`${hash}&x=person&o=person&values=exact`, { early: () => {
      globalThis.shownLabels = new Set();
      const read = () => {
        for (const label of document.querySelectorAll("#board .value:not([hidden]) .label")) globalThis.shownLabels.add(label.textContent);
        requestAnimationFrame(read);
      };
      requestAnimationFrame(read);
    } });
    await page.waitForFunction(() => document.querySelector(".square.guess"));
    const marks = await page.locator("#board .square.free .label").evaluateAll((all) => all.map(({ textContent }) => textContent).filter(Boolean));
    expect(marks.length >= 1 && marks.length <= 10 && marks.every((text) => /^[+−]?[01]?\.\d\d$/.test(text)), `values of ${hash}: ${marks}`);
    const choice = await page.locator(".square.guess").evaluateAll((all) => all.map((node) => node.dataset.move));
    equal(choice, [(await page.locator("#expected li").first().innerText()).slice(2)], `the choice of ${hash}`);
    const seen = await page.evaluate(() => [...globalThis.shownLabels]);
    expect(seen.every((text) => text === "?" || text === "" || marks.includes(text)), `shown before: ${seen}`);
    await page.close();
  }
});

await check("the number of trials follows the speed, and small differences change nothing", async () => {
  const page = await open();
  const found = await page.evaluate(async () => {
    const { MeasuredTrials } = await import("./analysis.js");
    const map = (measured, board, speed) => {
      const runs = [];
      for (let asked = measured.first(board); asked && runs.length < 50;) {
        runs.push(asked);
        asked = measured.after(asked, { trials: asked, nodes: asked, nps: speed }, board);
      }
      return runs;
    };
    return [1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e9].map((speed) => {
      const measured = new MeasuredTrials();
      const row = { speed, fresh: measured.of("a") ?? null, first: map(measured, "a", speed), trials: measured.of("a") };
      for (const factor of [0.75, 1.3, 1]) row.again = map(measured, "a", speed * factor);
      return { ...row, steady: measured.of("a"), slow: map(measured, "a", speed / 10), slowTrials: measured.of("a"), other: measured.of("b") ?? null };
    });
  });
  const near = (trials, speed) => {
    const fitting = Math.min(Math.max(speed / 5, 100), 1_000_000);
    return trials >= fitting / 2 && trials <= fitting * 2;
  };
  for (const { speed, fresh, first, trials, again, steady, slow, slowTrials, other } of found) {
    equal([fresh, other], [null, null], "a board that was not measured");
    equal(first[0], 100, "the first run on an unknown board");
    for (const runs of [first, again, slow]) {
      expect(runs.length <= 8 && runs.every((count, index) => !index || count > runs[index - 1]), `runs at ${speed}/s: ${runs}`);
    }
    equal([first.at(-1), again.at(-1), steady], [trials, trials, trials], `the map at ${speed}/s`);
    expect(near(trials, speed), `${trials} trials at ${speed}/s`);
    expect(near(slowTrials, speed / 10), `${slowTrials} trials at ${speed / 10}/s, after a faster map`);
    if (speed >= 1e4) expect(slow.every((count) => count <= speed / 10), `more than a second at ${speed / 10}/s: ${slow}`);
  }
});

await check("the small benchmark measures, and gives the board back", async () => {
  const page = await open("#size=4&x=person&o=person&moves=0,0");
  await settings(page);
  await press(page, "Measure");
  await textIs(page, "#measured", /^Random games a second: 3x3: [\d,]{6,}; 8x8, five in a row: [\d,]{5,}\.$/);
  console.log(`      ${await page.locator("#measured").innerText()}`);
  await play(page, "1,1", /O played 1,1/);
  equal(await page.locator("[role=gridcell]").count(), 16, "squares");
});

await checkEverywhere("a stop is answered soon, with what the search has found", async () => {
  const page = await open();
  const took = await page.evaluate(async () => {
    const { Connection } = await import("./connection.js");
    const connection = new Connection();
    const hears = (event, start) => new Promise((heard) => {
      connection.addEventListener(event, ({ detail }) => {
        if (!start || (detail.direction === "in" && detail.text.startsWith(start))) heard(detail?.text);
      });
    });
    const opened = hears("open");
    connection.open();
    await opened;
    const found = [];
    for (const player of ["auto", "perfect", "mcts", "montecarlo", "minimax"]) {
      for (const size of [6, 20]) {
        const options = [`size value ${size}`, "connect value 6", "reverse value true", `player value ${player}`];
        for (const line of [...options.map((option) => `setoption name ${option}`), "go infinite"]) connection.send(line);
        await new Promise((rest) => setTimeout(rest, 300));
        const moved = hears("line", "bestmove");
        const begun = performance.now();
        connection.send("stop");
        const move = await moved;
        found.push([performance.now() - begun, move]);
      }
    }
    connection.close();
    return found;
  });
  for (const [, move] of took) expect(/^bestmove \d+,\d+$/.test(move), move);
  const times = took.map(([ms]) => ms).sort((one, other) => one - other);
  expect(times.at(-1) < 1000, `${times.at(-1)} ms`);
  console.log(`      ${times[times.length >> 1].toFixed(1)} ms in the median, ${times.at(-1).toFixed(1)} ms at most`);
});

await check("undo, redo and jump", async () => {
  const page = await open("#x=person&o=person");
  for (const [index, move] of ["1,1", "0,0", "2,2", "0,2"].entries()) {
    await square(page, move).click();
    await stonesAre(page, index + 1);
  }
  for (const [control, left] of [
    [page.locator("#undo"), 3], [page.locator("#undo"), 2], [page.getByRole("button", { name: "Redo" }), 3],
    [page.locator("#moves button").first(), 1], [page.locator("#strip button").last(), 4], [page.locator("#moves button").nth(1), 2],
  ]) {
    await control.click();
    await stonesAre(page, left);
  }
  // Taken squares are marked as disabled; the engine tells the reason.
  await square(page, "1,1").click({ force: true });
  await textIs(page, "#message", /1,1 is taken/);
  await square(page, "2,0").click();
  await stonesAre(page, 3);
  equal(await page.locator("#moves li").count(), 3, "moves after another one was played");
});

await check("reverse on 5x5 to the end", async () => {
  const page = await open("#size=5&reverse=true&x=person&o=auto:1");
  await playOn(page, () => page.locator(".square.free").first());
  expect(/A draw|You lost: you completed a line|You win: O completed a line/.test(await status(page)), `it ended with ${await status(page)}`);
  if (!/A draw/.test(await status(page))) expect((await page.locator(".square.completed").count()) >= 5, "no completed line is shown");
  await page.waitForFunction(() => document.querySelectorAll("#strip [data-kind=open]").length === 0);
});

await checkEverywhere("two engines play 20 games and the score adds up", async () => {
  const page = await open("#x=random:10&o=montecarlo:10");
  await page.locator("#speed").fill("4");
  await press(page, "Play the match");
  await textIs(page, "#score-games", /^20 games/, 120_000);
  await page.waitForFunction(() => document.querySelector("#match").textContent === "Play the match");
  const points = await Promise.all(["x", "draws", "o"].map((key) => page.locator(`#score-${key}`).innerText()));
  equal(points.map(Number).reduce((sum, n) => sum + n), 20, `the sum of ${points.join(", ")}`);
});

await check("a person hears who has won, and an empty field means all in a row", async () => {
  for (const [hash, move, words] of [
    ["#start=xx1/oo1/3+x&x=person&o=auto", "0,2", "X played 0,2. You win"],
    ["#start=xx1/oo1/3+x&x=person&o=auto&reverse=true", "0,2", "X played 0,2. You lost: you completed a line"],
    ["#start=xx1/oo1/3+x&x=person&o=person", "0,2", "X played 0,2. X wins"],
    ["#start=xox/xoo/ox1+x&x=person&o=auto", "2,2", "X played 2,2. A draw"],
    ["#start=xx1/oo1/x2+o&x=random&o=person", "1,2", "O played 1,2. You win"],
  ]) {
    const page = await open(hash);
    await square(page, move).click();
    await textIs(page, "#status", new RegExp(`^${words}$`));
    await page.close();
  }
  const lost = await open("#start=oo1/xx1/3+x&x=person&o=auto");
  await play(lost, "2,2", /O played 0,2. You lost$/);
  const page = await open("#size=5&connect=4");
  const connect = page.locator("#connect");
  for (const [text, shown, rules] of [["0", "", "5x5, 5 in a row wins"], ["3", "3", "5x5, 3 in a row wins"], ["", "", "5x5, 5 in a row wins"]]) {
    await enter(page, "connect", text);
    await textIs(page, "#rules-words", new RegExp(`^${rules}$`));
    await connect.blur();
    await pressed(page, "New game", /Your turn/);
    equal([await connect.inputValue(), await connect.getAttribute("placeholder")], [shown, "all"], `the field after "${text}"`);
  }
});

await check("the table is large enough to count 4x4", async () => {
  const page = await watch("#size=4&view=search&search=alphabetasymmetryall");
  await textIs(page, "#counts [aria-pressed=true] .number", /\d/);
  equal(await page.locator("#counts [aria-pressed=true] .number").innerText(), "345,333", "nodes");
});

await checkEverywhere("a puzzle is won by the right move, and a wrong one is refuted on the board", async () => {
  const page = await open("#values=exact");
  const words = page.locator("#puzzle-words");
  const list = readFileSync(new URL("../src/web/page/puzzles.jsonl", import.meta.url), "utf8").trim().split("\n").map(JSON.parse);
  expect(list.length > 60 && list.every(({ value }) => value === 1), "won positions");
  const found = new Set();
  for (let round = 0; round < 4; round += 1) {
    await press(page, round ? "Another puzzle" : "Today's puzzle");
    await words.filter({ hasText: /^[XO] to move wins in \d moves/ }).waitFor();
    const start = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("start");
    await page.waitForFunction((text) => new URLSearchParams(location.hash.slice(1)).get("start") === text, start);
    const puzzle = list.find(({ position }) => position === start);
    expect(puzzle && !found.has(start), `another puzzle each time, not ${start}`);
    found.add(start);
    const moves = Object.keys(puzzle.regrets);
    const wrong = moves.find((move) => puzzle.regrets[move] > 0);
    await square(page, wrong).click();
    await words.filter({ hasText: `${wrong} does not win` }).waitFor();
    await page.waitForFunction(() => document.querySelector("#why .part"));
    equal(new URLSearchParams(new URL(page.url()).hash.slice(1)).get("moves"), wrong, "the engine does not answer a wrong move");
    await press(page, "Undo");
    await words.filter({ hasText: "Find the move." }).waitFor();
    await square(page, puzzle.best[0]).click();
    await words.filter({ hasText: `Right: ${puzzle.best[0]} wins` }).waitFor();
    await stonesAre(page, start.match(/[xo]/g).length + 1);
  }
});

await check("an explanation is drawn on the board, its moves can be clicked, and the game is back after it", async () => {
  const held = (page) => page.locator("#board [role=gridcell]").evaluateAll((all) => all.map((cell) => cell.dataset.held ?? "").join(","));
  for (const [hash, button] of [
    ["#size=5&start=2o2/5/2x2/5/5+x", "This position"], ["#size=5&connect=4&moves=2,2+1,1", "This position"], ["#size=4&reverse=true&start=xx2/oxox/x3/1oo1+o", "This position"],
    ["#size=4&columns=5&connect=4&moves=1,1+1,2", "This position"], ["#size=2&columns=6&connect=3&moves=0,2+1,1", "The last move"],
    ["#moves=1,1+0,1", "The last move"], ["#start=x1x/oo1/3+x&moves=1,2", "The last move"], ["#size=5&start=5/1x3/2o2/5/5+x&moves=3,3", "The last move"],
  ]) {
    const page = await open(`${hash}&x=person&o=person`);
    const before = await held(page);
    const moves = new URLSearchParams(hash.slice(1)).get("moves")?.split(" ") ?? [];
    await press(page, button);
    await page.waitForFunction(() => document.querySelector("#why .part"));
    await openDrawer(page);
    await page.locator("#log .in", { hasText: /^searched / }).waitFor();
    const answer = await page.locator("#log .in").allInnerTexts();
    const line = answer.findLast((text) => text.startsWith("line "))?.split(":")[0].match(/\d+,\d+/g) ?? [];
    const chips = page.locator('#why [data-key="line"] button');
    equal((await chips.allInnerTexts()).map((text) => text.slice(2)), line, `the moves of ${hash}`);
    for (const index of line.keys()) {
      await chips.nth(index).click();
      await page.waitForFunction((count) => document.querySelectorAll("#board .numbered").length === count, index + 1);
      const numbers = await page.locator("#board .numbered").evaluateAll((all) => all.map((cell) => [Number(cell.dataset.number), cell.dataset.move]).sort(([one], [other]) => one - other).map(([, move]) => move));
      equal(numbers, line.slice(0, index + 1), `the numbers of ${hash} after ${index + 1} moves`);
    }
    const drawings = page.locator("#why").getByRole("button", { name: "Show on the board" });
    const reasons = answer.filter((text) => /^(why|then) .*(pair|\*)/.test(text)).length;
    equal(await drawings.count(), reasons, `the drawings of ${hash}`);
    for (let index = 0; index < reasons; index += 1) {
      await drawings.nth(index).click();
      await page.waitForTimeout(100);
      const names = await page.locator("#board [data-kind=pair] .label").allInnerTexts();
      const pairs = names.filter((name) => name !== "*" && names.filter((other) => other === name).length === 2).length / 2;
      expect(pairs > 0 || names.includes("*"), `nothing is drawn for ${hash}`);
      equal(await page.locator("#board .links line").count(), pairs, `joined pairs of ${hash}`);
      // Each end of a line lies in a square of a pair.
      const outside = await page.locator("#board .links line").evaluateAll((lines) => lines.flatMap((line) => {
        const map = (name) => new DOMPoint(line.getAttribute(`x${name}`), line.getAttribute(`y${name}`)).matrixTransform(line.getScreenCTM());
        return [map(1), map(2)].filter(({ x, y }) => ![...document.querySelectorAll("#board [data-kind=pair]")].some((cell) => {
          const { left, top, right, bottom } = cell.getBoundingClientRect();
          return left <= x && x <= right && top <= y && y <= bottom;
        }));
      }));
      equal(outside.length, 0, `ends of lines beside their squares, ${hash}`);
    }
    if (line.length || reasons) {
      // The first click leads back to the game and plays nothing.
      await page.locator("#board [role=gridcell]").first().click({ force: true });
      await page.waitForFunction(() => document.querySelector("#why-back").hidden && !document.querySelector("#board .links, #board .numbered"));
    }
    equal([await held(page), await page.locator("#moves li").count()], [before, moves.length], `the game after ${hash}`);
    await page.locator("#board .square.free").first().click();
    await page.waitForFunction((count) => document.querySelectorAll("#moves li").length === count, moves.length + 1);
    equal(await page.locator("#why").innerText(), "", "an explanation of another position");
    await page.close();
  }
});

await checkLooks("a program that the server has seated plays, and its faults are told", async () => {
  const page = await browser.tab();
  await page.route("**/program", (route) => route.fulfill({ contentType: "text/plain", body: "mine\n" }));
  const games = [];
  let answer = (position) => `bestmove ${["0,0", "0,1", "2,1", "1,0"].find((move) => !position.includes(move))}`;
  await page.routeWebSocket("**/program", (socket) => {
    const lines = [];
    games.push(lines);
    socket.onMessage((line) => {
      lines.push(line);
      if (!line.startsWith("go ")) return;
      socket.send("info depth 1");
      const words = answer(lines.findLast((other) => other.startsWith("position ")));
      if (words) socket.send(words);
    });
  });
  await page.goto(address);
  await isReady(page);
  equal([await page.locator("#o-player").inputValue(), await page.locator("#o-player option:checked").innerText(), await page.locator("#x-player").inputValue()], ["program", "mine", "person"], "the seats");
  await play(page, "1,1", /O played 0,0. Your turn/);
  await play(page, "2,2", /O played 0,1. Your turn/);
  equal(games, [[
    "setoption name size value 3", "setoption name columns value 0", "setoption name connect value 0", "setoption name reverse value false", "newgame", "position startpos moves 1,1", "go movetime 1000",
    "position startpos moves 1,1 0,0 2,2", "go movetime 1000",
  ]], "what the program hears");
  // A fault stops the game until a person goes on.
  answer = () => "error The program mine ended: RuntimeError: boom";
  await square(page, "1,0").click();
  await textIs(page, "#message", /^The program mine ended: RuntimeError: boom$/);
  answer = () => "bestmove 1,1";
  await press(page, "Go on");
  await textIs(page, "#message", /1,1 is taken/);
  answer = () => "bestmove 1,2";
  await pressed(page, "Go on", /O played 1,2. Your turn/);
  // A question that is taken back is not answered later.
  answer = () => "";
  await play(page, "2,0", /O is thinking, about a second/);
  await pressed(page, "Undo", /Your turn/);
  answer = () => "bestmove 2,1";
  await enter(page, "size", "4");
  await squaresAre(page, 16);
  await play(page, "3,3", /O played 2,1. Your turn/);
  equal([games.length, games[1][0], games[1].filter((line) => line === "newgame").length], [2, "setoption name size value 4", 1], "the second connection");
  answer = () => "bestmove 3,5";
  await enter(page, "columns", "6");
  await squaresAre(page, 24);
  await play(page, "0,5", /O played 3,5. Your turn/);
  equal(games[1].slice(-4), ["setoption name columns value 6", "newgame", "position startpos moves 0,5", "go movetime 1000"], "what the program hears of a rectangle");
});

await check("the link and the picture of what is shown can be taken along", async () => {
  const page = await open("#size=4&connect=3&x=person&o=person&moves=1,1+0,0", { early: () => {
    globalThis.copied = [];
    navigator.clipboard.writeText = async (text) => globalThis.copied.push(text);
  } });
  await play(page, "2,2", /X played 2,2/);
  await showValues(page, "exact");
  const [saved] = await Promise.all([page.waitForEvent("download"), press(page, "Save picture")]);
  equal(saved.suggestedFilename(), "noughts-4x4.svg", "the name of the picture");
  const picture = readFileSync(await saved.path(), "utf8");
  const values = (await labels(page)).flat().filter((label) => !/^[XO]$/.test(label));
  equal([...picture.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text), values, "the values in the picture");
  equal(picture.match(/<path/g).length, 3, "stones in the picture");
  await press(page, "Copy link");
  await textIs(page, "#copy-link", /Copied/);
  await page.locator("label[for=view-search]").click();
  await stepsArrived(page);
  await textIs(page, "#copy-link", /Copy link/);
  await press(page, "Copy link");
  await textIs(page, "#copy-link", /Copied/);
  const links = await page.evaluate(() => globalThis.copied);
  expect(/^#size=4&connect=3&moves=1,1\+0,0\+2,2&x=person&o=person&values=exact$/.test(new URL(links[0]).hash), `the link: ${links[0]}`);
  expect(/view=search$/.test(links[1]), `the link to what is watched: ${links[1]}`);
  await page.locator("#about > summary").click();
  expect(/^Noughts \d+\.\d+\.\d+/.test(await page.locator("#about p").first().innerText()), "the version is not told");
});

/** The shape of the board on the page, as its grid, its rows and its numbers tell it. */
const shape = (page, board = "#board") => page.locator(`${board} .grid`).evaluate((grid) => {
  const frame = grid.parentElement;
  const rows = [...grid.querySelectorAll("[role=row]")];
  return [
    ["rowcount", "colcount"].map((name) => Number(grid.getAttribute(`aria-${name}`))),
    [rows.length, new Set(rows.map((row) => row.children.length)).size === 1 ? rows[0].children.length : NaN],
    [".rows", ".columns"].map((side) => frame.querySelector(side).children.length),
  ].map((sides) => sides.join("x"));
});

async function boardIs(page, words, rules) {
  await textIs(page, "#rules-words", new RegExp(`^${rules}$`));
  equal(await shape(page), Array(3).fill(words), `the board of ${rules}`);
}

await check("a rectangle is played to the end, by clicks and by keys", async () => {
  const page = await open("#columns=4&connect=3&x=person&o=perfect:10");
  await values(page, "exact");
  await playOn(page, async () => {
    await valuesArrived(page);
    return page.locator(".square.free.best").first();
  });
  expect(/You win$/.test(await status(page)), `3x4 ended with ${await status(page)}`);
  equal(await page.locator(".square.completed").count(), 3, "squares of the completed line");
  for (const [hash, last] of [["#size=4&columns=5&connect=4", "row 3, column 4"], ["#size=5&columns=3&reverse=true", "row 4, column 2"], ["#size=1&columns=9&connect=3", "row 0, column 8"]]) {
    const other = await open(`${hash}&x=person&o=auto:3`);
    const focused = () => other.evaluate(() => document.activeElement.getAttribute("aria-label"));
    await other.locator("#board [role=gridcell][tabindex='0']").focus();
    await keys(other, "End", "PageDown", "ArrowDown", "ArrowRight");
    expect((await focused()).startsWith(`${last}:`), `the last square of ${hash} is ${await focused()}`);
    for (;;) {
      await statusIs(other, /Your turn|draw|You win|You lost/);
      if (!/Your turn/.test(await status(other))) break;
      const [before, move] = [await stones(other), await other.locator(".square.free").first().getAttribute("data-move")];
      const [row, column] = move.split(",").map(Number);
      await keys(other, "Home", "PageUp", "ArrowUp", "ArrowLeft", ...Array(row).fill("ArrowDown"), ...Array(column).fill("ArrowRight"));
      expect((await focused()).startsWith(`row ${row}, column ${column}: empty`), `${move} of ${hash} is ${await focused()}`);
      await other.keyboard.press("Enter");
      await moreStones(other, before);
    }
    await other.close();
  }
});

await check("links of rectangles come back, and links without columns are squares", async () => {
  for (const [hash, words, rules] of [
    ["#size=5", "5x5", "5x5, 5 in a row wins"], ["#size=4&connect=3&reverse=true", "4x4", "4x4, 3 in a row loses"],
    ["#size=4&columns=9&connect=4", "4x9", "4x9, 4 in a row wins"], ["#connect=4&columns=9&size=4", "4x9", "4x9, 4 in a row wins"],
    ["#columns=5", "3x5", "3x5, 3 in a row wins"], ["#size=9&columns=4", "9x4", "9x4, 4 in a row wins"], ["#columns=0&size=4", "4x4", "4x4, 4 in a row wins"],
    ["#size=2&columns=5&connect=5&start=x4/5+o", "2x5", "2x5, 5 in a row wins"], ["#size=20&columns=1&connect=5", "20x1", "20x1, 5 in a row wins"],
  ]) {
    const page = await open(`${hash}&x=person&o=person`);
    await boardIs(page, words, rules);
    await page.close();
  }
  const first = await open("#size=4&columns=9&connect=4&x=person&o=person&undone=0,0");
  await play(first, "3,8", /O to move/);
  await play(first, "0,8", /X to move/);
  await first.waitForURL(/#size=4&columns=9&connect=4&moves=3,8\+0,8&x=/);
  const second = await open(new URL(first.url()).hash);
  await statusIs(second, /X to move/);
  equal([await labels(second), new URL(second.url()).hash], [await labels(first), new URL(first.url()).hash], "the game of the link");
  // A watched square beside a played rectangle, and the other way round.
  for (const [hash, squares] of [["#size=2&columns=5&connect=3&x=person&watch.size=3&watch.moves=1,1+0,0", 9], ["#x=person&watch.columns=4&watch.moves=1,1+0,0+2,2+0,3+1,2+1,0", 12]]) {
    const page = await watch(`${hash}&view=search&step=5`);
    await page.waitForFunction((count) => document.querySelectorAll("#watch-board [role=gridcell]").length === count, squares);
    await reload(page);
    await stepsArrived(page);
    equal(await page.locator("#watch-board [role=gridcell]").count(), squares, `squares that are watched after a reload of ${hash}`);
    await page.close();
  }
  for (const [hash, words] of [["#columns=21", /columns accepts a whole number from 0 to 20/], ["#columns=4&start=3/3/3+x", /./], ["#columns=4&moves=0,4", /0,4/]]) {
    const page = await open(hash);
    await page.waitForFunction(() => document.querySelector("#message").textContent);
    expect(words.test(await message(page)), `${hash} is told as ${await message(page)}`);
    await boardIs(page, "3x3", "3x3, 3 in a row wins");
    await page.close();
  }
});

await check("rows and columns can be set in any order, and an empty field makes a square", async () => {
  const fields = async (page) => [await page.locator("#size").inputValue(), await page.locator("#columns").inputValue()];
  for (const order of [[["size", "4"], ["columns", "6"]], [["columns", "6"], ["size", "4"]]]) {
    const page = await open("#x=person&o=person");
    equal(await page.locator("#columns").getAttribute("placeholder"), "as rows", "the empty field");
    for (const [name, value] of order) {
      await enter(page, name, value);
      await page.waitForURL(new RegExp(`${name}=${value}`));
    }
    await boardIs(page, "4x6", "4x6, 4 in a row wins");
    equal(await fields(page), ["4", "6"], "the fields");
    await play(page, "3,5", /O to move/);
    await enter(page, "columns", "21");
    await textIs(page, "[data-option=columns] .refusal", /columns accepts a whole number from 0 to 20, not "21"/);
    equal([await fields(page), await stones(page)], [["4", "6"], 1], "after a refusal");
    await enter(page, "connect", "6");
    await textIs(page, "#rules-words", /^4x6, 6 in a row wins$/);
    await enter(page, "connect", "");
    await enter(page, "columns", "");
    await boardIs(page, "4x4", "4x4, 4 in a row wins");
    await enter(page, "size", "5");
    await boardIs(page, "5x5", "5x5, 5 in a row wins");
    await enter(page, "columns", "3");
    await boardIs(page, "5x3", "5x3, 3 in a row wins");
    await enter(page, "columns", "0");
    await boardIs(page, "5x5", "5x5, 5 in a row wins");
    await page.locator("#columns").blur();
    await pressed(page, "New game", /X to move/);
    equal(await fields(page), ["5", ""], "the fields of a square");
    expect(!page.url().includes("columns"), `the link of a square: ${page.url()}`);
    await page.close();
  }
  // Typed lines lead to the same boards.
  const page = await open("#x=person&o=person");
  await type(page, "setoption columns 5");
  await boardIs(page, "3x5", "3x5, 3 in a row wins");
  await type(page, "position startpos moves 0,4 2,0");
  await stonesAre(page, 2);
  equal(await labels(page), [["", "", "", "", "X"], ["", "", "", "", ""], ["O", "", "", "", ""]], "a typed position");
  await type(page, "setoption size 2");
  await boardIs(page, "2x5", "2x5, 2 in a row wins");
  await type(page, "setoption UCI_Variant tictactoe");
  await boardIs(page, "3x3", "3x3, 3 in a row wins");
  await play(page, "1,1", /O to move/);
});

await check("the picture of a rectangle has its shape and its name", async () => {
  const page = await open("#size=2&columns=5&connect=3&x=person&o=person&moves=1,4");
  await showValues(page, "exact");
  const [saved] = await Promise.all([page.waitForEvent("download"), press(page, "Save picture")]);
  equal(saved.suggestedFilename(), "noughts-2x5.svg", "the name of the picture");
  const picture = readFileSync(await saved.path(), "utf8");
  expect(picture.includes('viewBox="0 0 524 224" width="524" height="224"'), `the shape of the picture: ${picture.slice(0, 150)}`);
  equal([picture.match(/<path|<circle/g).length, picture.match(/<text/g).length], [1, 9], "stones and values in the picture");
  expect(picture.includes("translate(400 100)"), "the last square is missing");
});

await check("searches and random games of rectangles can be watched", async () => {
  for (const [moves, image] of [["0,0+2,0+0,3+2,3", "its mirror image, left and right exchanged"], ["0,0+2,0+2,3+0,3", "the same position turned by half"]]) {
    const page = await watch(`#columns=4&connect=4&moves=${moves}&x=person&view=search&search=alphabetasymmetryall`);
    equal(await shape(page, "#watch-board"), Array(3).fill("3x4"), "the board at hand");
    const found = await page.evaluate((wanted) => {
      const said = [];
      for (let step = 0; step < 1000 && !said.at(-1)?.startsWith(wanted) && !document.querySelector("#watch-on").disabled; step += 1) {
        document.querySelector("#watch-on").click();
        said.push(document.querySelector("#watch-now").textContent);
      }
      const frames = [...document.querySelectorAll("#watch-tree .frame")].map((frame) => frame.getAttribute("width") / frame.getAttribute("height"));
      return { known: said.filter((text) => text.startsWith("The table has")), frames, svg: document.querySelector("#watch-tree").innerHTML };
    }, `The table has ${image}:`);
    expect(found.known.at(-1)?.startsWith(`The table has ${image}:`), `nothing is known by ${image}: ${found.known}`);
    for (const words of found.known) expect(/It was met after/.test(words) && !/diagonal|quarter|an image/.test(words), words);
    expect(found.frames.length > 0 && found.frames.every((ratio) => Math.abs(ratio - 4 / 3) < 1e-9), `boards of the tree: ${found.frames}`);
    expect(!/NaN|undefined/.test(found.svg), "the tree is drawn with wrong numbers");
    await page.close();
  }
  const page = await watch("#columns=4&view=search");
  await page.locator("#example").selectOption("6");
  await page.waitForURL(/watch\.columns=4&watch\.moves=1,1\+0,0\+1,2/);
  await stepsArrived(page);
  await page.close();
  const games = await open("#size=2&columns=4&connect=3&moves=0,0&view=playouts&games=20");
  await gamesAre(games, 20);
  for (const board of ["playout", "totals", "expected"]) equal(await shape(games, `#${board}-board`), Array(3).fill("2x4"), `the board of ${board}`);
  const larger = await open("#columns=4&view=playouts&games=20");
  await textIs(larger, "#playout-now", /^After 20 games/);
  equal([await larger.locator("#expected-figure").isVisible(), await larger.locator("#totals-board .label").count()], [false, 12], "a board without an expectation");
});

await check("the expected line can be clicked, and is shown on the board", async () => {
  const page = await open("#moves=1,1+0,1&x=person&o=person&values=exact");
  await valuesArrived(page);
  const chips = page.locator("#expected button");
  const line = (await chips.allInnerTexts()).map((text) => text.slice(2));
  expect(line.length >= 3, `the line: ${line}`);
  for (const index of [2, 0, line.length - 1]) {
    await chips.nth(index).click();
    await page.waitForFunction((count) => document.querySelectorAll("#board .numbered").length === count, index + 1);
    equal(await page.locator('#board .numbered[data-number="1"]').getAttribute("data-move"), line[0], "the first move");
  }
  await page.locator("#board [role=gridcell][tabindex='0']").focus();
  await page.keyboard.press("Escape");
  await stonesAre(page, 2);
  equal(await page.locator("#moves li").count(), 2, "moves of the game");
});

await check("a match can be paused, and the sides swapped", async () => {
  const page = await open("#x=random:10&o=perfect:10");
  await page.locator("#speed").fill("3");
  await page.locator("#games").fill("3");
  await press(page, "Play the match");
  await press(page, "Pause");
  await page.waitForTimeout(300);
  const held = await stones(page);
  await page.waitForTimeout(500);
  equal(await stones(page), held, "stones while it is paused");
  await page.locator("#go-on").click();
  await textIs(page, "#score-games", /^3 games/, 60_000);
  equal(await page.locator("#score-x").innerText(), "0", "wins of random play against perfect play");
  const other = await open("#x=person&o=auto:3");
  await press(other, "Swap sides");
  await statusIs(other, /X played .* Your turn, O/);
  await pressed(other, "New game", /X played .* Your turn, O/);
});

await checkEverywhere("a link reproduces a position", async () => {
  const first = await open("#size=4&connect=3&reverse=true&x=person&o=person");
  await play(first, "1,1", /O to move/);
  await play(first, "2,3", /X to move/);
  await first.waitForURL(/moves=1,1\+2,3/);
  const second = await open(new URL(first.url()).hash);
  await statusIs(second, /X to move/);
  equal(await labels(second), await labels(first), "the board");
  equal(await second.locator("#rules-words").innerText(), "4x4, 3 in a row loses", "the rules");
  const old = await open("#size=4&connect=3&x=person&o=auto:5&moves=1,1+0,0");
  await statusIs(old, /O played 0,0. Your turn, X/);
});

await check("keyboard only, and what a screen reader reads", async () => {
  const page = await open("#x=person&o=person");
  await keys(page, "Tab", "Enter");
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  equal(await focused(), "row 1, column 1: empty", "where the keyboard begins");
  await page.keyboard.press("Enter");
  await statusIs(page, /X played 1,1/);
  equal(await focused(), "row 1, column 1: X", "the square that was played");
  await keys(page, "ArrowUp", "ArrowLeft", " ");
  await statusIs(page, /O played 0,0/);
  await page.keyboard.press("v");
  await valuesArrived(page);
  await keys(page, "ArrowRight");
  expect(/row 0, column 1: empty, [WDL]\d*, (win|draw|loss)/.test(await focused()), `the label has no value: ${await focused()}`);
  await page.keyboard.press("u");
  await statusIs(page, /X played 1,1/);
  await page.keyboard.press("r");
  await statusIs(page, /O played 0,0/);
  const reached = new Set();
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.parentElement?.id));
  }
  for (const id of ["new-game", "undo", "x-player", "o-player", "size", "columns", "connect", "reverse", "why-move", "drawer"]) {
    expect(reached.has(id), `the keyboard does not reach ${id}`);
  }
});

await check("a typed position is put on the board, a typed search holds nothing up", async () => {
  const page = await open("#x=person&o=person");
  await type(page, "setoption size 4");
  await type(page, "position startpos moves 0,0 3,3");
  await page.waitForFunction(() => document.querySelectorAll("[role=gridcell]").length === 16 && document.querySelectorAll("[data-held=x],[data-held=o]").length === 2);
  await say(page, "go infinite");
  await say(page, "query result");
  await play(page, "2,2", /X played 2,2/);
  const rows = await type(page, "query nonsense");
  expect(rows.some((row) => row.startsWith("info string error: query")), "an error is not shown");
  await play(page, "1,1", /O played 1,1/);
});

await checkEverywhere("stopping, reloading and losing the connection", async () => {
  const page = await open("#size=15&connect=5&x=person&o=perfect:10");
  await settings(page);
  await enter(page, "seconds", "600");
  await play(page, "7,7", /O is thinking/);
  await pressed(page, "Move now", /O played/);
  await page.locator(".square.free").first().click();
  await statusIs(page, /thinking/);
  await pressed(page, "Undo", /Your turn/);
  await reload(page);
  await say(page, "quit");
  await pressed(page, "Reconnect", /Your turn/);
  expect(await page.locator("#lost").isHidden(), "the notice stays");
  expect((await stones(page)) > 0, "the game is gone");
});

await check("every player is at its best, and thinks for a second, unless told otherwise", async () => {
  const page = await open("", { early: recordLines });
  const players = await page.locator("#o-player option").evaluateAll((all) => all.map(({ value }) => value).filter((value) => value !== "person"));
  expect(players.length >= 13, `players: ${players}`);
  const words = [];
  for (const player of players) {
    // A weaker player before must not make this one weaker; only where the level is offered it stays.
    await page.evaluate(() => (location.hash = "#x=person&o=auto:2"));
    await page.waitForFunction(() => document.querySelector("#o-level").value === "2");
    await page.evaluate(() => (globalThis.sentLines = []));
    await page.locator("#o-player").selectOption(player);
    if (player === "auto") await page.locator("#o-level").fill("10");
    words.push(await page.locator("#score-o-name").innerText());
    await play(page, "1,1", /O played/);
    const sent = await page.evaluate(() => globalThis.sentLines.filter((line) => /^go|name (level|player) /.test(line)));
    expect(!sent.some((line) => /level value [1-9]$/.test(line)), `${player} is weaker: ${sent}`);
    equal(sent.filter((line) => line.startsWith("go")), ["go movetime 1000"], `the time of ${player}`);
    equal(await page.locator("[data-option=level]:has(#o-level)").isVisible(), player === "auto", `the level of ${player}`);
    await page.waitForURL(new RegExp(`o=${player}(&|$)`));
  }
  // Names are words, and those of searches are the same where one watches.
  expect(words.every((name, index) => /^O, [A-Z]/.test(name) && !name.includes(players[index])), `names: ${words}`);
  const watched = await page.locator("#watch-search option").evaluateAll((all) => Object.fromEntries(all.map(({ value, text }) => [value, text])));
  const seated = await page.locator("#o-player option").evaluateAll((all) => Object.fromEntries(all.map(({ value, text }) => [value, text])));
  for (const [name, title] of Object.entries(watched)) equal(seated[name], title, `the name of ${name}`);
  for (const [hash, go] of [
    ["#o=montecarlo&seconds=2", "go movetime 2000"], ["#o=montecarlo&o.trials=50", "go"], ["#o=auto&seed=5", "go"], ["#o=perfect:5", "go movetime 1000"], ["#o=mcts&seed=5&seconds=2", "go movetime 2000"],
  ]) {
    await page.evaluate((link) => {
      location.hash = link;
    }, hash);
    await page.waitForFunction((count) => document.querySelectorAll("[data-held=x],[data-held=o]").length === count, 0);
    await page.evaluate(() => (globalThis.sentLines = []));
    await play(page, "0,0", /O played/);
    equal(await page.evaluate(() => globalThis.sentLines.filter((line) => line.startsWith("go"))), [go], `the limit at ${hash}`);
  }
  const weaker = await open("#o=perfect:5&x=person");
  equal([await weaker.locator("#o-level").inputValue(), await weaker.locator("#score-o-name").innerText()], ["5", "O, Perfect, level 5"], "a level of a link");
});

await checkEverywhere("a link brings back what is set, a reload what was taken back", async () => {
  const link = "#moves=1,1+0,0&undone=2,2+0,2&x=person&o=montecarlo:7&o.trials=500&o.score_current=2&o.score_other=0.5"
    + "&seed=7&seconds=5&values.trials=2000&values.score_current=3&values=exact";
  const page = await open(link);
  await stonesAre(page, 2);
  equal(new URL(page.url()).hash, link, "the link after it was read");
  equal(await page.locator("#moves li").count(), 4, "moves, with those taken back");
  const fields = ["o-level", "o-trials", "o-score_current", "o-score_other", "seed", "seconds", "values-trials", "values-score_current"];
  equal(await Promise.all(fields.map((id) => page.locator(`#${id}`).inputValue())), ["7", "500", "2", "0.5", "7", "5", "2000", "3"], "fields");
  expect(await page.locator("#values-exact").isChecked(), "values are not on");
  await reload(page);
  await stonesAre(page, 2);
  await press(page, "Redo");
  await stonesAre(page, 4);
  await page.waitForURL(/moves=1,1\+0,0\+2,2\+0,2&x=/);
  await enter(page, "o-trials", "750");
  await page.waitForURL(/o\.trials=750/);
  await settings(page);
  await enter(page, "seed", "9");
  await page.waitForURL(/seed=9/);
});

await check("a broken link says what is wrong, and leaves a board to play on", async () => {
  for (const [hash, words, held] of [
    ["#moves=1,1+1,1", /move 2: 1,1 is taken/, 0],
    ["#size=99", /size accepts a whole number from 1 to 20/, 0],
    ["#reverse=perhaps", /reverse accepts/, 0],
    ["#start=what", /what/, 0],
    ["#o=nobody:5&moves=1,1", /there is no player "nobody"/, 1],
    ["#o=auto:99&moves=1,1", /level accepts a whole number from 1 to 10/, 1],
    ["#o=montecarlo:5&o.trials=-1&o.score_other=lots&moves=1,1", /trials accepts .*\nscore_other accepts/, 1],
    ["#seed=1e400&seconds=0&values=all&colour=red", /seed accepts .*\nseconds: .*\n.*not all\n"colour"/, 0],
    ["#undone=9,9", /9,9/, 0],
    [`#moves=${"0,0+".repeat(20_000)}`, /a line may have 65536 bytes/, 0],
    [`#moves=${"%E0%A4%A".repeat(20)}&&=&=1&x`, /./, 0],
  ]) {
    const page = await open(hash.includes("&o=") || hash.startsWith("#o=") ? `${hash}&x=person` : hash);
    await page.waitForFunction(() => document.querySelector("#message").textContent);
    expect(words.test(await message(page)), `${hash} is told as ${await message(page)}`);
    await stonesAre(page, held);
    await pressed(page, "New game", /Your turn, X/);
    await play(page, "0,0", /O played/);
    await page.close();
  }
});

await check("a seed makes the same game again", async () => {
  const play = async () => {
    const page = await open("#size=5&connect=4&x=random&o=montecarlo:5&o.trials=100&seed=42");
    await page.locator("#speed").fill("3");
    await pressed(page, "Start", /A draw|wins/);
    return page.locator("#moves .move").allInnerTexts();
  };
  equal(await play(), await play(), "two games of one seed");
});

await check("light and dark can be chosen, and are remembered", async () => {
  const ground = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const early = () => new MutationObserver((_, observer) => {
    if (!document.body) return;
    globalThis.themeAtFirst = document.documentElement.dataset.theme;
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
  const page = await open("", { early });
  const [light, dark] = [await ground(page), await ground(await open("", { scheme: "dark" }))];
  expect(light !== dark, "light and dark look the same");
  await page.locator("#theme-auto").focus();
  for (const [key, colour] of [["ArrowRight", light], ["ArrowRight", dark]]) {
    await page.keyboard.press(key);
    equal(await ground(page), colour, `the ground after ${key}`);
  }
  await reload(page);
  equal([await ground(page), await page.evaluate(() => globalThis.themeAtFirst)], [dark, "dark"], "after a reload");
  await page.locator("#theme-auto").focus();
  await page.keyboard.press("ArrowLeft");
  await page.locator("label[for=theme-auto]").click();
  equal(await ground(page), light, "the ground of the system");
  const forbidden = await open("", { early: () => Object.defineProperty(globalThis, "localStorage", { get() { throw new Error("no"); } }) });
  await forbidden.locator("label[for=theme-dark]").click();
  equal(await ground(forbidden), dark, "the ground where nothing can be kept");
});

await checkEverywhere("a reload, a closed tab and another link leave no search behind", async () => {
  const begin = async (page) => {
    await play(page, "7,7", /O is thinking/);
    await engineIs(true);
  };
  const link = "#size=15&connect=5&x=person&o=perfect:10&seconds=600";
  const page = await open(link);
  await engineIs(false);
  await begin(page);
  await page.reload();
  const took = [await engineIs(false)];
  await isReady(page);
  await pressed(page, "New game", /Your turn/);
  await begin(page);
  // Another link, entered during the search.
  await page.evaluate(() => (location.hash = "#size=4&moves=0,0"));
  await squaresAre(page, 16);
  took.push(await engineIs(false));
  const other = await open(link);
  await begin(other);
  await other.close();
  took.push(await engineIs(false));
  const typing = await open("#size=15&connect=5");
  await say(typing, "go infinite");
  await engineIs(true);
  await typing.goBack();
  took.push(await engineIs(false));
  console.log(`      idle after ${took.join(", ")} ms`);
});

await check("fast clicks anywhere do not break the page", async () => {
  const page = await open("#size=5&connect=4&x=person&o=montecarlo:5");
  for (let i = 0; i < 40; i += 1) {
    // Any control, whichever side is to move.
    await page.evaluate((n) => {
      const all = document.querySelectorAll("[role=gridcell], .controls button, #swap, .values input, #moves button, #strip button, #match, #why-move");
      all[(n * 7919) % all.length].click();
    }, i);
    if (i % 7 === 0) await page.waitForTimeout(60);
  }
  await press(page, "New game");
  await page.evaluate(() => (location.hash = "#x=person&o=person"));
  await statusIs(page, /^X to move/);
  await square(page, "1,1").dblclick();
  await statusIs(page, /X played 1,1. O to move/);
  await stonesAre(page, 1);
  await page.evaluate(() => (location.hash = "#size=6&connect=4&x=random&o=random"));
  await statusIs(page, /X \(Random\) to move/);
  await page.locator("#speed").fill("4");
  await press(page, "Play the match");
  await page.waitForTimeout(300);
  await enter(page, "size", "7");
  await squaresAre(page, 49);
  await page.locator("#speed").fill("1");
  await press(page, "Start");
  await press(page, "Pause");
  await page.locator("#x-player").selectOption("person");
  await page.locator("#o-player").selectOption("person");
  await pressed(page, "New game", /^X to move/);
});

await check("nonsense in the drawer, and two tabs at once", async () => {
  const page = await open("#x=person&o=person&moves=1,1");
  const other = await open("#x=person&o=auto:10&size=4");
  await page.bringToFront();
  const lines = ["☃ 𝔘nicode \u202e", "position startpos moves 9,9", "setoption size 0", "setoption name", "go go go", "\\\"<b>"];
  for (const line of lines) {
    await type(page, line);
  }
  await say(page, "x".repeat(70_000));
  equal((await type(page, "query position")).at(-1), "response 3/1x1/3 o", "the answer after a long line");
  equal(await labels(page), [["", "", ""], ["", "X", ""], ["", "", ""]], "the board after nonsense");
  equal(await page.locator("#moves li").count(), 1, "moves after nonsense");
  equal(await message(page), "", "the message after nonsense");
  expect(await page.evaluate(() => document.querySelector("#log b") === null), "a line was read as a part of the page");
  await say(page, "go infinite");
  await play(other, "1,1", /Your turn, X/);
  await stonesAre(other, 2);
  await play(page, "0,0", /O played 0,0/);
  await page.goto("about:blank");
  await page.goBack();
  await statusIs(page, /O played 0,0/);
  await play(page, "2,2", /X played 2,2/);
  equal(await stones(other), 2, "stones in the other tab");
});

await check("a page that finds no engine says so, and can try again", async () => {
  const page = await browser.tab({
    early: () => {
      for (const name of ["WebSocket", "Worker"]) {
        const Real = globalThis[name];
        globalThis[name] = class extends Real {
          constructor(address, options) {
            super(globalThis.isFull === false ? address : `${address}/full`, options);
          }
        };
      }
    },
  });
  await page.goto(address);
  await page.locator("#lost").waitFor();
  for (const id of ["new-game", "swap", "why-position"]) await page.locator(`#${id}`).click({ force: true });
  await page.evaluate(() => {
    location.hash = "#size=5&x=person&o=person";
    globalThis.isFull = false;
  });
  await pressed(page, "Reconnect", /X to move/);
  equal(await page.locator("[role=gridcell]").count(), 25, "squares");
  // The browser itself reports the refused connection.
  browser.complaints = browser.complaints.filter((text) => !/\/full|Failed to load resource/.test(text));
});

await check("a page whose engine does not answer says so, and can try again", async () => {
  const page = await browser.tab({
    early: () => {
      // The first engine is one that never comes.
      for (const name of ["WebSocket", "Worker"]) {
        const Real = globalThis[name];
        globalThis[name] = class {
          constructor() {
            globalThis[name] = Real;
          }
          postMessage() {}
          terminate() {}
          send() {}
          close() {}
        };
      }
    },
  });
  await page.clock.install();
  await page.goto(`${address}#x=person&o=person`);
  await page.clock.fastForward(14_000);
  expect(await page.locator("#lost").isHidden(), "the notice comes early");
  await page.clock.fastForward(2_000);
  await textIs(page, "#lost-words", /^The engine has not answered yet\.$/);
  await pressed(page, "Reconnect", /X to move/);
  await page.clock.fastForward(30_000);
  expect(await page.locator("#lost").isHidden(), "the notice stays");
  await play(page, "1,1", /O to move/);
});

await checkLooks("values move nothing", async () => {
  for (const width of [360, 1280]) {
    const page = await open("#moves=1,1+0,1&x=person&o=person", { width });
    const places = () => page.locator("#board, .controls, .values, .card").evaluateAll((all) => all.map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return [x, y + scrollY, width, height].map(Math.round);
    }));
    const before = await places();
    for (const mode of ["exact", "playouts", "off"]) {
      await values(page, mode);
      if (mode !== "off") await valuesArrived(page);
      await page.waitForTimeout(1500);
      equal(await places(), before, `places at ${width} px with values ${mode}`);
    }
  }
});

await checkLooks("a phone of 360 px never scrolls sideways", async () => {
  for (const hash of ["", "#size=20&connect=5&moves=9,9+10,10&x=montecarlo:5&o=mcts:10", "#size=5&reverse=true&x=perfect:10&o=random:10"]) {
    const page = await open(hash, { width: 360, height: 740 });
    await values(page, "exact");
    await press(page, "This position");
    await openDrawer(page);
    await settings(page);
    await page.waitForTimeout(1500);
    equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, `the width of ${hash || "the page"}`);
  }
});

await checkLooks("the board is whole on every screen, and as large as it can be", async () => {
  for (const [width, height, least] of [[390, 844, 340], [844, 390, 280], [360, 640, 320], [768, 1024, 600], [1280, 720, 360], [1280, 900, 520], [1920, 1080, 700]]) {
    for (const hash of ["", "#size=15&connect=5"]) {
      const page = await open(hash, { width, height });
      await statusIs(page, /Your turn/);
      const { top, bottom, left, right } = await page.locator("#board .grid").evaluate((grid) => grid.getBoundingClientRect().toJSON());
      expect(top >= 0 && left >= 0 && bottom <= height && right <= width, `the board of ${hash} at ${width}x${height}: ${[left, top, right, bottom]}`);
      expect(right - left >= least, `its width at ${width}x${height}: ${right - left}`);
      const controls = await page.locator("#new-game").evaluate((button) => button.getBoundingClientRect().bottom);
      expect(controls <= height, `the buttons at ${width}x${height} end at ${controls}`);
      equal(await page.evaluate(() => document.documentElement.scrollWidth), width, `the width of the page at ${width}x${height}`);
      for (const name of ["play", "search", "playouts"]) {
        if (hash) continue;
        await page.locator(`label[for=view-${name}]`).click();
        const fits = await page.locator(`label[for=view-${name}]`).evaluate((label) => label.scrollWidth <= label.clientWidth && label.getBoundingClientRect().right <= innerWidth);
        expect(fits, `the tab of ${name} at ${width}x${height}`);
      }
      await page.close();
    }
  }
});

await checkLooks("a rectangle is whole on every screen, and its squares are squares", async () => {
  // The least side of a square in pixels, at each size of a window.
  for (const [hash, ...least] of [
    ["#size=1&columns=9&connect=3", [1280, 900, 80], [390, 844, 37], [844, 390, 40]],
    ["#size=20&columns=5&connect=5", [1280, 900, 26], [390, 844, 20], [844, 390, 13], [360, 640, 14]],
    ["#size=5&columns=20&connect=5", [1280, 900, 36], [390, 844, 16], [844, 390, 18], [768, 1024, 32]],
    ["#size=4&columns=9&connect=4", [1280, 900, 80], [1280, 720, 62], [1920, 1080, 80]],
    ["#size=9&columns=4&connect=4", [1280, 900, 58], [390, 844, 48]],
    ["#size=20&columns=1&connect=5", [1280, 900, 25], [390, 844, 20]],
    ["#size=1&columns=20&connect=5", [1280, 900, 36], [390, 844, 15]],
  ]) {
    for (const [width, height, side] of least) {
      const page = await open(`${hash}&x=person&o=person`, { width, height });
      await statusIs(page, /X to move/);
      const where = `${hash} at ${width}x${height}`;
      const seen = await page.locator("#board").evaluate((frame) => {
        const box = (node) => node.getBoundingClientRect().toJSON();
        const cells = [...frame.querySelectorAll("[role=gridcell]")].map((cell) => ({ ...box(cell), move: cell.dataset.move.split(",").map(Number) }));
        const numbers = [".rows", ".columns"].map((name) => [...frame.querySelectorAll(`${name} span`)].map(box));
        const middle = ({ left, top, width, height }) => [top + height / 2, left + width / 2];
        // The distance of each number from the middle of its squares.
        const off = cells.flatMap((cell) => [0, 1].map((axis) => Math.abs(middle(numbers[axis][cell.move[axis]])[axis] - middle(cell)[axis])));
        return {
          grid: box(frame.querySelector(".grid")), buttons: box(document.querySelector("#new-game")).bottom, off: Math.max(...off), page: document.documentElement.scrollWidth,
          sides: cells.flatMap((cell) => [cell.width, cell.height]), inner: [...document.querySelectorAll(".play, .play *")].filter((node) => node.scrollWidth > node.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(node).overflowX)).length,
        };
      });
      const { left, top, right, bottom } = seen.grid;
      expect(left >= 0 && top >= 0 && right <= width && bottom <= height, `the board of ${where}: ${[left, top, right, bottom]}`);
      expect(seen.buttons <= height, `the buttons of ${where} end at ${seen.buttons}`);
      equal([seen.page, seen.inner], [width, 0], `the width of the page, and what scrolls beside the board, ${where}`);
      const [smallest, largest] = [Math.min(...seen.sides), Math.max(...seen.sides)];
      expect(smallest >= side && largest - smallest < 1.5, `the squares of ${where}: ${smallest} to ${largest} px`);
      expect(seen.off < 2, `a number of ${where} stands ${seen.off} px beside its squares`);
      await page.close();
    }
  }
});

await checkLooks("on a phone the settings are a sheet, and small squares ask again", async () => {
  const page = await open("#size=12&connect=5", { width: 390, height: 844, touch: true });
  await statusIs(page, /Your turn/);
  expect(!(await page.locator("#x-player").isVisible()), "the settings are there before they are opened");
  await press(page, "Settings");
  await page.locator("#o-player").selectOption("random");
  await press(page, "Done");
  expect(!(await page.locator("#x-player").isVisible()), "the sheet stays");
  for (const [move, words, count] of [["3,3", "Tap again to play 3,3.", 0], ["4,4", "Tap again to play 4,4.", 0]]) {
    await square(page, move).click();
    await textIs(page, "#message", new RegExp(`^${words}$`));
    equal(await stones(page), count, `stones after a tap on ${move}`);
  }
  const long = await open("#size=2&columns=20&connect=5&o=random", { width: 390, height: 844, touch: true });
  await square(long, "1,19").click();
  await textIs(long, "#message", /^Tap again to play 1,19.$/);
  await play(long, "1,19", /O played/);
  await square(page, "4,4").click();
  await statusIs(page, /O played/);
  equal(await page.locator("#moves .move").first().innerText(), " 4,4", "the move that was confirmed");
  const large = await open("#o=random", { width: 390, height: 844, touch: true });
  await play(large, "1,1", /O played/);
  const mouse = await open("#size=12&connect=5&o=random", { width: 390, height: 844 });
  await play(mouse, "4,4", /O played/);
});

const SEARCHES = ["minimax", "stopatwin", "alphabeta", "alphabetatable", "alphabetasymmetry", "alphabetasymmetryall", "negamax"];
const FOUR_STONES = "moves=0,0+1,1+2,2+0,2";

/** The things that a reader of the search view sees and hears. */
const WATCHED = ["#watch-tree", "#watch-now", "#watch-counter", "#watch-path", "#window"];
const watchedNow = (page) => page.evaluate((places) => places.map((place) => document.querySelector(place).innerHTML), WATCHED);

await check("every search counts its nodes to the end, and the bars say the same", async () => {
  for (const [position, hash] of [["four stones", FOUR_STONES], ["reverse", "reverse=true&moves=1,1+0,0+2,2"]]) {
    for (const search of SEARCHES) {
      const page = await watch(`#${hash}&view=search&search=${search}`);
      await page.locator("#watch-last").click();
      const [entered, all] = (await page.locator("#watch-counter").innerText()).replace(/ nodes$/, "").split(" of ");
      equal(entered, all, `nodes of ${search} at its last step, ${position}`);
      await countsArrived(page);
      equal(await page.locator("#counts [aria-pressed=true] .number").innerText(), all, `the bar of ${search}, ${position}`);
      expect(/The search is over/.test(await page.locator("#watch-now").innerText()), `the last words of ${search}`);
      await page.close();
    }
  }
});

await check("a search goes back as it went on, and a link opens it at its step", async () => {
  for (const [search, hash] of [["alphabetasymmetryall", "moves=0,0+1,1+2,2"], ["mcts", "moves=0,0+1,1&seed=3"], ["minimax", "size=4&connect=3&moves=0,0"]]) {
    const page = await watch(`#${hash}&view=search&search=${search}`);
    const differing = await page.evaluate((places) => {
      const squares = () => [...document.querySelectorAll("#watch-board [role=gridcell]")].map((node) => [node.className, node.ariaLabel]);
      const now = () => [...places.map((place) => document.querySelector(place).innerHTML), ...squares()].join();
      const walk = (button, steps) => Array.from({ length: steps }, () => {
        const shown = now();
        document.querySelector(button).click();
        return shown;
      });
      const there = [...walk("#watch-on", 150), now()];
      const back = [...walk("#watch-back", 150), now()].reverse();
      return there.flatMap((shown, step) => (shown === back[step] ? [] : [step]));
    }, WATCHED);
    equal(differing, [], `steps of ${search} that differ on the way back`);
    await page.close();
    // A fresh page, because a page may not change its address very often.
    const first = await watch(`#${hash}&view=search&search=${search}`);
    for (let step = 0; step < 20; step += 1) await first.keyboard.press("ArrowRight");
    await first.waitForURL(/step=20/);
    const again = await watch(new URL(first.url()).hash);
    const [shown, reopened] = [await watchedNow(first), await watchedNow(again)];
    equal([reopened[1], reopened[3]], [shown[1], shown[3]], `step 20 of ${search} from a link`);
    await first.close();
    await again.close();
  }
});

await checkEverywhere("watching by keyboard: steps, play and pause, moves on the board, views", async () => {
  const page = await open("#x=person&o=auto:5");
  await page.locator("#view-play").focus();
  await page.keyboard.press("ArrowRight");
  await stepsArrived(page);
  await page.waitForURL(/watch\.moves=0,0\+1,1\+2,2\+0,2.*view=search/);
  const step = () => page.locator("#watch-scrub").inputValue().then(Number);
  await page.locator("#watch-play").focus();
  for (const [key, wanted] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["End", 166], ["Home", 0]]) {
    await page.keyboard.press(key);
    equal(await step(), wanted, `the step after ${key}`);
  }
  await page.keyboard.press(" ");
  await page.waitForFunction(() => Number(document.querySelector("#watch-scrub").value) >= 3);
  await page.keyboard.press(" ");
  const held = await step();
  await page.waitForTimeout(700);
  equal(await step(), held, "the step after a pause");
  // A move on the board at hand: no player answers, and the search begins anew behind it.
  await page.keyboard.press("Home");
  await page.locator('#watch-board [data-move="1,1"]').focus();
  await keys(page, "ArrowDown", "Enter");
  await page.waitForURL(/moves=0,0\+1,1\+2,2\+0,2\+2,1/);
  await textIs(page, "#watch-counter", /of \d+ nodes/);
  await page.keyboard.press("u");
  await page.waitForURL(/watch\.moves=0,0\+1,1\+2,2\+0,2&watch\.undone=2,1/);
  await page.locator("#view-search").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(/view=playouts/);
  await page.waitForFunction(() => !document.querySelector("#playout-1").disabled);
  await page.locator("#playout-1").focus();
  await keys(page, "ArrowRight", "ArrowRight", "ArrowRight");
  await page.waitForURL(/games=3/);
  await page.locator("#view-playouts").focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => !/view=/.test(location.hash));
  expect(await page.locator("#board").isVisible(), "the board to play on is hidden");
});

await check("what is watched never changes the game that is played", async () => {
  const held = (page, place) => page.locator(`${place} [role=gridcell]`).evaluateAll((all) => all.map((cell) => cell.dataset.held ?? "").join(","));
  const board = (page) => held(page, "#board");
  const view = (page, name) => page.locator(`label[for=view-${name}]`).click();
  for (const hash of ["", "#x=person&o=person&moves=1,1+0,0&undone=2,2", "#size=4&connect=3&reverse=true&start=xo2/4/4/4+x&x=person&o=person&moves=3,3"]) {
    const page = await open(hash);
    const before = [await board(page), await status(page), await page.locator("#moves").innerText(), new URL(page.url()).hash];
    await view(page, "search");
    await stepsArrived(page);
    const begun = hash ? before[0] : "x,,o,,o,,,,x";
    equal(await held(page, "#watch-board"), begun, `the board that is watched first, ${hash}`);
    await page.locator("#watch-board .square.free").first().click();
    await page.waitForURL(/watch\.moves/);
    await page.locator("#example").selectOption("5");
    await page.waitForURL(/watch\.size=5/);
    await view(page, "playouts");
    await page.locator("label[for=playout-reverse]").click();
    await page.waitForURL(/watch\.reverse=true/);
    // A reload keeps both games.
    await reload(page);
    await page.waitForFunction(() => document.querySelectorAll("#totals-board [role=gridcell]").length === 25);
    await view(page, "play");
    await page.waitForFunction(() => !/view=/.test(location.hash));
    equal([await board(page), await status(page), await page.locator("#moves").innerText(), new URL(page.url()).hash], before, `the game after watching, ${hash}`);
    await page.close();
  }
  const bare = await open("#view=search&search=stopatwin");
  await stepsArrived(bare);
  equal(await bare.locator("#watch-board .square.free").count(), 9, "empty squares of a link without moves");
  // An engine whose turn it is answers when the person is back.
  const turn = await open("#size=15&connect=5&x=person&o=perfect&seconds=600");
  await play(turn, "7,7", /O is thinking/);
  await view(turn, "search");
  await stepsArrived(turn);
  await view(turn, "play");
  await statusIs(turn, /O is thinking/);
});

await check("keys belong to the view after any click in it", async () => {
  const page = await open("#moves=0,0+1,1&x=person&o=person");
  // Without motion a count does not run up.
  await page.emulateMedia({ reducedMotion: "reduce" });
  const reads = {
    search: { ready: stepsArrived, number: () => page.locator("#watch-scrub").inputValue().then(Number), board: "#watch-board", keys: [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowLeft", 1], ["Home", 0], ["ArrowRight", 1]] },
    playouts: {
      ready: () => page.waitForFunction(() => !document.querySelector("#playout-1").disabled),
      number: () => page.locator("#totals-title").innerText().then((text) => Number(text.replaceAll(",", "").replace("one", "1").match(/\d+/)[0])),
      board: "#totals-board",
      keys: [["ArrowRight", 1], [" ", 11], ["ArrowLeft", 10], ["End", 1010], ["Home", 0], ["ArrowRight", 1]],
    },
  };
  const view = () => page.evaluate(() => document.querySelector("main").dataset.view);
  for (const [name, { ready, number, board, keys }] of Object.entries(reads)) {
    const clicks = [
      `label[for=view-${name}]`, `label[for=view-${name}]`, "label[for=theme-dark]", "label[for=theme-auto]", `${board} .square.free`, "#watch-undo",
      ...(name === "search" ? ["#watch-on", "#watch-last", "#counts li:nth-child(1) button", "#counts li:nth-child(3) button"] : ["#playout-10", "label[for=playout-reverse]"]),
    ];
    for (const place of clicks) {
      await page.locator(place).first().click();
      await page.waitForTimeout(150);
      await ready(page);
      await page.keyboard.press("Home");
      for (const [key, wanted] of keys) {
        await page.keyboard.press(key);
        equal([await view(), await number()], [name, wanted], `the view and its number after a click on ${place} and ${key}`);
      }
    }
    if (name !== "search") continue;
    await page.locator("label[for=view-search]").click();
    await page.keyboard.press("End");
    expect((await number()) > 20, "End does not lead to the last step");
    for (const key of ["Home", " "]) await page.keyboard.press(key);
    await textIs(page, "#watch-play", /Pause/);
    await page.keyboard.press(" ");
    await textIs(page, "#watch-play", /Play/);
  }
});

await check("the totals of random games are what the games say, and tend to what is expected", async () => {
  const page = await open("#moves=0,0+1,1+2,2&view=playouts&values.score_current=2&values.score_other=0.5&games=37", { early: () => {
    globalThis.heard = [];
    const { addEventListener: listen } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (kind, listener, options) {
      if (kind === "line") listen.call(this, kind, ({ detail }) => detail.direction === "in" && globalThis.heard.push(detail.text));
      return listen.call(this, kind, listener, options);
    };
  } });
  await gamesAre(page, 37);
  const games = async () => [...new Set(await page.evaluate(() => globalThis.heard.filter((line) => line.startsWith("trace playout "))))];
  const squares = (place) => page.locator(`${place} .square.free`).evaluateAll((all) => Object.fromEntries(all.map((node) => [node.dataset.move, node.querySelector(".label").textContent.replace("−", "-")])));
  const totals = (lines) => {
    const sums = {};
    for (const line of lines) {
      const [, result, moves] = /result (\w+) moves (.*)/.exec(line);
      const sign = { win: 1, draw: 0, loss: -1 }[result];
      for (const [index, move] of moves.split(" ").entries()) sums[move] = (sums[move] ?? 0) + sign * (index % 2 ? -0.5 : 2);
    }
    return sums;
  };
  const near = (shown, sums, words) => {
    for (const [move, text] of Object.entries(shown)) expect(Math.abs(Number(text) - (sums[move] ?? 0)) <= 0.51, `${words} at ${move}: ${text}, not ${sums[move]}`);
  };
  const lines = await games();
  expect(lines.length === 10_000, `games sent: ${lines.length}`);
  near(await squares("#totals-board"), totals(lines.slice(0, 37)), "the total of 37 games");
  await page.locator("#playout-1000").click();
  await gamesAre(page, 1037);
  near(Object.fromEntries(Object.entries(await squares("#totals-board")).map(([move, text]) => [move, text.replace("k", "e3")])),
    Object.fromEntries(Object.entries(totals(lines.slice(0, 1037))).map(([move, sum]) => [move, Math.abs(sum) >= 1000 ? Number(sum.toPrecision(2)) : sum])), "the total of 1,037 games");
  // All games: the engine's own totals and its exact expectation are near.
  const told = await page.evaluate(() => globalThis.heard.filter((line) => line.startsWith("trace total ")));
  const all = totals(lines);
  for (const line of told) {
    const [, move, total, expected] = /move (\S+) playouts 10000 total (\S+) expected (\S+)/.exec(line);
    equal(all[move], Number(total), `the engine's total of ${move}`);
    expect(Math.abs(all[move] / 10_000 - Number(expected)) < 0.08, `${move}: mean ${all[move] / 10_000}, expected ${expected}`);
  }
  expect(/mistake that no number of games corrects/.test(await page.locator("#playout-now").innerText()), "the mistake is not told");
  // Weights and the reverse rule change what one sees.
  await enter(page, "watch-score_other", "3");
  await page.waitForURL(/values\.score_other=3.*games=1037/);
  const before = await squares("#expected-board");
  await page.locator("#playout-reverse").click();
  await page.waitForURL(/watch\.reverse=true&watch\.moves=0,0\+1,1\+2,2/);
  await page.waitForFunction((old) => {
    const now = [...document.querySelectorAll("#expected-board .square.free .label")].map((node) => node.textContent);
    return now.every(Boolean) && JSON.stringify(now) !== old;
  }, JSON.stringify(Object.values(before)));
});

await checkLooks("the views in which one watches fit a phone and broken links", async () => {
  for (const hash of ["#view=search&search=minimax&step=300", "#columns=20&size=2&connect=3&moves=0,0+1,1&view=search&step=90", "#size=1&columns=9&connect=3&view=playouts&games=20", "#view=search&search=mcts&size=5&connect=4&moves=2,2&step=400", "#view=playouts&games=1000", "#view=playouts&size=12&connect=5&games=50"]) {
    for (const width of [360, 390]) {
      const page = await open(hash, { width, height: 800 });
      await page.waitForTimeout(1500);
      equal(await page.evaluate(() => document.documentElement.scrollWidth), width, `the width of ${hash}`);
      await page.close();
    }
  }
  const page = await open("#view=search&search=guess&step=1e9&pace=77");
  await textIs(page, "#watch-message", /there is no search "guess"\nstep: .*\npace: /);
  await stepsArrived(page);
  const over = await open("#view=search&moves=0,0+1,0+0,1+1,1+0,2");
  await textIs(over, "#watch-now", /The game is over/);
});

/** The findings of axe, of all or of these weights. */
async function findings(page, impacts) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run());
  return violations.filter(({ impact }) => !impacts || impacts.includes(impact)).map(({ id, nodes }) => [id, nodes.map((node) => node.target.join(" "))]);
}

for (const scheme of ["light", "dark"]) {
  await checkLooks(`accessibility, ${scheme}`, async () => {
    for (const [hash, mode] of [["#x=person&o=person&moves=1,1+0,1", "exact"], ["#x=random:10&o=montecarlo:3&size=5", "playouts"], ["#moves=0,0+1,0+0,1+1,1+0,2", "off"]]) {
      const page = await open(hash, { scheme });
      await values(page, mode);
      await openDrawer(page);
      await settings(page);
      await page.waitForTimeout(1200);
      equal(await findings(page, ["serious", "critical"]), [], `findings, values ${mode}`);
    }
    for (const [width, height, hash, places] of [
      [390, 844, "#moves=1,1+0,1&x=person&o=person", ["#open-settings"]], [844, 390, "#o=auto:3", ["#open-settings"]],
      [390, 844, "#size=5&start=2o2/5/2x2/5/5+x&x=person&o=person", ["#why-position", "#about > summary"]], [1920, 1080, "#moves=1,1+0,1&x=person&o=person", ["#why-move", "#about > summary"]],
    ]) {
      const page = await open(hash, { scheme, width, height });
      for (const place of places) await page.locator(place).click();
      await page.waitForTimeout(1500);
      equal(await findings(page), [], `findings after ${places} at ${width}x${height}`);
      await page.close();
    }
  });

  await checkLooks(`accessibility of what one watches, ${scheme}`, async () => {
    for (const hash of [`#${FOUR_STONES}&view=search&step=120`, "#moves=0,0+1,1&view=search&search=mcts&step=300", "#view=playouts&games=20"]) {
      for (const width of [390, 1280]) {
        const page = await open(hash, { scheme, width });
        await page.waitForTimeout(1500);
        equal(await findings(page), [], `findings at ${hash}, ${width} px`);
        await page.close();
      }
    }
  });
}

if (kind === "offline") {
  await checkEverywhere("every file of the page is there", async () => {
    const page = await open();
    const worker = readFileSync("target/page/service-worker.js", "utf8");
    const names = JSON.parse(/const FILES = (\[.*\])\.map/.exec(worker)[1]);
    expect(names.length > 20, `only ${names.length} files`);
    for (const name of names) {
      const digest = await page.evaluate(async (file) => {
        const hash = await crypto.subtle.digest("SHA-256", await (await fetch(file)).arrayBuffer());
        return [...new Uint8Array(hash)];
      }, name);
      const bytes = readFileSync(`target/page/${name === "./" ? "index.html" : name}`);
      equal(digest, [...createHash("sha256").update(bytes).digest()], `the SHA-256 of ${name}`);
    }
  });

  await checkEverywhere("another version below another path of the origin opens too", async () => {
    for (const visited of [other, address, other]) {
      const page = await browser.tab();
      await page.goto(`${visited}#x=person&o=perfect`);
      await statusIs(page, /Your turn/);
      await play(page, "1,1", /O played/);
    }
  });
}

if (kind === "static") {
  await check("the page can be installed", async () => {
    const page = await open();
    await page.evaluate(() => navigator.serviceWorker.ready);
    equal(await browser.installabilityErrors(page), [], "what the browser holds against it");
  });

  await check("opened as a file it says why it does not play", async () => {
    const page = await browser.tab();
    await page.goto(pathToFileURL(resolve("target/page/index.html")).href);
    expect(/python3 -m http\.server/.test(await page.locator("p.notice").first().innerText()), "there is no notice");
    equal(await status(page), "Not started", "the status");
    browser.complaints = [];
  });

  await check("a first move, with the page slowed down four times", async () => {
    const page = await browser.tab();
    await browser.slowDown(page, 4);
    const begun = Date.now();
    await page.goto(address);
    await statusIs(page, /Your turn/);
    const ready = Date.now() - begun;
    await play(page, "1,1", /O played/);
    console.log(`      ready after ${ready} ms, the answer after ${Date.now() - begun} ms, a pause of 250 ms for people included`);
  });

  await check("a panic of the engine is told, and the game goes on", async () => {
    // No line makes the engine panic, so `scripts/check-web` has put a page beside this one whose engine knows such a line.
    const page = await browser.tab();
    await page.goto(`${new URL("../panicking/", address)}#x=person&o=person&moves=1,1`);
    await isReady(page);
    await say(page, "panic");
    await textIs(page, "#message", /The engine has stopped: .*capacity overflow.*It was started again/s);
    await play(page, "0,0", /O played 0,0/);
    await say(page, "panic");
    await page.locator("#lost").waitFor();
    await pressed(page, "Reconnect", /O played 0,0/);
    await play(page, "2,2", /X played 2,2/);
  });
}

await browser.end();
console.log(failures ? `${failures} checks failed` : "all checks passed");
process.exit(failures ? 1 : 0);
