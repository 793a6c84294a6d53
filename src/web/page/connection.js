// The connection to the engine: it sends lines, receives lines, and tells whether it is open.

import { MAX_BYTES, Transport } from "./transport.js";

/** After so long people want to know that the engine has not come. It may still come: a network can be slow. */
const LATE_MS = 15_000;

export class Connection extends EventTarget {
  #transport = null;

  /** Opens the connection, instead of one that is not open yet. */
  open() {
    const replaced = this.#transport;
    const transport = new Transport({
      onOpen: () => this.dispatchEvent(new Event("open")),
      onLine: (text) => this.#line("in", text),
      onClose: (words, failure) => {
        // The end of a transport that has been replaced changes nothing.
        if (this.#transport !== transport) return;
        this.#transport = null;
        this.dispatchEvent(new CustomEvent("close", { detail: { words, failure } }));
      },
    });
    this.#transport = transport;
    replaced?.close();
    setTimeout(() => this.#transport === transport && !transport.isOpen && this.dispatchEvent(new Event("late")), LATE_MS);
  }

  get isOpen() {
    return this.#transport?.isOpen ?? false;
  }

  send(text) {
    if (!this.isOpen) return;
    // A frame is one line, even if a link or a field contains line breaks.
    const line = text.replace(/[\r\n]+/g, " ");
    this.#line("out", line);
    if (new TextEncoder().encode(line).length <= MAX_BYTES) this.#transport.send(line);
    else this.#line("in", `info string error: a line may have ${MAX_BYTES} bytes; this one was not sent`);
  }

  close() {
    this.#transport?.close();
  }

  #line(direction, text) {
    this.dispatchEvent(new CustomEvent("line", { detail: { direction, text } }));
  }
}
