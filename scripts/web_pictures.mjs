#!/usr/bin/env node
// Takes pictures of the page of a running `noughts serve`: those of the README, or those and one of every other state.
// `scripts/check-web` runs it.
//
//   NODE_PATH=target/web/node_modules node scripts/web_pictures.mjs --pictures|--all-pictures FOLDER URL

import { join } from "node:path";

import { Browser, gamesAre, openDrawer, say, statusIs, stepsArrived, values, valuesArrived } from "./web_browser.mjs";

const [which, folder, address] = process.argv.slice(2);
if (!address) {
  console.error("usage: web_pictures.mjs --pictures|--all-pictures FOLDER URL");
  process.exit(2);
}

const PHONE = { width: 360, height: 740 };
const DARK = { scheme: "dark" };
const FIVE = "#size=15&connect=5&x=person&o=person&moves=7,7+6,7+7,6+7,8+8,6+6,8+6,6+5,6&seed=1";

/** Monte Carlo values with a number of trials, so that the same picture can be taken again. */
const MAP = `${FIVE}&values=playouts&values.trials=700000`;

const totals = (page) => page.waitForFunction(() => document.querySelector("#value-source").textContent.startsWith("700,000"));
const told = (page) => page.waitForFunction(() => !document.querySelector("#strip [data-kind=open]"));
const exact = async (page) => {
  await values(page, "exact");
  await valuesArrived(page);
  await told(page);
};

const counted = async (page) => {
  await stepsArrived(page);
  await page.waitForFunction(() => [...document.querySelectorAll("#counts .number")].every((node) => /\d/.test(node.textContent)));
};
const games = (count) => (page) => gamesAre(page, count);

/** Names, links, the size and colours of the page, the part to show, and the steps before the picture is taken. */
const README = [
  ["serve", "#x=person&o=auto:5&moves=1,1+0,1+2,0+0,2", {}, exact],
  ["serve-dark", MAP, DARK, totals],
  ["watch", "#moves=0,0+1,1+2,2+0,2&view=search&step=93", { width: 1000, part: "#watch" }, counted],
  ["watch-tree-search", "#moves=0,0+1,1&view=search&search=mcts&step=1300", { width: 1000, part: "#watch" }, counted],
  ["watch-playouts", "#moves=0,0+1,1+2,2&view=playouts&games=1000", { width: 1000, part: "#playouts" }, games(1000)],
];

const STATES = [
  ["first", "", {}],
  ["first-dark", "", DARK],
  ["first-phone", "", PHONE],
  ["exact-phone", "#x=person&o=auto:5&moves=1,1+0,1", PHONE, exact],
  ["exact-dark", "#x=person&o=auto:5&moves=1,1+0,1", DARK, exact],
  ["five", MAP, {}, totals],
  ["five-phone", MAP, PHONE, totals],
  ["reverse", "#reverse=true&size=4&start=xx2/oxox/x3/1oo1+o", {}, exact],
  ["over", "#size=5&connect=4&x=person&o=person&moves=2,2+0,0+2,1+0,1+2,3+0,2+2,0", {}, told],
  ["over-dark-phone", "#x=person&o=person&moves=0,0+1,0+0,1+1,1+0,2", { ...DARK, ...PHONE }, told],
  ["match", "#x=montecarlo:5&o=mcts:10&x.trials=500&x.score_current=2&values=exact", {}, async (page) => {
    await page.locator("#games").fill("8");
    await page.locator("#match").click();
    await page.waitForFunction(() => /^[3-9] games/.test(document.querySelector("#score-games").textContent), undefined, { timeout: 90_000 });
    await page.waitForTimeout(1200);
  }],
  ["drawer", "#x=person&o=person&moves=1,1", {}, async (page) => {
    await openDrawer(page);
    await say(page, "d");
    await say(page, "eval");
    await say(page, "nonsense");
    await page.getByText("The last move").click();
    await page.waitForTimeout(1500);
  }],
  ["watch-first", "#view=search", {}, counted],
  ["watch-minimax", "#view=search&search=minimax&step=500", {}, counted],
  ["watch-negamax-dark", "#view=search&search=negamax&step=120", DARK, counted],
  ["watch-symmetry", "#moves=0,0+1,1+2,2&view=search&search=alphabetasymmetryall&step=162", {}, counted],
  ["watch-symmetry-dark-phone", "#moves=0,0+1,1+2,2&view=search&search=alphabetasymmetryall&step=162", { ...DARK, ...PHONE }, counted],
  ["watch-folded", "#moves=0,0&view=search&search=alphabeta&step=4000", {}, counted],
  ["watch-large", "#size=5&connect=4&moves=2,2+1,1&view=search&search=alphabeta&step=3001", {}, counted],
  ["watch-tree-search-phone", "#size=5&connect=4&moves=2,2+1,1&view=search&search=mcts&step=700", PHONE, counted],
  ["playouts-one", "#view=playouts&games=1", {}, games(1)],
  ["playouts-dark-phone", "#start=x1o/3/3+x&view=playouts&games=1000", { ...DARK, ...PHONE }, games(1000)],
  ["playouts-reverse-dark", "#reverse=true&view=playouts&games=10000&values.score_other=0", DARK, games(10000)],
  ["playouts-large", "#size=7&connect=4&moves=3,3+2,2&view=playouts&games=1000", {}, (page) => page.waitForTimeout(1500)],
  ["lost", "#moves=1,1", PHONE, async (page) => {
    await openDrawer(page);
    await say(page, "quit");
    await page.locator("#lost").waitFor();
    await page.evaluate(() => scrollTo(0, 0));
  }],
  ["broken-link", "#size=4&moves=0,0+0,0&o=nobody&seed=-1&values.trials=many&colour=red", {}, () => {}],
  ["settings-phone", "#x=montecarlo:5&o=montecarlolimit&seed=7", PHONE, async (page) => {
    await page.locator("details > summary", { hasText: "More settings" }).click();
    await page.locator("#x-score_current").fill("a lot");
    await page.locator("#x-score_current").press("Enter");
    await page.waitForTimeout(500);
  }],
];

const browser = await Browser.start(address);
for (const [name, hash, options, prepare] of which === "--all-pictures" ? [...README, ...STATES] : README) {
  const page = await browser.open(hash, options);
  await statusIs(page, /move|turn|wins|draw/);
  await prepare?.(page);
  await page.waitForTimeout(600);
  // A notice stands in the visible part of the page, which a full picture would not show.
  const path = join(folder, `${name}.png`);
  if (options.part) await page.locator(options.part).screenshot({ path });
  else await page.screenshot({ path, fullPage: name !== "lost" });
  await page.close();
}
await browser.end();
