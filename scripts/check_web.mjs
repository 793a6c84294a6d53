#!/usr/bin/env node
// Plays on the page of `noughts serve` in a headless Chromium, and says what it saw.
//
//   npm install playwright-core axe-core
//   node scripts/check_web.mjs http://127.0.0.1:8000/ [folder for screenshots]
//
// The two packages are taken from the current folder; Chromium is /usr/bin/chromium, or what CHROMIUM names.
// The exit code is 0 when every check has passed.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [address, pictures] = process.argv.slice(2);
if (!address) {
  console.error("usage: check_web.mjs URL [folder for screenshots]");
  process.exit(2);
}
const require = createRequire(join(process.cwd(), "package.json"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const profile = mkdtempSync(join(tmpdir(), "check-web-"));
const quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", ...quiet, "--disable-component-update", "--disable-sync"],
  viewport: { width: 1280, height: 900 },
});

let failures = 0;
let complaints = [];

function expect(condition, words) {
  if (!condition) throw new Error(words);
}

function equal(found, expected, words) {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value));
  expect(a === b, `${words}: found ${a}, expected ${b}`);
}

async function open(hash = "", { width = 1280, height = 900, scheme = "light" } = {}) {
  const page = await browser.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: scheme });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
  });
  await page.goto(address + hash);
  await page.waitForFunction(() => document.querySelector("[role=gridcell]"));
  return page;
}

async function check(name, work) {
  complaints = [];
  const begun = Date.now();
  try {
    await work();
    equal(complaints, [], "the console");
    console.log(`ok    ${name} (${Date.now() - begun} ms)`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL  ${name}\n      ${error.message}`, complaints);
  }
  for (const page of browser.pages().slice(1)) await page.close();
}

const square = (page, move) => page.locator(`[role=gridcell][data-move="${move}"]`);
const status = (page) => page.locator("#status").innerText();
const statusIs = (page, pattern) =>
  page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector("#status").textContent), [pattern.source], { timeout: 60_000 });
const values = (page, mode) => page.locator(`label[for=values-${mode}]`).click();
const stones = (page) => page.locator("[role=gridcell][data-held=x], [role=gridcell][data-held=o]").count();

/** The labels on the squares, row by row; stones as X and O. */
const labels = (page) =>
  page.locator("[role=row]").evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => (cell.dataset.held || cell.querySelector(".label").textContent).toUpperCase())),
  );

async function valuesArrived(page) {
  await page.waitForFunction(() => {
    const free = document.querySelectorAll(".square.free");
    return free.length && [...free].every((cell) => cell.dataset.kind);
  });
}

async function type(page, line) {
  if (!(await page.locator("#drawer").evaluate((drawer) => drawer.open))) await page.locator("#drawer > summary").click();
  await page.locator("#typed").fill(line);
  await page.locator("#typed").press("Enter");
  // The page asks for the position behind every line that somebody types.
  await page.waitForFunction((text) => {
    const rows = [...document.querySelectorAll("#log div")].map((row) => row.textContent);
    const sent = rows.lastIndexOf(`> ${text}`);
    return sent >= 0 && rows.slice(sent).some((row) => row.startsWith("response"));
  }, line);
  const rows = await page.locator("#log div").allInnerTexts();
  return rows.slice(rows.lastIndexOf(`> ${line}`) + 1);
}

/** What `eval` draws, as `labels` has it. */
function drawn(rows) {
  return rows.filter((row) => /^\d+ /.test(row)).map((row) => row.trim().split(/\s+/).slice(1, -1));
}

await check("a person draws against perfect on 3x3", async () => {
  const page = await open("#x=person&o=perfect:10");
  await values(page, "exact");
  while (!/draw|wins/.test(await status(page))) {
    await statusIs(page, /Your turn|draw|wins/);
    if (!/Your turn/.test(await status(page))) break;
    await valuesArrived(page);
    const before = await stones(page);
    // Where every move is as good, none is outlined.
    const best = page.locator(".square.free.best");
    await ((await best.count()) ? best : page.locator(".square.free")).first().click();
    await page.waitForFunction((count) => document.querySelectorAll("[data-held=x],[data-held=o]").length > count, before);
  }
  expect(/A draw/.test(await status(page)), `it ended with ${await status(page)}`);
  equal(await page.locator("#score-draws").innerText(), "1", "draws in the score");
});

await check("hints are what eval says, under both rules", async () => {
  const positions = [
    "", "#moves=1,1", "#moves=1,1+0,1", "#start=xo1/1x1/2o+x", "#reverse=true", "#reverse=true&moves=1,1+0,0", "#reverse=true&moves=0,0",
    "#size=4&reverse=true&start=xx2/oxox/x3/1oo1+o", "#size=4&connect=3&moves=1,1+0,0",
  ];
  for (const position of positions) {
    const page = await open(position);
    await values(page, "exact");
    await valuesArrived(page);
    const shown = await labels(page);
    await type(page, "setoption player perfect");
    equal(shown, drawn(await type(page, "eval")), `values of ${position || "the empty board"}`);
    await page.close();
  }
});

await check("Monte Carlo totals appear and grow to what was asked", async () => {
  const page = await open("#size=5&connect=4&x=person&o=person");
  await values(page, "playouts");
  await valuesArrived(page);
  await page.waitForFunction(() => document.querySelector("#value-source").textContent.startsWith("100,000"));
  expect((await page.locator(".square.best").count()) >= 1, "no highest total");
});

await check("undo, redo and jump", async () => {
  const page = await open("#x=person&o=person");
  for (const [index, move] of ["1,1", "0,0", "2,2", "0,2"].entries()) {
    await square(page, move).click();
    await page.waitForFunction((count) => document.querySelectorAll("[data-held=x],[data-held=o]").length === count, index + 1);
  }
  const held = (count) => page.waitForFunction((n) => document.querySelectorAll("[data-held=x],[data-held=o]").length === n, count);
  await page.getByRole("button", { name: "Undo" }).click();
  await held(3);
  await page.getByRole("button", { name: "Undo" }).click();
  await held(2);
  await page.getByRole("button", { name: "Redo" }).click();
  await held(3);
  await page.locator("#moves button").first().click();
  await held(1);
  await page.locator("#strip button").last().click();
  await held(4);
  await page.locator("#moves button").nth(1).click();
  await held(2);
  // Taken squares say that they are disabled; the engine says why.
  await square(page, "1,1").click({ force: true });
  await page.waitForFunction(() => /1,1 is taken/.test(document.querySelector("#message").textContent));
  await square(page, "2,0").click();
  await held(3);
  equal(await page.locator("#moves li").count(), 3, "moves after another one was played");
});

await check("reverse on 5x5 to the end", async () => {
  const page = await open("#size=5&reverse=true&x=person&o=auto:1");
  for (let turn = 0; turn < 13; turn += 1) {
    await statusIs(page, /Your turn|draw|wins/);
    if (!/Your turn/.test(await status(page))) break;
    const before = await stones(page);
    await page.locator(".square.free").first().click();
    await page.waitForFunction((count) => document.querySelectorAll("[data-held=x],[data-held=o]").length > count, before);
  }
  expect(/A draw|wins: . completed a line/.test(await status(page)), `it ended with ${await status(page)}`);
  if (!/A draw/.test(await status(page))) expect((await page.locator(".square.completed").count()) >= 5, "no completed line is shown");
  await page.waitForFunction(() => document.querySelectorAll("#strip [data-kind=open]").length === 0);
});

await check("two engines play 20 games and the score adds up", async () => {
  const page = await open("#x=random:10&o=montecarlo:10");
  await page.locator("#speed").fill("4");
  await page.getByRole("button", { name: "Play the match" }).click();
  await page.waitForFunction(() => document.querySelector("#score-games").textContent.startsWith("20 games"), undefined, { timeout: 120_000 });
  await page.waitForFunction(() => document.querySelector("#match").textContent === "Play the match");
  const points = await Promise.all(["x", "draws", "o"].map((key) => page.locator(`#score-${key}`).innerText()));
  equal(points.map(Number).reduce((sum, n) => sum + n), 20, `the sum of ${points.join(", ")}`);
});

await check("a match can be paused, and the sides swapped", async () => {
  const page = await open("#x=random:10&o=perfect:10");
  await page.locator("#speed").fill("3");
  await page.locator("#games").fill("3");
  await page.getByRole("button", { name: "Play the match" }).click();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.waitForTimeout(300);
  const held = await stones(page);
  await page.waitForTimeout(500);
  equal(await stones(page), held, "stones while it is paused");
  await page.locator("#go-on").click();
  await page.waitForFunction(() => document.querySelector("#score-games").textContent.startsWith("3 games"), undefined, { timeout: 60_000 });
  equal(await page.locator("#score-x").innerText(), "0", "wins of random play against perfect play");
  const other = await open("#x=person&o=auto:3");
  await other.getByRole("button", { name: "Swap sides" }).click();
  await other.getByRole("button", { name: "Start", exact: true }).click();
  await statusIs(other, /X played .* Your turn, O/);
  await other.getByRole("button", { name: "New game" }).click();
  await statusIs(other, /X played .* Your turn, O/);
});

await check("a link reproduces a position", async () => {
  const first = await open("#size=4&connect=3&reverse=true&x=person&o=person");
  await square(first, "1,1").click();
  await statusIs(first, /O to move/);
  await square(first, "2,3").click();
  await statusIs(first, /X to move/);
  const link = first.url();
  const second = await open(new URL(link).hash);
  await statusIs(second, /X to move/);
  equal(await labels(second), await labels(first), "the board");
  equal(await second.locator("#rules-words").innerText(), "4x4, 3 in a row loses", "the rules");
  const broken = await open("#moves=1,1+1,1");
  expect(/is taken/.test(await broken.locator("#message").innerText()), "a broken link is not explained");
});

await check("keyboard only, and what a screen reader hears", async () => {
  const page = await open("#x=person&o=person");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  equal(await focused(), "row 1, column 1: empty", "where the keyboard begins");
  await page.keyboard.press("Enter");
  await statusIs(page, /X played 1,1/);
  equal(await focused(), "row 1, column 1: X", "the square that was played");
  for (const key of ["ArrowUp", "ArrowLeft", " "]) await page.keyboard.press(key);
  await statusIs(page, /O played 0,0/);
  await page.keyboard.press("v");
  await valuesArrived(page);
  for (const key of ["ArrowRight"]) await page.keyboard.press(key);
  expect(/row 0, column 1: empty, [WDL]\d*, (win|draw|loss)/.test(await focused()), `the value is not told: ${await focused()}`);
  await page.keyboard.press("u");
  await statusIs(page, /X played 1,1/);
  await page.keyboard.press("r");
  await statusIs(page, /O played 0,0/);
  const reached = new Set();
  for (let i = 0; i < 60; i += 1) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.parentElement?.id));
  }
  for (const id of ["new-game", "undo", "x-player", "o-player", "size", "connect", "reverse", "why-move", "drawer"]) {
    expect(reached.has(id), `the keyboard does not reach ${id}`);
  }
});

await check("a typed position is put on the board, a typed search holds nothing up", async () => {
  const page = await open("#x=person&o=person");
  await type(page, "setoption size 4");
  await type(page, "position startpos moves 0,0 3,3");
  await page.waitForFunction(() => document.querySelectorAll("[role=gridcell]").length === 16 && document.querySelectorAll("[data-held=x],[data-held=o]").length === 2);
  await page.locator("#typed").fill("go infinite");
  await page.locator("#typed").press("Enter");
  await page.locator("#typed").fill("query result");
  await page.locator("#typed").press("Enter");
  await square(page, "2,2").click();
  await statusIs(page, /X played 2,2/);
  const rows = await type(page, "query nonsense");
  expect(rows.some((row) => row.startsWith("info string error: query")), "an error is not shown");
  await square(page, "1,1").click();
  await statusIs(page, /O played 1,1/);
});

await check("stopping, reloading and losing the connection", async () => {
  const page = await open("#size=15&connect=5&x=person&o=perfect:10");
  await page.locator("details > summary", { hasText: "More settings" }).click();
  await page.locator("#seconds").fill("600");
  await page.locator("#seconds").press("Enter");
  await square(page, "7,7").click();
  await statusIs(page, /O is thinking/);
  await page.getByRole("button", { name: "Move now" }).click();
  await statusIs(page, /O played/);
  await square(page, "7,6").click({ force: true });
  await statusIs(page, /thinking/);
  await page.getByRole("button", { name: "Undo" }).click();
  await statusIs(page, /Your turn/);
  await page.reload();
  await page.waitForFunction(() => document.querySelector("[role=gridcell]"));
  await page.locator("#drawer > summary").click();
  await page.locator("#typed").fill("quit");
  await page.locator("#typed").press("Enter");
  await page.getByRole("button", { name: "Reconnect" }).click();
  await statusIs(page, /Your turn/);
  expect(await page.locator("#lost").isHidden(), "the notice stays");
  expect((await stones(page)) > 0, "the game is gone");
});

await check("values move nothing", async () => {
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

await check("a phone of 360 px never scrolls sideways", async () => {
  for (const hash of ["", "#size=20&connect=5&moves=9,9+10,10&x=montecarlo:5&o=mcts:10", "#size=5&reverse=true&x=perfect:10&o=random:10"]) {
    const page = await open(hash, { width: 360, height: 740 });
    await values(page, "exact");
    await page.locator("#drawer > summary").click();
    await page.locator("details > summary", { hasText: "More settings" }).click();
    await page.getByRole("button", { name: "This position" }).click();
    await page.waitForTimeout(1500);
    equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, `the width of ${hash || "the page"}`);
  }
});

for (const scheme of ["light", "dark"]) {
  await check(`accessibility, ${scheme}`, async () => {
    for (const [hash, mode] of [["#x=person&o=person&moves=1,1+0,1", "exact"], ["#x=random:10&o=montecarlo:3&size=5", "playouts"], ["#moves=0,0+1,0+0,1+1,1+0,2", "off"]]) {
      const page = await open(hash, { scheme });
      await values(page, mode);
      await page.locator("#drawer > summary").click();
      await page.locator("details > summary", { hasText: "More settings" }).click();
      await page.waitForTimeout(1200);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => globalThis.axe.run());
      const grave = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
      equal(grave.map(({ id, nodes }) => [id, nodes.map((node) => node.target.join(" "))]), [], `findings, values ${mode}`);
    }
  });
}

if (pictures) {
  for (const [name, hash, options, mode] of [
    ["light", "#x=person&o=auto:5&moves=1,1+0,1", {}, "exact"],
    ["dark", "#size=5&connect=4&x=perfect:10&o=montecarlo:5&moves=2,2+1,1", { scheme: "dark" }, "playouts"],
    ["phone", "#x=person&o=auto:5&moves=1,1+0,1", { width: 360, height: 740 }, "exact"],
  ]) {
    const page = await open(hash, options);
    await values(page, mode);
    await page.waitForTimeout(2000);
    await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
  }
}

await browser.close();
rmSync(profile, { recursive: true, force: true });
console.log(failures ? `${failures} checks failed` : "all checks passed");
process.exit(failures ? 1 : 0);
