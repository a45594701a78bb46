// The way to an own seat at this table: words for it, while the chips are still on it.

import { hearSeats } from "../../everywhere/own_seats.js";
import { gettext, interpolate } from "../../shared/i18n.js";

/** @type {Record<string, string>} */
const ARRIVALS = {
  room: gettext("The room moved you here, to seat %(seat)s. You play from the next hand."),
  final: gettext("The final table: your seat is %(seat)s. You play from the next hand."),
  "": gettext("Your seat here is %(seat)s. You play from the next hand."),
};

/**
 * @typedef {{note: (words: string) => void, model: import("../../state/table_model.js").TableModel}} Room
 */

// The chips are on the way while the table stands, in a pause as long as that lasts. Where another
// window plays the table (`isTaken`), nothing is said here.
/** @type {(room: Room, table: number, isTaken: () => boolean) => void} */
export function watchArrival(room, table, isTaken) {
  const { model } = room;
  /** @type {{seat: number, why: string} | null} */
  let arrival = null;
  let said = false;
  const say = () => {
    if (!arrival || !model.state || isTaken()) return;
    if (!model.seat) {
      said = true;
      room.note(interpolate(ARRIVALS[arrival.why] ?? ARRIVALS[""], arrival));
      return;
    }
    if (said) room.note("");
    [arrival, said] = [null, false];
  };
  hearSeats((seats) => {
    arrival = seats.find((seat) => seat.table === table) ?? null;
    say();
  });
  model.addEventListener("snapshot", say);
  model.addEventListener(
    "happened",
    ({ detail: { event } }) => event.type === "seat_taken" && say(),
  );
}
