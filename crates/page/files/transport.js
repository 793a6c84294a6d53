// The way to the engine: a worker of this page. The page of `noughts serve` has another file of this name, where it is a
// WebSocket.

/** The engine drops longer lines. */
export const MAX_BYTES = 64 * 1024;

/** The limits of the engine here, for people. */
export const LIMITS =
  "The engine runs inside this page: on one thread, with at most 256 MiB of Hash. " +
  "Installed, Noughts uses every core and as much memory as you give it.";

/** Without a server there is no program beside the engine. */
export const programName = async () => "";

export class Transport {
  #worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  #onClose;
  isOpen = false;

  /** Opens the way. `onOpen` is called once, `onLine` with each line, `onClose` when it ends: with what to tell people, and whether it failed. */
  constructor({ onOpen, onLine, onClose }) {
    this.#onClose = onClose;
    this.#worker.onmessage = ({ data }) => {
      if (data.lines) data.lines.forEach(onLine);
      if (data.opened) {
        this.isOpen = true;
        onOpen();
      }
      if (data.ended) this.#end(data.ended.reason);
    };
    this.#worker.onerror = (event) => this.#end(event.message || "its files cannot be read");
  }

  send(line) {
    this.#worker.postMessage(line);
  }

  close() {
    this.#end();
  }

  #end(reason) {
    if (!this.#onClose) return;
    const onClose = this.#onClose;
    this.#onClose = null;
    this.isOpen = false;
    this.#worker.terminate();
    if (reason) onClose(`The engine has stopped: ${reason}.`, true);
    else onClose("The engine has ended.");
  }
}
