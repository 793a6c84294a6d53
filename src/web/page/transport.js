// The way to the engine: a WebSocket to the server that this page comes from. The page without a server has another file
// of this name, where the engine stands in a worker of the page.

/** The server refuses longer lines, and much longer ones end the connection. */
export const MAX_BYTES = 64 * 1024;

/** The limits of the engine here, for people. */
export const LIMITS = "The server ends every search after 10 seconds, or after the time of --max-movetime.";

/** The name of the program that the server has seated; empty if there is none. */
export async function programName() {
  const answer = await fetch("program").catch(() => null);
  // The status is 204 if there is none.
  return answer?.status === 200 ? (await answer.text()).trim() : "";
}

export class Transport {
  #socket;

  /** Opens the way. `onOpen` is called once, `onLine` with each line, `onClose` with what to tell people when it ends. */
  constructor({ onOpen, onLine, onClose }) {
    const address = new URL("session", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new WebSocket(address);
    this.#socket.onopen = onOpen;
    this.#socket.onmessage = ({ data }) => onLine(String(data));
    this.#socket.onclose = () => onClose("The connection is lost.");
  }

  get isOpen() {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(line) {
    this.#socket.send(line);
  }

  close() {
    this.#socket.close();
  }
}
