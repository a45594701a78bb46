// One table as a page holds it: the folded snapshot, the moment, and the viewer's own seat.

import { now } from "../shared/clock.js";
import { glance, NOTHING, remembered } from "./moment.js";
import { Pace } from "./pace.js";
import { reduce } from "./reducer.js";

export class TableModel extends EventTarget {
  /** @param {number | null} user */
  constructor(user) {
    super();
    this.user = user;
    /**
     * The table, null until its first snapshot.
     * @type {Wire.TableSnapshot | null}
     */
    this.state = null;
    this.moment = NOTHING;
    /** @type {import("./field.js").Field | null} */
    this.field = null;
    /** @type {Set<number>} */
    this.disconnected = new Set();
    this.stale = false;
    this.pace = new Pace((event) => this.#apply(event));
  }

  /** @returns {Wire.SeatSnapshot | null} */
  get seat() {
    if (!this.user || !this.state) return null;
    return this.state.seats.find((seat) => seat.user === this.user) ?? null;
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
  /** @type {(state: Wire.TableSnapshot, moment: import("./moment.js").Moment) => void} */
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
  /** @param {import("./field.js").Field | null} field */
  tell(field) {
    this.field = field;
    this.#changed();
  }

  // The entries whose players have this table open nowhere.
  /** @param {number[]} entries */
  lines(entries) {
    this.disconnected = new Set(entries);
    this.#changed();
  }

  /** @param {Wire.TableEvent} event */
  #apply(event) {
    const before = this.state;
    if (!before) return;
    this.state = reduce(before, event);
    this.moment = glance(this.moment, event, now());
    this.dispatchEvent(new CustomEvent("happened", { detail: { event, before } }));
    this.#changed();
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}
