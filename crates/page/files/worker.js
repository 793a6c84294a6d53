// The engine's worker: it hands lines of the page to the engine, and lines of the engine to the page.

import { Engine } from "./engine.js";

/** Lines that have not been posted. Those of one turn go together. */
const lines = [];

function say(line) {
  if (!lines.length) queueMicrotask(() => postMessage({ lines: lines.splice(0) }));
  lines.push(line);
}

function end(reason) {
  postMessage({ lines: lines.splice(0), ended: { reason } });
}

// Lines that come before the engine is there wait in the promise.
const engine = open();
globalThis.onmessage = async ({ data }) => (await engine)?.receive(data);

async function open() {
  try {
    const file = await fetch(new URL("./engine.wasm", import.meta.url));
    if (!file.ok) throw new Error(`engine.wasm: ${file.status} ${file.statusText}`);
    const opened = await Engine.start(await WebAssembly.compile(await file.arrayBuffer()), say, end);
    postMessage({ opened: true });
    return opened;
  } catch (error) {
    end(`this browser cannot run it (${error.message})`);
    return null;
  }
}
