#!/usr/bin/env node
// Takes the pictures of the README from the page of a running `noughts serve`. `scripts/check-web` runs it.
//
//   NODE_PATH=target/web/node_modules node scripts/web_pictures.mjs FOLDER URL

import { join } from "node:path";

import { Browser, countsArrived, gamesAre, statusIs, stepsArrived, textIs, values, valuesArrived } from "./web_browser.mjs";

const [folder, address] = process.argv.slice(2);
if (!address) {
  console.error("usage: web_pictures.mjs FOLDER URL");
  process.exit(2);
}

/** Monte Carlo values with a number of trials, so that the same picture can be taken again. */
const MAP = "#size=15&connect=5&x=person&o=person&moves=7,7+6,7+7,6+7,8+8,6+6,8+6,6+5,6&seed=1&values=playouts&values.trials=700000";

const exact = async (page) => {
  await values(page, "exact");
  await valuesArrived(page);
  await page.waitForFunction(() => !document.querySelector("#strip [data-kind=open]"));
};
const totals = (page) => textIs(page, "#value-source", /^700,000/);
const counted = async (page) => {
  await stepsArrived(page);
  await countsArrived(page);
};

/** Names, links, the size and colours of the page, the part to show, and the steps before the picture is taken. */
const PICTURES = [
  ["serve", "#x=person&o=auto&moves=1,1+0,1", {}, exact],
  ["serve-dark", MAP, { scheme: "dark" }, totals],
  ["watch", "#moves=0,0+1,1+1,2+2,1&view=search&step=45", { width: 1000, part: "#watch" }, counted],
  ["watch-tree-search", "#moves=0,0+1,1&view=search&search=mcts&step=1300", { width: 1000, part: "#watch" }, counted],
  ["watch-playouts", "#moves=0,0+1,1+2,2&view=playouts&games=1000", { width: 1000, part: "#playouts" }, (page) => gamesAre(page, 1000)],
];

const browser = await Browser.start(address);
for (const [name, hash, options, prepare] of PICTURES) {
  const page = await browser.open(hash, options);
  await statusIs(page, /move|turn|wins|draw/);
  await prepare(page);
  await page.waitForTimeout(600);
  const path = join(folder, `${name}.png`);
  if (options.part) await page.locator(options.part).screenshot({ path });
  else await page.screenshot({ path });
  await page.close();
}
await browser.end();
