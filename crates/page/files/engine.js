// The engine in WebAssembly: lines in, lines out, in one thread.
//
// A search runs in slices of a few milliseconds. At the end of a slice the module calls `pause`, its stack is kept in its
// memory (Asyncify), and the lines that have come meanwhile are handed in. Then the search goes on where it was.

/** The next step that the module wants. */
const NEXT = { proceed: 1, search: 2, end: 3 };

/** States of Asyncify. */
const SUSPENDING = 1;
const RESUMING = 2;

export class Engine {
  #module;
  #memory;
  #say;
  #panic = "";
  #searching = false;
  #resuming = false;
  #stack;
  #alarm;
  #turn = new MessageChannel();
  #turnIsDue = false;
  #onEnd;

  /**
   * The engine of a compiled module. `say` gets each line; `onEnd` is called once, with the text of the panic, or with
   * nothing when the session is over.
   */
  static async start(module, say, onEnd) {
    const engine = new Engine();
    engine.#say = say;
    engine.#onEnd = onEnd;
    const instance = await WebAssembly.instantiate(module, { worker: engine.#imports() });
    engine.#module = instance.exports;
    engine.#memory = instance.exports.memory;
    engine.#stack = engine.#module.suspended_stack();
    engine.#turn.port1.onmessage = () => {
      engine.#turnIsDue = false;
      engine.#guard(() => engine.#carryOn());
    };
    return engine;
  }

  /** Takes a line of the client. */
  receive(line) {
    this.#guard(() => {
      const bytes = new TextEncoder().encode(line);
      const place = this.#module.line_place(bytes.length);
      new Uint8Array(this.#memory.buffer, place, bytes.length).set(bytes);
      this.#module.receive();
      this.#proceed();
    });
  }

  #imports() {
    const bytes = (start, length) => new Uint8Array(this.#memory.buffer, start, length);
    const text = (start, length) => new TextDecoder().decode(bytes(start, length));
    return {
      now: () => performance.now(),
      fill_random: (start, length) => crypto.getRandomValues(bytes(start, length)),
      pause: () => this.#pause(),
      say: (start, length) => text(start, length).split("\n").slice(0, -1).forEach(this.#say),
      tell_panic: (start, length) => (this.#panic = text(start, length)),
    };
  }

  /** Called by a search: when it is to be suspended, and again when it has been resumed. */
  #pause() {
    if (this.#module.asyncify_get_state() === RESUMING) this.#module.asyncify_stop_rewind();
    else this.#module.asyncify_start_unwind(this.#stack);
  }

  /** One turn: lines first, then a slice of the search. */
  #carryOn() {
    if (this.#searching) this.#search();
    this.#proceed();
  }

  #proceed() {
    const next = this.#module.proceed();
    clearTimeout(this.#alarm);
    if (next === NEXT.end) return this.#end();
    if (next === NEXT.search) this.#searching = true;
    if (this.#searching || next === NEXT.proceed) this.#callSoon();
    const left = this.#module.milliseconds_left();
    if (left >= 0) this.#alarm = setTimeout(() => this.#guard(() => this.#proceed()), left);
  }

  #search() {
    if (this.#resuming) this.#module.asyncify_start_rewind(this.#stack);
    this.#module.search();
    this.#resuming = this.#module.asyncify_get_state() === SUSPENDING;
    if (this.#resuming) this.#module.asyncify_stop_unwind();
    this.#searching = this.#resuming;
  }

  /** A message to itself comes after the messages that wait, and without the pause of a timer. */
  #callSoon() {
    if (this.#turnIsDue) return;
    this.#turnIsDue = true;
    this.#turn.port2.postMessage(null);
  }

  /** A module that has panicked must not be called again. */
  #guard(work) {
    if (!this.#onEnd) return;
    try {
      work();
    } catch (error) {
      this.#end(this.#panic || String(error));
    }
  }

  #end(reason) {
    const onEnd = this.#onEnd;
    this.#onEnd = null;
    clearTimeout(this.#alarm);
    this.#turn.port1.close();
    onEnd?.(reason);
  }
}
