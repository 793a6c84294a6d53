// The session with the engine: one request at a time, and each request knows where its answer ends.
//
// A request is some options, a position and some lines, the last of which is a `query`. The engine carries lines out
// in order and answers each query with one line, so the request is over when its last query has been answered.
// A cancelled request resolves to null. If it searches, the page stops the search and drops the rest of its answer.

const SEARCHES = /^\s*(go|eval|explain|trace)\b/i;
const QUERIES = /^\s*query\b/i;
const AT_ONCE = /^\s*(stop|isready|quit)\b/i;
const SETTING = /^\s*setoption\s+(?:name\s+)?(.+?)\s+(?:value\s+)?(\S+)\s*$/i;
const GAME = ["UCI_Variant", "size", "columns", "connect", "reverse"];

const isError = (line) => line.startsWith("info string error: ");

/** The reason when there is no answer. */
export const LOST = "the connection is lost";

/** The text of an error for people: without the name of the command and without what stays unchanged. */
export const errorText = (line) => line.replace(/^info string error: (setoption: |position: )?/, "").replace(/; (it stays|the position is unchanged).*/, "");

class Request {
  lines = [];
  errors = [];
  responses = [];
  dropped = false;

  constructor(wish, stop) {
    this.wish = wish;
    this.stop = stop;
    this.answer = new Promise((resolve) => (this.resolve = resolve));
  }

  get searches() {
    return this.wish.lines.some((line) => SEARCHES.test(line));
  }

  cancel() {
    if (this.dropped) return;
    this.dropped = true;
    this.resolve(null);
    this.stop(this);
  }
}

export class Session {
  /** Gets the name and the value of each option that the reader has set by a typed line. */
  onSetting = null;
  engineName = "";
  #connection;
  #queue = [];
  #running = null;
  #defaults = new Map();
  #options = new Map();
  #position = null;

  constructor(connection) {
    this.#connection = connection;
    connection.addEventListener("line", ({ detail }) => {
      if (detail.direction === "in") this.#hear(detail.text);
    });
    connection.addEventListener("close", () => this.#forget());
  }

  get isOpen() {
    return this.#connection.isOpen;
  }

  /** The engine's options by name, as `ugi` declares them. */
  async introduce() {
    const answer = await this.ask({ lines: ["ugi", "query position"] }).answer;
    if (!answer) return null;
    const declared = new Map(answer.lines.map(declaration).filter(Boolean).map((option) => [option.name, option]));
    this.engineName = answer.lines.find((line) => line.startsWith("id name "))?.slice(8) ?? "Noughts";
    this.#defaults = new Map([...declared.values()].map(({ name, value }) => [name, value]));
    this.#options = new Map(this.#defaults);
    return declared;
  }

  /** The value of an option that the engine has accepted. */
  option(name) {
    return this.#options.get(name);
  }

  /**
   * Send a request: the `options` that it needs, a `position` line, `lines` that end with a query, and `onLine`, which
   * gets each line of the answer. Any other request cancels those in the background.
   */
  ask(wish) {
    const request = new Request(wish, (dropped) => this.#stop(dropped));
    if (!this.#connection.isOpen) {
      request.cancel();
      return request;
    }
    if (!wish.background) this.#makeRoom(wish);
    this.#queue.push(request);
    this.#next();
    return request;
  }

  /** Send a line that the reader typed. Resolves to the position after it, or to null if it cannot have changed it. */
  async type(line) {
    if (AT_ONCE.test(line)) {
      this.#connection.send(line);
      return null;
    }
    const request = this.ask({ lines: [line, "query position"], typed: true });
    const answer = await request.answer;
    if (!answer) return null;
    this.#position = null;
    // A refused line has changed nothing, and neither has a query or a search.
    if (answer.errors.length || SEARCHES.test(line) || QUERIES.test(line)) return null;
    const setting = SETTING.exec(line);
    const known = setting && [...this.#options.keys()].find((name) => name.toLowerCase() === setting[1].toLowerCase());
    if (known) {
      const value = setting[2].toLowerCase();
      this.#options.set(known, value);
      this.onSetting?.(known, value);
    }
    return answer.responses.at(-1);
  }

  /** End the search of a request early. Its answer still comes. */
  shorten(request) {
    if (request === this.#running) this.#connection.send("stop");
  }

  #makeRoom(wish) {
    for (const request of [this.#running, ...this.#queue]) {
      if (request?.wish.background) request.cancel();
    }
    // A typed search would delay the game: it is stopped, answers, and the game goes on. Further typed lines wait.
    if (!wish.typed && this.#running?.wish.typed && this.#running.searches) this.#connection.send("stop");
  }

  #stop(request) {
    if (request === this.#running && request.searches) this.#connection.send("stop");
    this.#queue = this.#queue.filter((other) => other !== request);
  }

  #next() {
    if (this.#running || !this.#queue.length) return;
    const request = this.#queue.shift();
    this.#running = request;
    const { options = {}, position, lines, typed } = request.wish;
    const outgoing = this.#settings(options);
    if (position && position !== this.#position) outgoing.push(position);
    outgoing.push(...lines);
    request.waitsFor = outgoing.filter((line) => QUERIES.test(line)).length;
    // Only a typed query can be wrong, and then an error takes the place of its response.
    request.mayFail = Boolean(typed) && QUERIES.test(lines[0]);
    for (const line of outgoing) {
      if (line.startsWith("position ")) this.#position = line;
      this.#connection.send(line);
    }
  }

  #settings(options) {
    const lines = [];
    for (const [name, value] of Object.entries(options)) {
      const text = String(value);
      // Setting a seed other than 0 restarts the random numbers, so it is sent every time.
      if (this.#options.get(name) === text && !(name === "seed" && text !== "0")) continue;
      lines.push(`setoption name ${name} value ${text}`);
      this.#options.set(name, text);
      if (GAME.includes(name)) this.#position = null;
    }
    return lines;
  }

  #hear(line) {
    const request = this.#running;
    if (!request || line === "readyok") return;
    const answersQuery = line.startsWith("response") || (request.mayFail && isError(line));
    request.lines.push(line);
    if (isError(line)) request.errors.push(line);
    if (answersQuery) {
      request.mayFail = false;
      request.responses.push(line.replace(/^response ?/, ""));
      request.waitsFor -= 1;
    }
    if (!request.dropped) request.wish.onLine?.(line);
    if (request.waitsFor === 0) this.#finish(request);
  }

  #finish(request) {
    // A refused option has kept its value, so the next request sends it again.
    for (const error of request.errors) {
      const said = Object.keys(request.wish.options ?? {});
      const refused = said.filter((name) => error.includes(`: ${name} `));
      if (error.includes("error: setoption")) for (const name of refused.length ? refused : said) this.#options.delete(name);
      if (error.includes("error: position")) this.#position = null;
    }
    this.#running = null;
    request.resolve(request.dropped ? null : request);
    this.#next();
  }

  #forget() {
    const requests = [this.#running, ...this.#queue];
    this.#running = null;
    this.#queue = [];
    this.#options = new Map(this.#defaults);
    this.#position = null;
    for (const request of requests) request?.resolve(null);
  }
}

/** Reads a line such as `option name size type spin default 3 min 1 max 20`. */
function declaration(line) {
  const match = /^option name (.+?) type (\w+)(?: default (.*?))?(?: min (-?\d+) max (-?\d+))?$/.exec(line);
  if (!match) return null;
  const [, name, type, rest = "", min, max] = match;
  const [value, ...choices] = rest.split(" var ");
  return { name, type, value: value.trim(), min, max, choices };
}
