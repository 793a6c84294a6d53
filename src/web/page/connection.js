// The socket to the engine: it sends lines, receives lines, and tells whether it is open.

/** The server refuses longer lines, and much longer ones end the connection: the page does not send them. */
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
      // The end of a socket that has been replaced changes nothing.
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
    // A frame is one line, even if a link or a field contains line breaks.
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
