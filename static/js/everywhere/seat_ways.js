// The way to the player's seats: one window goes to a new seat, the others show how to get there.

import { gettext } from "../shared/i18n.js";
import { tell } from "../shared/toasts.js";
import { leaveFor } from "./leaving.js";
import { claim, isNewWindow, noteOpened, opened } from "./opening.js";

/** @typedef {{name: string, tournament?: number}} Named what a notice is about */

/** @type {(table: number) => string} */
export const tableAddress = (table) => `/tables/${table}/`;

export const shownTable = () =>
  Number(
    /** @type {HTMLElement | null} */ (document.querySelector("poker-table"))?.dataset.table ?? 0,
  );

// Another window plays the table that this one shows.
const onlyWatches = () => document.querySelector("poker-table[data-watches]") !== null;

// The table on this page belongs to the same tournament, and its player had a seat there and has no
// chips in play: who enters again sits at another table, and has only this window.
/** @param {Named} event */
function isLeftFor({ tournament }) {
  const room = /** @type {any} */ (document.querySelector("poker-table"));
  if (!tournament || Number(room?.dataset.tournament) !== tournament) return false;
  if (!room.model?.state || room.dataset.had === undefined) return false;
  const { seat, moment } = room.model;
  return !seat || (seat.chips === 0 && (!seat.in_hand || moment.ended));
}

/** @type {(table: number, event: Named) => void} */
function tellWay(table, event) {
  tell(gettext("Your seat is ready"), event.name, {
    link: { href: tableAddress(table), words: gettext("To my table") },
    stays: 0,
  });
}

const asked = () => document.querySelector("dialog[open]") !== null;

// A page about a table that somebody reads beside it: no seat takes the page away from him.
const stays = () => "stays" in document.body.dataset;

// A new seat: one of the windows without a table goes there, or that of the seat before, the others
// show the way.
/** @type {(table: number, event: Named) => Promise<void>} */
export async function seated(table, event) {
  const here = shownTable();
  if (here === table) return;
  const isFree = !here || (isLeftFor(event) && !onlyWatches());
  const mine = isFree && !stays() && !asked() && (await claim(table));
  // Not noted before: when this page is left meanwhile, or a dialog is open, the next one goes.
  if (!asked() && !stays()) noteOpened(table);
  if (mine && !asked()) leaveFor(tableAddress(table));
  else tellWay(table, event);
}

// A seat moves with the window that shows it; all others stay where they are.
/** @param {Wire.SeatChanged} event */
export function moved(event) {
  const { from_table: from, to_table: table } = event;
  const here = shownTable();
  if (here === table) return;
  noteOpened(table);
  if (here === from && !asked() && !onlyWatches()) leaveFor(tableAddress(table));
  else tellWay(table, event);
}

// Seats that were drawn while no page listened.
/** @type {(seats: Wire.UserSnapshot["seats"], isFirst: boolean) => unknown} */
export function seatsFound(seats, isFirst) {
  // A new window shows what it was opened for: the strip of tables leads to the seats there are.
  if (isFirst && isNewWindow()) for (const seat of seats) noteOpened(seat.table);
  const here = shownTable();
  if (stays()) {
    // Its own table is open in the window it came from, which no later page is to take it from.
    const read = Number(document.body.dataset.stays);
    noteOpened(read);
    for (const seat of seats) if (!opened(seat.table)) tellWay(seat.table, seat);
    return;
  }
  if (here) noteOpened(here);
  else for (const seat of seats) if (!opened(seat.table)) return seated(seat.table, seat);
}
