// Notices "starts in 5 minutes" and "in 1 minute" of the player's tournaments, on every page.

import { now } from "../shared/clock.js";
import { gettext, interpolate, ngettext } from "../shared/i18n.js";
import { audible } from "../shared/sounds.js";
import { local, session } from "../shared/storage.js";
import { tell } from "../shared/toasts.js";

const NOTED = "room.soon";
const NOTED_FOR_MS = 3_600_000;
const LOOK_EVERY_MS = 5000;
const MINUTE_MS = 60_000;
const TOLD_MINUTES = [1, 5];

// Whether this is noted there for the first time of late.
/** @type {(storage: import("../shared/storage.js").PageStorage, key: string) => boolean} */
function first(storage, key) {
  const kept = Object.entries(JSON.parse(storage.get(NOTED) ?? "{}"));
  const noted = Object.fromEntries(kept.filter(([, at]) => Date.now() - at < NOTED_FOR_MS));
  if (key in noted) return false;
  storage.set(NOTED, JSON.stringify({ ...noted, [key]: Date.now() }));
  return true;
}

// The starts one player waits for. Every window shows a notice once, on whichever of its pages, and
// one of them sounds.
export class Starts {
  /** @param {string} user */
  constructor(user) {
    this.user = user;
    /** @type {Map<number, Wire.MyStart>} */
    this.ahead = new Map();
    setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  // What a snapshot of the player's stream says: all of them.
  /** @param {Wire.MyStart[]} starts */
  know(starts) {
    this.ahead = new Map(starts.map((start) => [start.tournament, start]));
    this.#look();
  }

  /** @param {any} event */
  hear(event) {
    const ends = ["unregistered", "seated", "tournament_cancelled"].includes(event.type);
    if (ends && !event.left) this.ahead.delete(event.tournament);
    else if (event.type === "registered" && event.starts_at_ms)
      this.ahead.set(event.tournament, event);
  }

  #look() {
    for (const start of this.ahead.values()) {
      const left = start.starts_at_ms - now();
      const minutes = TOLD_MINUTES.find((count) => left <= count * MINUTE_MS);
      const key = [this.user, start.tournament, start.starts_at_ms, minutes].join(" ");
      if (left > 0 && minutes && first(session, key)) this.#tell(start, left, key);
    }
  }

  /** @type {(start: Wire.MyStart, left: number, key: string) => void} */
  #tell({ tournament, name }, left, key) {
    const count = Math.ceil(left / MINUTE_MS);
    const inTime = interpolate(ngettext("in %(count)s minute", "in %(count)s minutes", count), {
      count,
    });
    const title = interpolate(gettext("%(name)s starts %(time)s"), { name, time: inTime });
    const link = { href: `/tournaments/${tournament}/`, words: gettext("To the tournament") };
    tell(title, "", { link, tone: audible() && first(local, key) ? "notice" : "" });
  }
}
