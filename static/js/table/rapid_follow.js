// Follows a player of a rapid pool to the next hand: at once after a fold, else after the result.

import { hearSeats } from "../everywhere/own_seats.js";

// So long the end of a hand that was played to it stays in sight.
const RESULT_MS = 2_500;

// Goes after the seat of the player when the room deals it in at another table, once its deck is cut.
/** @type {(room: HTMLElement, model: import("../state/table_model.js").TableModel,
 *   cut: (table: number) => Promise<void>) => void} */
export function followPool(room, model, cut) {
  const { rapid, table } = room.dataset;
  if (!rapid) return;
  const here = Number(table);
  let played = false;
  let folded = false;
  let leaves = false;
  // The browser shows a page that it kept: its player is followed again from now on.
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) leaves = false;
  });
  model.addEventListener("change", () => {
    played ||= Boolean(model.seat);
    if (model.seat) folded = model.seat.folded;
  });
  /** @param {number} next */
  const goTo = async (next) => {
    // Somebody who only watches this table keeps it, and finds the way in the panel.
    if (leaves || !played || room.hasAttribute("data-watches")) return;
    leaves = true;
    const seen = new Promise((resolve) => setTimeout(resolve, folded ? 0 : RESULT_MS));
    await Promise.all([cut(next), seen]);
    location.assign(`/tables/${next}/`);
  };
  document.body.addEventListener("room:mine", ({ detail }) => {
    if (detail.type !== "rapid_dealt_in" || detail.game !== Number(rapid)) return;
    if (detail.table !== here) goTo(detail.table);
  });
  // A notice may have come while no page listened: the panel, asked once notices come, knows of it.
  hearSeats(() => document.body.dispatchEvent(new Event("room:ring")));
  document.getElementById("ring-panel")?.addEventListener("htmx:afterSwap", ({ target }) => {
    const panel = /** @type {HTMLElement} */ (target);
    const hand = /** @type {HTMLElement | null} */ (panel.querySelector("[data-follow]"));
    const next = Number(hand?.dataset.follow?.split("/")[2]);
    panel.querySelector("#ring-follow")?.toggleAttribute("hidden", next === here);
    if (next && next !== here) goTo(next);
  });
}
