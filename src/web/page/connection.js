// The socket to the engine: lines out, lines in, and whether there is one at all.

/** Longer lines would be refused, much longer ones even end the connection: they stay here. */
const MAX_BYTES = 64 * 1024;

export class Connection extends EventTarget {
  #socket = null;

  open() {
    const address = new URL("/session", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => this.dispatchEvent(new Event("open"));
    socket.onmessage = ({ data }) => this.#line("in", String(data));
    socket.onclose = () => {
      // A socket that has been replaced has nothing more to say.
      if (this.#socket !== socket) return;
      this.#socket = null;
      this.dispatchEvent(new Event("close"));
    };
  }

  get isOpen() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  send(text) {
    if (!this.isOpen) return;
    // A frame is one line, whatever a link or a field may hold.
    const line = text.replace(/[\r\n]+/g, " ");
    this.#line("out", line);
    if (new TextEncoder().encode(line).length <= MAX_BYTES) this.#socket.send(line);
    else this.#line("in", `info string error: a line may have ${MAX_BYTES} bytes; this one was not sent`);
  }

  close() {
    this.#socket?.close();
  }

  #line(direction, text) {
    this.dispatchEvent(new CustomEvent("line", { detail: { direction, text } }));
  }
}
