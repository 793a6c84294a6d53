#!/usr/bin/env node
// Takes the pictures of the README from the page of a running `noughts serve`. `scripts/check-web` runs it.
//
//   NODE_PATH=target/web/node_modules node scripts/web_pictures.mjs FOLDER URL

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { Browser, countsArrived, gamesAre, square, statusIs, stepsArrived, textIs, values, valuesArrived } from "./web_browser.mjs";

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
await takeMovingPicture();
await browser.end();

/** A short game against a weak opponent: what is done, and for how many seconds it is shown. */
async function takeMovingPicture() {
  const size = { width: 900, height: 780 };
  const page = await browser.open("#x=person&o=auto:2&seed=1", size);
  const click = async (move) => {
    await square(page, move).click();
    await statusIs(page, /Your turn|win/);
  };
  const steps = [
    [() => statusIs(page, /Your turn/), 1],
    [() => click("1,1"), 1.5],
    [() => exact(page), 2],
    [() => click("0,0"), 1.5],
    [() => click("2,0"), 1.5],
    [() => click("0,2"), 3],
  ];
  const frames = [];
  for (const [act, seconds] of steps) {
    await act();
    await page.waitForTimeout(600);
    frames.push({ seconds, image: (await page.screenshot({ type: "jpeg", quality: 80 })).toString("base64") });
  }
  if (!/win/.test(await page.locator("#status").innerText())) throw new Error("the game of the moving picture has not ended with a win");
  writeFileSync(join(folder, "serve.svg"), movingPicture(frames, size));
}

/** Frames one after the other, as a picture that moves without a script. A reader who wants no motion sees the last one. */
function movingPicture(frames, { width, height }) {
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  let begun = 0;
  const rules = frames.map(({ seconds }, number) => {
    const begin = (100 * begun) / total;
    begun += seconds;
    // Each frame covers those before it.
    return `@keyframes f${number}{0%{opacity:0}${begin.toFixed(2)}%{opacity:1}}.f${number}{animation:f${number} ${total}s step-end infinite}`;
  });
  const images = frames.map(({ image }, number) =>
    `<image class="f${number}" width="${width}" height="${height}" href="data:image/jpeg;base64,${image}"/>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
    `<title>A game on the page of noughts serve: ${frames.length} pictures, X wins</title>`,
    `<style>${rules.join("\n")}\n@media(prefers-reduced-motion){image{animation:none!important}}</style>`,
    ...images,
    "</svg>\n",
  ].join("\n");
}
