// Cuts the deck of the next hand in a rapid pool before its page is opened: a page takes longer to
// load than the room waits for a seed.

import { Noter } from "./noter.js";

// So long the next page waits for the call of its hand.
const CALL_MAX_MS = 700;

/** @typedef {{user: number, seat: number, entry: number, session?: number | null}} Seat */

/**
 * Follow a table until its hand is called, and open the own seed.
 * @type {(connection: import("../shared/socket.js").Line, cutter: import("./cutter.js").Cutter,
 *   user: number, table: number) => Promise<void>}
 */
export function cutAhead(connection, cutter, user, table) {
  const noter = new Noter(connection);
  /** @type {Wire.TableSnapshot | null} */
  let state = null;
  /** @type {Seat | null} */
  let own = null;
  const called = new Promise((resolve) => {
    setTimeout(resolve, CALL_MAX_MS);
    connection.follow(`table:${table}`, {
      snapshot: (told) => {
        state = told;
        own = told.seats.find((/** @type {Seat} */ seat) => seat.user === user) ?? null;
        if (!own || !told.cutting) return;
        cutter.shown(told, own);
        noter.shown(told, own);
        resolve(null);
      },
      events: (events) => {
        for (const event of events) {
          if (event.type === "seat_taken" && event.user === user) own = event;
          if (event.type !== "cut_called" || !own || !state) continue;
          cutter.heard(event, state, own);
          noter.heard(event, state, own);
          resolve(null);
        }
      },
    });
  });
  return called.then(() => cutter.work);
}
