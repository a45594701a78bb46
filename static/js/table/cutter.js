// Cuts of the player at this table: pledges of secret seeds, opened when the room has called them.

import * as b from "../fair/bytes.js";
import { note } from "../fair/notes.js";
import { ownWords } from "../fair/own_words.js";
import { now, slowestTripMs } from "../shared/clock.js";
import { csrfHeaders } from "../shared/csrf.js";

const KEPT = "cuts";
const SEEDS_KEPT = 32;
const OPENED_KEPT = 8;
const CUT_STATE_OPENED = 2;
const UNKNOWN_TRIP_MS = 1_000;
const MARGIN_MS = 100;

// The hash that binds a seed to an entry of the room: see docs/fairness.md.
/** @type {(room: string, entry: number, seed: string) => Promise<string>} */
const pledgeOf = async (room, entry, seed) =>
  b.digits(await b.sha(b.tag("pledge"), b.bytesOf(room), b.u64(entry), b.bytesOf(seed)));

// What pledges of a seat are bound to: in a rapid pool the session, as every hand is another entry.
/** @type {(seat: {entry: number, session?: number | null}) => number} */
export const boundTo = ({ entry, session }) => session ?? entry;

// 32 random bytes; the player's own words are mixed into them, never instead of them.
async function freshSeed() {
  const random = crypto.getRandomValues(new Uint8Array(32));
  const words = ownWords();
  return words ? b.sha(b.tag("ownseed"), random, b.encoded(words)) : random;
}

/** The newest of what was kept by name; names of entries count upwards.
 * @type {(kept: Record<string, any>, most: number) => Record<string, any>} */
const newest = (kept, most) => Object.fromEntries(Object.entries(kept).slice(-most));

// What this browser keeps: the seed of each entry or session that is pledged, and those it has opened. Without
// storage it lasts as long as the page; what cannot be read begins anew.
/** @type {string | null} */
let unstored = null;

/**
 * What is kept of a room: seeds by entry, and the opened ones by hand.
 * @typedef {{room: string, seeds: Record<string, string>,
 *   opened: Record<string, {call: string, seed: string, isOwn?: boolean}>}} Kept
 */

/** @typedef {{table: number, epoch: number, hand: number}} HandName */
/** @typedef {{seat: number, entry: number, session?: number | null}} OwnSeat */
/** @typedef {{seed?: string | null, pledge: string}} Cut */

/** @type {(room: string) => Kept} */
function load(room) {
  /** @type {any} */
  let kept = null;
  try {
    kept = JSON.parse(unstored ?? localStorage.getItem(KEPT) ?? "null");
  } catch {
    // Begun anew below.
  }
  return kept?.room === room && kept.seeds && kept.opened ? kept : { room, seeds: {}, opened: {} };
}

/** @param {Kept} kept */
function store({ room, seeds, opened }) {
  const kept = { room, seeds: newest(seeds, SEEDS_KEPT), opened: newest(opened, OPENED_KEPT) };
  const text = JSON.stringify(kept);
  try {
    localStorage.setItem(KEPT, text);
    unstored = localStorage.getItem(KEPT) === text ? null : text;
  } catch {
    unstored = text;
  }
}

// What is kept is read, changed and stored by one window at a time: several play at once, and hand
// for hand their tables call for cuts in the same moment. Plain http has no locks.
/** @type {<Result>(work: () => Promise<Result>) => Promise<Result>} */
const alone = (work) => (navigator.locks ? navigator.locks.request(KEPT, work) : work());

/** @type {(kept: Kept, bound: number) => Promise<string>} */
async function pledged(kept, bound) {
  kept.seeds[bound] ??= b.digits(await freshSeed());
  return pledgeOf(kept.room, bound, kept.seeds[bound]);
}

// What the room says at the start of a connection.
/** @type {(connection: import("../shared/socket.js").Line) => Promise<Wire.Welcome>} */
const welcomed = (connection) =>
  new Promise((resolve) => {
    const heard = () => connection.welcome && resolve(connection.welcome);
    connection.addEventListener("line", heard);
    heard();
  });

/** @type {(room: string, session: number) => Promise<void>} */
async function sendAhead(room, session) {
  const pledge = await alone(async () => {
    const kept = load(room);
    const made = await pledged(kept, session);
    store(kept);
    return made;
  });
  const body = new URLSearchParams({ pledge });
  await fetch(`/ring/sessions/${session}/pledge`, {
    method: "POST",
    headers: csrfHeaders(),
    body,
  });
}

export class Cutter {
  /** @param {import("../shared/socket.js").Line} connection */
  constructor(connection) {
    this.connection = connection;
    this.work = Promise.resolve();
    /**
     * What this page has pledged for while it played, and when (ms of this page).
     * @type {Map<number, number>}
     */
    this.pledges = new Map();
  }

  // Another window plays on: what it pledges is not known here.
  takenOver() {
    this.pledges.clear();
  }

  // A snapshot: the cut that it asks for, else the pledge.
  /** @type {(state: Wire.TableSnapshot, own: OwnSeat) => void} */
  shown(state, own) {
    const called = state.cutting;
    const at = { table: state.table, epoch: state.epoch };
    if (called?.seats.includes(own.seat)) this.#cut(called, own, at);
    else this.#pledge(own, { ...at, hand: state.hand });
  }

  // An event that the state has in it already.
  /** @type {(event: Wire.TableEvent, state: Wire.TableSnapshot, own: OwnSeat) => void} */
  heard(event, state, own) {
    const at = { table: state.table, epoch: state.epoch };
    if (event.type === "cut_called" && event.seats.includes(own.seat)) this.#cut(event, own, at);
    if (event.type === "seat_taken" && event.entry === own.entry)
      this.#pledge(own, { ...at, hand: state.hand });
    if (event.type === "deck_cut") {
      const row = event.cuts.find(([seat]) => seat === own.seat);
      if (row && row[1] !== CUT_STATE_OPENED) this.#late(own, { ...at, hand: event.hand });
    }
  }

  // A pledge before the own seat is there: the grant that seats the player calls it.
  /** @type {(session: number) => Promise<void>} */
  async pledgeAhead(session) {
    const { room } = await welcomed(this.connection);
    this.#pledges(session);
    this.work = this.work.then(() => sendAhead(room, session)).catch(() => {});
    return this.work;
  }

  /** @type {(own: OwnSeat, at: HandName) => void} */
  #pledge(own, at) {
    this.#pledges(boundTo(own));
    this.#say(at, async (kept) => ({ pledge: await pledged(kept, boundTo(own)) }));
  }

  // A seed is opened for one call of a hand, and never pledged again. A call that comes again, after
  // a lost connection, gets the same answer.
  /** @type {(called: Wire.CutCalled, own: OwnSeat, at: {table: number, epoch: number}) => void} */
  #cut(called, own, { table, epoch }) {
    const at = { table, epoch, hand: called.hand };
    const bound = boundTo(own);
    const isOwn = this.#isPledged(bound);
    this.#pledges(bound);
    this.#say(at, async (kept) => {
      const name = Object.values(at).join(":");
      const seed = kept.seeds[bound];
      if (!kept.opened[name] && seed) {
        kept.opened[name] = { call: called.call, seed, isOwn };
        delete kept.seeds[bound];
      }
      const opened = kept.opened[name];
      if (opened && opened.call !== called.call) return null;
      // A page that has just begun to play may hold an older pledge than the called one of another
      // browser: it opens its seed, and says nothing of the pledge.
      if (opened?.isOwn) {
        const pledge = await pledgeOf(kept.room, bound, opened.seed);
        note({ room: kept.room, ...at }, { pledge, seed: opened.seed, sent_ms: now() });
      }
      return { seed: opened?.seed ?? null, pledge: await pledged(kept, bound) };
    });
  }

  /** @param {number} bound */
  #pledges(bound) {
    this.pledges.set(bound, performance.now());
  }

  // Whether a call has the pledge of this page: one that was on its way when the room called may
  // have come too late, and the call has that of another browser.
  /** @param {number} bound */
  #isPledged(bound) {
    const before = performance.now() - (this.pledges.get(bound) ?? Infinity);
    return before >= (slowestTripMs() ?? UNKNOWN_TRIP_MS) + MARGIN_MS;
  }

  /** @type {(own: OwnSeat, at: HandName) => void} */
  #late(own, at) {
    this.#say(at, async (kept) => ({
      seed: kept.opened[Object.values(at).join(":")]?.seed ?? null,
      pledge: await pledged(kept, boundTo(own)),
    }));
  }

  // One message after the other: each reads what the one before has kept, and is sent once that is
  // kept.
  /** @type {(at: HandName, compose: (kept: Kept) => Promise<Cut | null>) => void} */
  #say(at, compose) {
    const { room } = this.connection.welcome ?? {};
    if (!room) return;
    const answer = async () => {
      const cut = await alone(async () => {
        const kept = load(room);
        const made = await compose(kept);
        store(kept);
        return made;
      });
      if (cut) this.connection.say({ type: "cut", ...at, ...cut });
    };
    // A cut that fails leaves the deck to the others, and the next cut possible.
    this.work = this.work.then(answer).catch(() => {});
  }
}
