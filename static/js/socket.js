// The page's one line to the room: follows streams, resumes where it was, sends commands once.

import { heard, roughly } from "./clock.js";
import { windowName } from "./window_name.js";

const RETRY_FIRST_MS = 400;
const RETRY_MAX_MS = 15_000;
const CONNECT_MAX_MS = 8_000;
const CONNECT_HURRY_MS = 1_000;
const PING_EVERY_MS = 10_000;
const SILENCE_MAX_MS = 25_000;
const ANSWER_MAX_MS = 10_000;
const FINAL_BYES = new Set(["session_expired", "banned"]);

const parts = (id) => id.split("-").map(Number);

// How `id` follows `last`: "next", "old", or "gap" when something between them is missing.
export function follows(last, id) {
  const [epoch, seq] = parts(id);
  const [lastEpoch, lastSeq] = parts(last);
  if (epoch === lastEpoch) return seq === lastSeq + 1 ? "next" : seq <= lastSeq ? "old" : "gap";
  return epoch < lastEpoch ? "old" : "gap";
}

export class Line extends EventTarget {
  constructor(address) {
    super();
    this.address = address;
    this.streams = new Map();
    this.waiting = new Map();
    this.attempt = 0;
    this.state = "closed";
    this.ended = false;
    this.farewell = null;
    this.said = null;
    this.commands = 0;
    this.tab = Math.random().toString(36).slice(2, 10);
    setInterval(() => this.#ping(), PING_EVERY_MS);
    window.addEventListener("online", () => this.#hurry());
    document.addEventListener("visibilitychange", () => document.hidden || this.#hurry());
  }

  open() {
    if (this.ended || this.socket) return;
    this.#tell("connecting");
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.openedAt = Date.now();
    this.patience = setTimeout(() => this.#giveUp(), CONNECT_MAX_MS);
    socket.onmessage = (message) => this.socket === socket && this.#receive(message.data);
    socket.onclose = () => this.socket === socket && this.#lost();
  }

  // handler: {snapshot(state, id), events(events), taken_over(), disconnected(entries),
  // refused(message)}. A table is asked for; `take` takes it from the window that plays it, `watch`
  // leaves it to any.
  follow(stream, handler, { take = false, watch = false } = {}) {
    this.streams.set(stream, { handler, last: null, live: false, take, watch });
    if (this.state === "open") this.#subscribe(stream);
  }

  leave(stream) {
    this.streams.delete(stream);
    if (this.state === "open") this.#send({ type: "unsubscribe", stream });
  }

  // Ask once: an answer, a refusal, "line_lost" when nothing was sent, or "no_answer" when that is
  // open; a command is never sent a second time.
  command(message) {
    if (this.state !== "open") return Promise.resolve({ type: "refused", code: "line_lost" });
    this.commands += 1;
    const id = `${this.tab}-${this.commands}`;
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#answer(id, { type: "refused", code: "no_answer" }),
        ANSWER_MAX_MS,
      );
      this.waiting.set(id, { resolve, timer });
      this.#send({ ...message, id });
    });
  }

  #tell(state, detail = {}) {
    this.state = state;
    this.dispatchEvent(
      new CustomEvent("line", {
        detail: { state, attempt: this.attempt, bye: this.farewell, ...detail },
      }),
    );
  }

  #send(message) {
    this.socket.send(JSON.stringify(message));
  }

  #subscribe(stream) {
    const entry = this.streams.get(stream);
    entry.live = false;
    entry.handler.disconnected?.([]); // nobody, until it is told
    const wish = { type: "subscribe", stream };
    if (entry.last) wish.after = entry.last;
    // A tab that was taken over does not take the table back by itself when its line breaks.
    if (entry.watch) wish.watch = true;
    else if (stream.startsWith("table:")) {
      wish.window = windowName;
      wish.ask = !entry.take;
      entry.take = false;
    }
    this.#send(wish);
  }

  #receive(data) {
    this.askedAt = null;
    const message = JSON.parse(data);
    const act = {
      welcome: () => this.#welcome(message),
      snapshot: () => this.#snapshot(message),
      events: () => this.#events(message),
      result: () => this.#answer(message.id, message),
      refused: () => this.#refused(message),
      pong: () => heard(message.sent_ms, message.now_ms, Date.now()),
      taken_over: () => this.#takenOver(message),
      disconnected: () =>
        this.streams.get(message.stream)?.handler.disconnected?.(message.entries),
      bye: () => this.#bye(message),
    }[message.type];
    if (act) act();
  }

  #welcome(message) {
    clearTimeout(this.patience);
    this.attempt = 0;
    this.welcome = message;
    roughly(message.now_ms);
    this.#tell("open");
    this.#ping();
    for (const stream of this.streams.keys()) this.#subscribe(stream);
  }

  #snapshot(message) {
    const entry = this.streams.get(message.stream);
    if (!entry) return;
    entry.last = message.id;
    entry.live = true;
    entry.handler.snapshot(message.state, message.id);
  }

  #events(message) {
    const entry = this.streams.get(message.stream);
    if (!entry) return;
    const fresh = [];
    for (const event of message.events) {
      const order = entry.last ? follows(entry.last, event.id) : "next";
      if (order === "old") continue;
      if (order === "gap" && message.stream.startsWith("table:")) {
        if (entry.live) this.#subscribe(message.stream);
        break;
      }
      entry.live = true;
      entry.last = event.id;
      fresh.push(event);
    }
    if (message.events.length === 0) entry.live = true;
    entry.handler.events(fresh);
  }

  #refused(message) {
    if (message.id) this.#answer(message.id, message);
    else this.streams.get(message.stream)?.handler.refused?.(message);
  }

  #answer(id, answer) {
    const asked = this.waiting.get(id);
    if (!asked) return;
    this.waiting.delete(id);
    clearTimeout(asked.timer);
    asked.resolve(answer);
  }

  #takenOver(message) {
    const entry = this.streams.get(message.stream);
    if (!entry) return;
    entry.watch = true;
    if (entry.handler.taken_over) entry.handler.taken_over();
  }

  #bye(message) {
    this.said = message;
    this.ended = FINAL_BYES.has(message.code);
  }

  #lost() {
    clearTimeout(this.patience);
    this.socket = null;
    this.askedAt = null;
    // The goodbye of this socket, if any; the one before says nothing any more.
    [this.farewell, this.said] = [this.said, null];
    for (const id of [...this.waiting.keys()])
      this.#answer(id, { type: "refused", code: "no_answer" });
    if (this.ended) return this.#tell("stopped");
    this.attempt += 1;
    const longest = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (this.attempt - 1));
    const delay = longest * (0.6 + 0.4 * Math.random());
    this.#tell("lost", { retry_at: Date.now() + delay });
    this.retry = setTimeout(() => this.open(), delay);
  }

  #giveUp() {
    const dead = this.socket;
    this.#lost();
    dead.close();
  }

  // The network is back, or somebody looks: a socket from before may wait for what never comes.
  #hurry() {
    if (this.state === "connecting" && Date.now() - this.openedAt > CONNECT_HURRY_MS)
      this.#giveUp();
    if (this.state !== "lost") return;
    clearTimeout(this.retry);
    this.open();
  }

  // Also the watch over a dead line: it is given up when a ping stays unanswered for long. That
  // nothing was heard says little: the timers of a hidden window may come only once a minute.
  #ping() {
    if (this.state !== "open") return;
    if (this.askedAt && Date.now() - this.askedAt > SILENCE_MAX_MS) return this.#giveUp();
    this.askedAt ??= Date.now();
    this.#send({ type: "ping", sent_ms: Date.now() });
  }
}

let shared = null;

export function line() {
  if (!shared) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    shared = new Line(`${scheme}//${location.host}/ws/v1/`);
    shared.open();
  }
  return shared;
}
