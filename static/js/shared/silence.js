// The watch over an open connection: an unanswered ping is told of soon, and given up later.

// A room that says nothing is told of after so long without an answer: while somebody is asked to
// act within 3 s of the break, else within 10 s. It is given up later: most are only slow. At the
// pace of people pings are as many as events, so they come as late as these bounds allow.
const WATCH = { ping_ms: 6_500, silent_ms: 3_000 };
const CLOSE_WATCH = { ping_ms: 1_400, silent_ms: 1_200 };
const SILENCE_MAX_MS = 8_000;
// Whatever the room says shows that it answers. Its clock is asked for so often nevertheless.
const CLOCK_MS = 20_000;

/** @typedef {{ping(sent_ms: number): void, silent(isSilent: boolean): void, gone(): void}} Watched */

// Times are of a clock that nobody sets.
export class SilenceWatch {
  /** @param {Watched} connection */
  constructor(connection) {
    this.connection = connection;
    this.silent = false;
    /** @type {number | null} */
    this.askedAt = null;
    this.pingedAt = 0;
    this.heardAt = 0;
    this.pace = WATCH;
  }

  // How closely silence is watched for: closer while a turn runs out.
  /** @param {boolean} isUrgent */
  set urgent(isUrgent) {
    this.pace = isUrgent ? CLOSE_WATCH : WATCH;
  }

  // The room said something.
  heard() {
    this.heardAt = performance.now();
    this.askedAt = null;
    if (this.silent) this.#tell(false);
  }

  // The connection is gone, and with it all that was asked.
  stop() {
    this.askedAt = null;
    this.silent = false;
  }

  ping() {
    this.pingedAt = performance.now();
    this.askedAt ??= this.pingedAt;
    this.connection.ping(Date.now());
  }

  // Ask, and call it silent until the answer comes.
  doubt() {
    this.ping();
    if (!this.silent) this.#tell(true);
  }

  // That nothing was heard says little: the timers of a hidden window may come only once a minute.
  // So only the time since an unanswered ping counts.
  beat() {
    const at = performance.now();
    if (this.askedAt === null) {
      const since = Math.min(at - this.pingedAt, at - this.heardAt);
      if (since >= this.pace.ping_ms || at - this.pingedAt >= CLOCK_MS) this.ping();
      return;
    }
    if (at - this.askedAt > SILENCE_MAX_MS) return this.connection.gone();
    if (at - this.askedAt >= this.pace.silent_ms && !this.silent) this.#tell(true);
  }

  /** @param {boolean} isSilent */
  #tell(isSilent) {
    this.silent = isSilent;
    this.connection.silent(isSilent);
  }
}
