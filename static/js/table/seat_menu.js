// The menu of another player's seat: the player's name, and what parts of the page offer about it.

import { el } from "../shared/dom.js";
import { gettext } from "../shared/i18n.js";
import { PlayerNotes } from "./player_notes.js";

/** @typedef {{seat: number, user: number, name: string}} SeatedPlayer */

// Opens the menu of a seat; `parts` make what it holds, in order.
/** @param {SeatedPlayer} seat @param {((seat: SeatedPlayer) => Node)[]} parts */
function openMenu(seat, parts) {
  const dialog = /** @type {HTMLDialogElement} */ (
    el(
      "dialog",
      { class: "seat-menu", "aria-labelledby": "seat-menu-title" },
      el("h2", { id: "seat-menu-title" }, el("bdi", {}, seat.name)),
      ...parts.map((part) => part(seat)),
      el(
        "div",
        { class: "buttons" },
        el(
          "button",
          { type: "button", class: "button", onclick: () => dialog.close() },
          gettext("Close"),
        ),
      ),
    )
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// Leads to the form that reports the player, beside the table that goes on.
/** @param {string} table @param {SeatedPlayer} seat */
function reportLink(table, { user }) {
  const href = `/tables/${table}/report/?player=${user}`;
  return el("p", {}, el("a", { class: "button small", href, target: "_blank" }, gettext("Report")));
}

// Offers a menu at every seat of others, for who is logged in.
/** @param {import("./poker_table.js").PokerTable} room */
export function keepSeatMenu(room) {
  if (!room.dataset.user) return;
  const notes = new PlayerNotes();
  room.notes = notes.notes;
  room.openSeat = (seat) =>
    openMenu(seat, [
      (one) => notes.form(one),
      (one) => reportLink(/** @type {string} */ (room.dataset.table), one),
    ]);
  notes.addEventListener("changed", () => room.model.dispatchEvent(new Event("change")));
  // Most players have written no note: only a page of those who have asks for them.
  if (!("notes" in room.dataset)) return;
  const load = () => notes.load();
  if (room.model.state) load();
  else room.model.addEventListener("snapshot", load, { once: true });
}
