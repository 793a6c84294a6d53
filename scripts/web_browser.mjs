// A headless Chromium that opens the page of `noughts serve`.
//
// The packages playwright-core and axe-core are taken from NODE_PATH; Chromium from the path, or it is what CHROMIUM names.

import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");

const QUIET = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

/** The system's data of a process: its state, its parent and so on; nothing once it has ended. */
export function processFields(id) {
  try {
    return readFileSync(`/proc/${id}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
  } catch {
    return [];
  }
}

export class Browser {
  /** Errors and warnings in the console of any page. */
  complaints = [];
  #address;
  #profile;
  #context;
  /** The requests of pages, of their workers and of service workers that have no answer yet, and when they were sent. */
  #pending = new Map();

  static async start(address) {
    const browser = new Browser();
    browser.#address = address;
    browser.#profile = mkdtempSync(join(tmpdir(), "check-web-"));
    browser.#context = await chromium.launchPersistentContext(browser.#profile, {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: ["--headless", ...QUIET, "--disable-component-update", "--disable-sync"],
    });
    browser.#context.on("request", (request) => browser.#pending.set(request, Date.now()));
    for (const end of ["requestfinished", "requestfailed"]) browser.#context.on(end, (request) => browser.#pending.delete(request));
    return browser;
  }

  /** A tab that shows the page at the link `hash`. */
  async open(hash = "", look = {}) {
    const page = await this.tab(look);
    await page.goto(this.#address + hash);
    await isReady(page);
    return page;
  }

  /** An empty tab. `early` runs first in each of its pages. */
  async tab({ width = 1280, height = 900, scheme = "light", early, touch = false } = {}) {
    const page = await this.#context.newPage();
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: scheme });
    if (touch) {
      const protocol = await this.#context.newCDPSession(page);
      await protocol.send("Emulation.setTouchEmulationEnabled", { enabled: true });
    }
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(String(error)));
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
    });
    if (early) await page.addInitScript(early);
    return page;
  }

  /** The numbers of all processes that this one has started, and those that they have started. */
  processes() {
    const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number);
    const parents = new Map(all.map((id) => [id, Number(processFields(id)[1])]));
    const isOurs = (id) => id !== undefined && (id === process.pid || isOurs(parents.get(id)));
    return all.filter((id) => id !== process.pid && isOurs(id));
  }

  /** The browser's objections to an installation of the page. */
  async installabilityErrors(page) {
    const protocol = await this.#context.newCDPSession(page);
    const { installabilityErrors } = await protocol.send("Page.getInstallabilityErrors");
    return installabilityErrors.map(({ errorId }) => errorId);
  }

  /** Slows the page of a tab down. Its workers keep their speed. */
  async slowDown(page, factor) {
    const protocol = await this.#context.newCDPSession(page);
    await protocol.send("Emulation.setCPUThrottlingRate", { rate: factor });
  }

  /**
   * The link of each tab, its words on the game, its workers, and the last lines between page and engine; then the requests
   * without an answer: what a failed check is judged by.
   */
  async shown() {
    const words = async () => {
      const drawer = document.querySelector("#drawer");
      if (drawer) drawer.open = true;
      await new Promise((resolve) => setTimeout(resolve, 500));
      const texts = ["#status", "#rules-words", "#message", "#lost-words"].map((id) => document.querySelector(id)?.textContent ?? "");
      return [...texts, ...[...document.querySelectorAll("#log > *")].slice(-16).map((line) => line.textContent.slice(0, 200))];
    };
    const pages = this.#context.pages().slice(1);
    const shown = await Promise.all(pages.map(async (page) => {
      const [said, ...workers] = await Promise.all([page.evaluate(words).catch(({ message }) => [message]), ...page.workers().map(workerWords)]);
      return [page.url(), ...workers, ...said];
    }));
    const waiting = [...this.#pending].map(([request, sent]) => `${request.method()} ${request.url()} for ${Date.now() - sent} ms`);
    return [...shown, [`${waiting.length} requests without an answer`, ...waiting]];
  }

  async closePages() {
    for (const page of this.#context.pages().slice(1)) await page.close();
    this.#pending.clear();
  }

  async end() {
    await this.#context.close();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Whether a worker runs, and which files it has got after how many milliseconds. */
async function workerWords(worker) {
  const files = () => performance.getEntriesByType("resource").map(({ name, responseEnd }) => `${name.split("/").pop()} ${Math.round(responseEnd)} ms`);
  const silence = new Promise((resolve) => setTimeout(resolve, 2000, ["it does not run"]));
  const said = await Promise.race([worker.evaluate(files).catch(({ message }) => [message]), silence]);
  return `worker ${worker.url()}: ${said.join(", ")}`;
}

/** The page has the engine's answer, and shows a board. */
export const isReady = (page) => page.waitForFunction(() => document.querySelector("[role=gridcell]"));

export const square = (page, move) => page.locator(`[role=gridcell][data-move="${move}"]`);

/** Show values of a kind on the squares. */
export const values = (page, mode) => page.locator(`label[for=values-${mode}]`).click();

export const openDrawer = (page) => page.locator("#drawer > summary").click();

export const status = (page) => page.locator("#status").innerText();

/** Wait until the text of an element matches a pattern. */
export const textIs = (page, selector, { source, flags }, timeout = 30_000) =>
  page.waitForFunction((wanted) => new RegExp(wanted.source, wanted.flags).test(document.querySelector(wanted.selector).textContent),
    { selector, source, flags }, { timeout });

export const statusIs = (page, pattern) => textIs(page, "#status", pattern, 60_000);

export async function valuesArrived(page) {
  await page.waitForFunction(() => {
    const free = document.querySelectorAll(".square.free");
    return free.length && [...free].every((cell) => cell.dataset.kind);
  });
}

/** The steps of a search are there. */
export const stepsArrived = (page) => page.waitForFunction(() => !document.querySelector("#watch-scrub").disabled, undefined, { timeout: 60_000 });

/** A search has counted the nodes of every search. */
export const countsArrived = (page) =>
  page.waitForFunction(() => [...document.querySelectorAll("#counts .number")].every((node) => /\d/.test(node.textContent)));

/** Random games have been counted, and what to expect of them is shown. */
export const gamesAre = (page, count) => textIs(page, "#playout-now", new RegExp(`^After ${count.toLocaleString("en")} games? .*expectation`));

/** Press a button. */
export const press = (page, name) => page.getByRole("button", { name, exact: true }).click();

/** Put a text into a field. */
export async function enter(page, id, text) {
  await page.locator(`#${id}`).fill(text);
  await page.locator(`#${id}`).press("Enter");
}

/** Open the further settings; on a small screen they stand in a sheet. */
export async function settings(page) {
  const sheet = page.locator("#open-settings");
  if (await sheet.isVisible()) await sheet.click();
  await page.locator("details > summary", { hasText: "More settings" }).click();
}

/** Type a line into the drawer, without waiting for the answer. */
export async function say(page, line) {
  if (!(await page.locator("#drawer").evaluate((drawer) => drawer.open))) await openDrawer(page);
  await enter(page, "typed", line);
}
