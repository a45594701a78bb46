// The player's seats as the room told them last, also for modules that are loaded later.

/** @typedef {{table: number, seat: number, why: string}} OwnSeat */

/** @type {OwnSeat[] | null} */
let latest = null;
/** @type {((seats: OwnSeat[]) => void)[]} */
const listeners = [];

/**
 * Keep the seats of a snapshot and tell them to everybody who asked.
 * @type {(seats: OwnSeat[]) => void}
 */
export function seatsAre(seats) {
  latest = seats;
  for (const hear of listeners) hear(seats);
}

/**
 * Call `hear` with the seats at once if they are known, and again with each snapshot.
 * @type {(hear: (seats: OwnSeat[]) => void) => void}
 */
export function hearSeats(hear) {
  listeners.push(hear);
  if (latest) hear(latest);
}
