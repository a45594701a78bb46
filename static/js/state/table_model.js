// One table as a page holds it: the folded snapshot, the moment, and the viewer's own seat.

import { now } from "../shared/clock.js";
import { glance, NOTHING, remembered } from "./moment.js";
import { Pace } from "./pace.js";
import { reduce } from "./reducer.js";

export class TableModel extends EventTarget {
  constructor(user) {
    super();
    this.user = user;
    /** The table, null until its first snapshot.
     * @type {any} */
    this.state = null;
    this.moment = NOTHING;
    this.field = null;
    this.disconnected = new Set();
    this.stale = false;
    this.pace = new Pace((event) => this.#apply(event));
  }

  /** @returns {Wire.SeatSnapshot | null} */
  get seat() {
    if (!this.user || !this.state) return null;
    return (
      this.state.seats.find((/** @type {Wire.SeatSnapshot} */ seat) => seat.user === this.user) ??
      null
    );
  }

  /** @returns {Wire.TurnSnapshot | null} */
  get turn() {
    return this.state?.turn ?? null;
  }

  /** @param {Wire.TableSnapshot} state */
  snapshot(state) {
    this.pace.clear(Boolean(state.run_out));
    const before = this.state;
    this.state = state;
    this.moment = remembered(state, now());
    this.stale = false;
    this.dispatchEvent(new CustomEvent("snapshot", { detail: { before } }));
    this.#changed();
  }

  // A table of the past, as it was at some moment.
  recall(state, moment) {
    this.pace.clear();
    this.state = state;
    this.moment = moment;
    this.#changed();
  }

  /** @param {Wire.TableEvent[]} events */
  events(events) {
    if (!this.state) return;
    this.pace.push(events);
    this.#changed();
  }

  // What is known of the field around the table.
  tell(field) {
    this.field = field;
    this.#changed();
  }

  // The entries whose players have this table open nowhere.
  lines(entries) {
    this.disconnected = new Set(entries);
    this.#changed();
  }

  /** @param {Wire.TableEvent} event */
  #apply(event) {
    const before = this.state;
    this.state = reduce(before, event);
    this.moment = glance(this.moment, event, now());
    this.dispatchEvent(new CustomEvent("happened", { detail: { event, before } }));
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
