// The page's one connection to the room: follows streams, resumes after a gap, sends commands once.

import { heard, roughly } from "./clock.js";
import { unheard } from "./event_order.js";
import { SilenceWatch } from "./silence.js";
import { windowName } from "./window_name.js";

const RETRY_FIRST_MS = 400;
const RETRY_MAX_MS = 15_000;
const CONNECT_MAX_MS = 8_000;
const CONNECT_HURRY_MS = 1_000;
const BEAT_MS = 200;
const ANSWER_MAX_MS = 10_000;
const READ_AGAIN_MS = 1_500;
const FINAL_BYES = new Set(["link_revoked", "session_expired", "banned"]);

/**
 * News of the connection: its state, the number of attempts, the room's goodbye.
 * @typedef {{state: string, attempt: number, bye?: Wire.Bye | null, offline?: boolean,
 *   retry_at?: number}} LineNews
 */

/**
 * What a part of the page does with the messages of one stream.
 * @typedef {{
 *   snapshot(state: any, id: string): void,
 *   events(events: any[]): void,
 *   taken_over?(): void,
 *   disconnected?(entries: number[]): void,
 *   refused?(message: Wire.Refused): void,
 *   ranked?(message: Wire.StackRank): void,
 * }} StreamHandler
 */

/**
 * A stream that the page follows: whether the room tells it, or refused it.
 * @typedef {{handler: StreamHandler, last: string | null, live: boolean, refused: boolean,
 *   take: boolean, took: boolean, watch: boolean}} Followed
 */

export class Line extends EventTarget {
  /** @param {string} address */
  constructor(address) {
    super();
    this.address = address;
    /** @type {Wire.Welcome | null} */
    this.welcome = null;
    /** @type {Map<string, Followed>} */
    this.streams = new Map();
    /** @type {Map<string, {resolve: (answer: any) => void, timer: number}>} */
    this.waiting = new Map();
    this.attempt = 0;
    this.state = "closed";
    this.ended = false;
    /** @type {Wire.Bye | null} */
    this.farewell = null;
    /** @type {Wire.Bye | null} */
    this.said = null;
    this.commands = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.openedAt = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.again = undefined;
    this.silence = new SilenceWatch({
      ping: (sent_ms) => this.#send({ type: "ping", sent_ms }),
      silent: (isSilent) => this.#silent(isSilent),
      gone: () => this.#giveUp(),
    });
    this.tab = Math.random().toString(36).slice(2, 10);
    setInterval(() => this.state === "open" && this.silence.beat(), BEAT_MS);
    window.addEventListener("online", () => this.#hurry());
    window.addEventListener("offline", () => this.state === "open" && this.silence.doubt());
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

  /**
   * A table is asked for; `take` takes it from the window that plays it, `watch` leaves it to any.
   * @param {string} stream
   * @param {StreamHandler} handler
   * @param {{take?: boolean, watch?: boolean}} wish
   */
  follow(stream, handler, { take = false, watch = false } = {}) {
    const told = { last: null, live: false, refused: false };
    this.streams.set(stream, { handler, ...told, take, took: false, watch });
    if (this.state === "open") this.#subscribe(stream);
  }

  /** @param {boolean} isUrgent whether a turn runs out: silence is then told of sooner */
  set urgent(isUrgent) {
    this.silence.urgent = isUrgent;
  }

  /** @param {string} stream */
  leave(stream) {
    this.streams.delete(stream);
    if (this.state === "open") this.#send({ type: "unsubscribe", stream });
  }

  // Ask once: an answer, a refusal, "line_lost" when nothing was sent, or "no_answer" when that is
  // open; a command is never sent a second time.
  /** @type {(message: object) => Promise<any>} */
  command(message) {
    if (this.state !== "open" || this.silence.silent)
      return Promise.resolve({ type: "refused", code: "line_lost" });
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

  // Say what has no answer, or nothing while the connection is gone.
  /** @param {object} message */
  say(message) {
    if (this.state === "open") this.#send(message);
  }

  /** @type {(state: string, detail?: {retry_at?: number}) => void} */
  #tell(state, detail = {}) {
    this.state = state;
    this.dispatchEvent(
      new CustomEvent("line", {
        detail: { state, attempt: this.attempt, bye: this.farewell, ...detail },
      }),
    );
  }

  /** @param {object} message */
  #send(message) {
    this.socket?.send(JSON.stringify(message));
  }

  /** @param {string} stream */
  #subscribe(stream) {
    const entry = this.streams.get(stream);
    if (!entry) return;
    [entry.live, entry.refused] = [false, false];
    entry.handler.disconnected?.([]); // nobody, until it is told
    /** @type {Wire.Subscribe} */
    const wish = { type: "subscribe", stream };
    if (entry.last) wish.after = entry.last;
    // A tab that was taken over does not take the table back by itself when its line breaks.
    if (entry.watch) wish.watch = true;
    else if (stream.startsWith("table:")) {
      wish.window = windowName;
      wish.ask = !entry.take;
      [entry.took, entry.take] = [entry.take, false];
    }
    this.#send(wish);
  }

  /** @param {string} data */
  #receive(data) {
    this.silence.heard();
    const message = JSON.parse(data);
    /** @type {{[Type in Wire.ServerMessage["type"]]: () => void}} */
    const acts = {
      welcome: () => this.#welcome(message),
      snapshot: () => this.#snapshot(message),
      events: () => this.#events(message),
      result: () => this.#answer(message.id, message),
      refused: () => this.#refused(message),
      pong: () => heard(message.sent_ms, message.now_ms, Date.now()),
      rank: () => this.streams.get(message.stream)?.handler.ranked?.(message),
      taken_over: () => this.#takenOver(message),
      disconnected: () => this.streams.get(message.stream)?.handler.disconnected?.(message.entries),
      bye: () => this.#bye(message),
    };
    acts[/** @type {Wire.ServerMessage["type"]} */ (message.type)]?.();
  }

  /** @param {Wire.Welcome} message */
  #welcome(message) {
    clearTimeout(this.patience);
    this.attempt = 0;
    this.farewell = null;
    this.welcome = message;
    roughly(message.now_ms);
    this.#tell("open");
    this.silence.ping();
    for (const stream of this.streams.keys()) this.#subscribe(stream);
  }

  /** @param {Wire.Snapshot} message */
  #snapshot(message) {
    const entry = this.streams.get(message.stream);
    if (!entry) return;
    entry.last = message.id;
    entry.live = true;
    entry.handler.snapshot(message.state, message.id);
  }

  /** @param {Wire.Events} message */
  #events(message) {
    const entry = this.streams.get(message.stream);
    if (!entry) return;
    const isTable = message.stream.startsWith("table:");
    const { fresh, gap } = unheard(entry.last, message.events, isTable);
    if (fresh.length) entry.last = fresh[fresh.length - 1].id;
    if (fresh.length || !message.events.length) entry.live = true;
    if (gap && entry.live) this.#subscribe(message.stream);
    entry.handler.events(fresh);
  }

  /** @param {Wire.Refused} message */
  #refused(message) {
    if (message.id) return this.#answer(message.id, message);
    if (message.code === "slow_down") return this.#askAgain();
    const entry = this.streams.get(message.stream ?? "");
    if (!entry) return;
    entry.refused = true;
    entry.handler.refused?.(message);
  }

  // A message was not read, whichever it was: of many windows that ask at once it may have been a
  // wish for a stream. What the room neither tells nor refused is asked for again.
  #askAgain() {
    this.again ??= setTimeout(
      () => {
        this.again = undefined;
        if (this.state !== "open") return;
        for (const [stream, entry] of this.streams) {
          if (entry.live || entry.refused) continue;
          entry.take = entry.took;
          this.#subscribe(stream);
        }
      },
      READ_AGAIN_MS * (1 + Math.random()),
    );
  }

  /** @type {(id: string, answer: any) => void} */
  #answer(id, answer) {
    const asked = this.waiting.get(id);
    if (!asked) return;
    this.waiting.delete(id);
    clearTimeout(asked.timer);
    asked.resolve(answer);
  }

  /** @param {Wire.TakenOver} message */
  #takenOver(message) {
    const entry = this.streams.get(message.stream);
    if (!entry) return;
    entry.watch = true;
    if (entry.handler.taken_over) entry.handler.taken_over();
  }

  /** @param {Wire.Bye} message */
  #bye(message) {
    this.said = message;
    this.ended = FINAL_BYES.has(message.code);
  }

  #lost() {
    clearTimeout(this.patience);
    this.socket = null;
    this.silence.stop();
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
    dead?.close();
  }

  // The network is back, or somebody looks: a socket from before may wait for what never comes. The
  // clock of the watch may have stood while the device slept, so an open one is asked at once.
  #hurry() {
    if (this.state === "open") this.silence.ping();
    if (this.state === "connecting" && Date.now() - this.openedAt > CONNECT_HURRY_MS)
      this.#giveUp();
    if (this.state !== "lost") return;
    clearTimeout(this.retry);
    this.open();
  }

  // Words for a line that stays open: "silent" when no answer comes, "answers" when one did. The
  // browser may say that the network is gone; a room on this machine answers all the same.
  /** @param {boolean} isSilent */
  #silent(isSilent) {
    this.dispatchEvent(
      new CustomEvent("line", {
        detail: { state: isSilent ? "silent" : "answers", offline: navigator.onLine === false },
      }),
    );
  }
}

/** @type {Line | null} */
let shared = null;

export function line() {
  if (!shared) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    shared = new Line(`${scheme}//${location.host}/ws/v1/`);
    shared.open();
  }
  return shared;
}
