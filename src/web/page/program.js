// A program of the reader's, which the server has seated. It speaks a few lines of the protocol over a connection of its own:
// the options of the game, `newgame`, `position` and `go movetime`, answered by `bestmove`, or by `error` and a sentence.

export class Program {
  #socket = null;
  #options = new Map();
  #position = "";
  #finish = null;

  /** Ask for a move. `answer` resolves to `lines` and `errors`, as a session's answer does, or to null if it was cancelled. */
  ask({ options, position, seconds }) {
    this.cancel();
    const answer = new Promise((resolve) => (this.#finish = resolve));
    const lines = this.#settings(options);
    if (lines.length || !this.#position || !`${position} `.startsWith(`${this.#position} `)) lines.push("newgame");
    this.#position = position;
    this.#send([...lines, position, `go movetime ${seconds * 1000}`]);
    return { answer, seconds, isProgram: true, cancel: () => this.cancel() };
  }

  /** Drop a question. An answer that comes later would be for another position, so the connection ends with it. */
  cancel() {
    if (!this.#finish) return;
    const socket = this.#socket;
    this.#end(null);
    this.#forget();
    socket?.close();
  }

  #settings(options) {
    const changed = Object.entries(options).filter(([name, value]) => this.#options.get(name) !== value);
    this.#options = new Map(Object.entries(options));
    return changed.map(([name, value]) => `setoption name ${name} value ${value}`);
  }

  #send(lines) {
    const sendTo = (socket) => {
      for (const line of lines) socket.send(line);
    };
    if (this.#socket?.readyState === WebSocket.OPEN) {
      sendTo(this.#socket);
      return;
    }
    const address = new URL("program", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => sendTo(socket);
    socket.onmessage = ({ data }) => socket === this.#socket && this.#hear(String(data));
    socket.onclose = () => {
      if (socket !== this.#socket) return;
      this.#forget();
      this.#end({ lines: [], errors: ["The connection to the program is lost."] });
    };
  }

  #hear(line) {
    if (line.startsWith("bestmove ")) this.#end({ lines: [line], errors: [] });
    if (line.startsWith("error ")) this.#end({ lines: [], errors: [line.slice(6)] });
  }

  #end(answer) {
    const finish = this.#finish;
    this.#finish = null;
    finish?.(answer);
  }

  #forget() {
    this.#socket = null;
    this.#options = new Map();
    this.#position = "";
  }
}
