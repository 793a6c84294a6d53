// The conversation with the engine: one request at a time, each of which knows where its answer ends.
//
// A request is some options, a position and some lines, the last of which is a `query`. The engine carries lines out
// in order and answers each query with one line, so the request is over when its last query has been answered.
// A request that is no longer wanted resolves to null; if it searches, the search is stopped, and whatever it still
// says is dropped.

const SEARCHES = /^\s*(go|eval|explain)\b/i;
const QUERIES = /^\s*query\b/i;
const AT_ONCE = /^\s*(stop|isready|quit)\b/i;
const SETTING = /^\s*setoption\s+(?:name\s+)?(.+?)\s+(?:value\s+)?(\S+)\s*$/i;
const GAME = ["UCI_Variant", "size", "connect", "reverse"];

const isError = (line) => line.startsWith("info string error: ");

/** Why nothing was answered. */
export const LOST = "the connection is lost";

/** What an error is about; which command it was and what became of it, a person need not know. */
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

  /** The engine's options, by name: what `ugi` declares. */
  async introduce() {
    const answer = await this.ask({ lines: ["ugi", "query position"] }).answer;
    if (!answer) return null;
    const declared = new Map(answer.lines.map(declaration).filter(Boolean).map((option) => [option.name, option]));
    this.#defaults = new Map([...declared.values()].map(({ name, value }) => [name, value]));
    this.#options = new Map(this.#defaults);
    return declared;
  }

  /** What an option is set to, as far as the engine took it. */
  option(name) {
    return this.#options.get(name);
  }

  /**
   * Ask for something: `options` that must hold, a `position` line, `lines` that end with a query, `onLine` for what
   * comes on the way. Requests in the background make room for all others.
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

  /** A line that somebody typed. Resolves to the position behind it, or to null if it can have changed none. */
  async type(line) {
    if (AT_ONCE.test(line)) {
      this.#connection.send(line);
      return null;
    }
    const request = this.ask({ lines: [line, "query position"], typed: true });
    const answer = await request.answer;
    if (!answer) return null;
    this.#position = null;
    // What was refused has changed nothing, and neither has a question.
    if (answer.errors.length || SEARCHES.test(line) || QUERIES.test(line)) return null;
    const setting = SETTING.exec(line);
    const known = setting && [...this.#options.keys()].find((name) => name.toLowerCase() === setting[1].toLowerCase());
    if (known) this.#options.set(known, setting[2].toLowerCase());
    return answer.responses.at(-1);
  }

  #makeRoom(wish) {
    for (const request of [this.#running, ...this.#queue]) {
      if (request?.wish.background) request.cancel();
    }
    // A search that somebody typed would hold the game up; it answers, and the game goes on. Further typed lines wait.
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
    // Only a query that somebody typed can be wrong, and then an error takes the place of its response.
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
      // A seed other than 0 begins its random numbers anew, so it is said every time.
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
    // What was refused is not in force, and has to be said again.
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

/** `option name size type spin default 3 min 1 max 20` and its like. */
function declaration(line) {
  const match = /^option name (.+?) type (\w+)(?: default (.*?))?(?: min (-?\d+) max (-?\d+))?$/.exec(line);
  if (!match) return null;
  const [, name, type, rest = "", min, max] = match;
  const [value, ...choices] = rest.split(" var ");
  return { name, type, value: value.trim(), min, max, choices };
}
