// Cuts of the player at this table: pledges of secret seeds, opened when the room has called them.

const KEPT = "cuts";
const OPENED_KEPT = 8;
const CUT_STATE_OPENED = 2;

/** @type {(bytes: Uint8Array) => string} */
const digits = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** @type {(text: string) => Uint8Array} */
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @type {(parts: Uint8Array[]) => Uint8Array<ArrayBuffer>} */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

// The hash that binds a seed to an entry of the room: see docs/fairness.md.
/** @type {(room: string, entry: number, seed: Uint8Array) => Promise<string>} */
async function pledgeOf(room, entry, seed) {
  const tag = new Uint8Array(16);
  tag.set(new TextEncoder().encode("fair1/pledge"));
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(entry));
  const bound = joined([tag, bytesOf(room), number, seed]);
  const hash = await crypto.subtle.digest("SHA-256", bound);
  return digits(new Uint8Array(hash));
}

// What this browser keeps: the seed of each entry that is pledged, and those it has opened.
function load(room) {
  const kept = JSON.parse(localStorage.getItem(KEPT) ?? "null");
  return kept?.room === room ? kept : { room, seeds: {}, opened: {} };
}

export class Cutter {
  /** @param {import("../shared/socket.js").Line} connection */
  constructor(connection) {
    this.connection = connection;
    this.work = Promise.resolve();
  }

  // A snapshot: the cut that it asks for, else the pledge.
  shown(state, own) {
    const called = state.cutting;
    const at = { table: state.table, epoch: state.epoch };
    if (called?.seats.includes(own.seat)) this.#cut(called, own, at);
    else this.#pledge(own, { ...at, hand: state.hand });
  }

  // An event that the state has in it already.
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

  #pledge({ entry }, at) {
    this.#say(at, async (kept) => ({ pledge: await this.#pledged(kept, entry) }));
  }

  // A seed is opened for one call of a hand, and never pledged again. A call that comes again, after
  // a lost connection, gets the same answer.
  #cut(called, { entry }, { table, epoch }) {
    const at = { table, epoch, hand: called.hand };
    this.#say(at, async (kept) => {
      const name = Object.values(at).join(":");
      const own = kept.seeds[entry];
      if (!kept.opened[name] && own) {
        kept.opened[name] = { call: called.call, seed: own };
        delete kept.seeds[entry];
        for (const old of Object.keys(kept.opened).slice(0, -OPENED_KEPT)) delete kept.opened[old];
      }
      const opened = kept.opened[name];
      if (opened && opened.call !== called.call) return null;
      return { seed: opened?.seed ?? null, pledge: await this.#pledged(kept, entry) };
    });
  }

  #late({ entry }, at) {
    this.#say(at, async (kept) => ({
      seed: kept.opened[Object.values(at).join(":")]?.seed ?? null,
      pledge: await this.#pledged(kept, entry),
    }));
  }

  async #pledged(kept, entry) {
    kept.seeds[entry] ??= digits(crypto.getRandomValues(new Uint8Array(32)));
    return pledgeOf(kept.room, entry, bytesOf(kept.seeds[entry]));
  }

  // One message after the other: each reads what the one before has kept, and is sent once that is
  // kept. Without a secure context there is no hash, and this browser does not cut.
  #say(at, compose) {
    const { room } = this.connection.welcome ?? {};
    if (!room || !crypto.subtle) return;
    this.work = this.work.then(async () => {
      const kept = load(room);
      const cut = await compose(kept);
      localStorage.setItem(KEPT, JSON.stringify(kept));
      if (cut) this.connection.say({ type: "cut", ...at, ...cut });
    });
  }
}
