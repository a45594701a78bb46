// Events at the speed of people, never later than the next turn. Those of a run-out come at their
// time from the server: they are shown at once, for what follows from the hand is told right after.

/** @type {Partial<Record<Wire.TableEvent["type"], number>>} */
const PAUSES_MS = { street_dealt: 250, pot_awarded: 700, cards_shown: 500 };
// The room deals the next hand four seconds after a showdown, however many hands were shown and pots
// awarded. All are drawn in this time, so that the rest is left to read the result.
const BUDGET_MS = 2200;
// A window that is given no frame for so long is hidden, or draws nothing anyway.
const FRAME_MAX_MS = 3000;
const URGENT = new Set(["turn_began", "hand_began", "hand_voided", "table_closed", "seat_taken"]);

// How long to wait before showing `event`, `timed` while the server keeps the time of a run-out.
/** @type {(event: Wire.TableEvent, how: {timed: boolean, hidden: boolean}) => number} */
export function pause(event, { timed, hidden }) {
  return hidden || timed ? 0 : (PAUSES_MS[event.type] ?? 0);
}

export class Pace {
  /** @param {(event: Wire.TableEvent) => void} apply */
  constructor(apply) {
    this.apply = apply;
    /** @type {Wire.TableEvent[]} */
    this.queue = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.frame = 0;
    this.timed = false;
    this.waited = false;
    /** Part of its pause that each event in the queue gets. */
    this.share = 1;
  }

  /** @param {Wire.TableEvent[]} events */
  push(events) {
    this.queue.push(...events);
    const urgent = this.queue.findLastIndex((event) => URGENT.has(event.type));
    if (urgent >= 0) this.#flush(urgent + 1);
    const sum = this.queue.reduce((sum, event) => sum + (PAUSES_MS[event.type] ?? 0), 0);
    this.share = Math.min(1, BUDGET_MS / Math.max(1, sum));
    if (this.timer === undefined) this.#next();
  }

  // Start over from a snapshot, `timed` when it was taken in a run-out.
  clear(timed = false) {
    this.#stop();
    this.queue = [];
    this.timed = timed;
    this.waited = false;
  }

  /** @param {number} count */
  #flush(count) {
    this.#stop();
    this.waited = false;
    for (const event of this.queue.splice(0, count)) this.#apply(event);
  }

  /** @param {Wire.TableEvent} event */
  #apply(event) {
    if (event.type === "run_out_began") this.timed = true;
    if (event.type === "hand_began") this.timed = false;
    this.apply(event);
  }

  #stop() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.timer = undefined;
  }

  // A busy machine may draw no frame during a whole pause. What was applied before is drawn in the
  // frame that is waited for here, ahead of the next event: nobody misses a street.
  #afterFrame() {
    this.frame = requestAnimationFrame(() => this.#next());
    this.timer = setTimeout(() => this.#next(), FRAME_MAX_MS);
  }

  #next() {
    this.#stop();
    for (let event = this.queue[0]; event; event = this.queue[0]) {
      const wait = this.waited ? 0 : pause(event, { timed: this.timed, hidden: document.hidden });
      this.waited = false;
      if (wait > 0) {
        this.waited = true;
        this.timer = setTimeout(() => this.#afterFrame(), wait * this.share);
        return;
      }
      this.queue.shift();
      this.#apply(event);
    }
  }
}
