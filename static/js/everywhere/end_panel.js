// The screen at the end of a tournament, over its table: asked for when it may have changed.

import { focusIn } from "../shared/focus.js";
import { session } from "../shared/storage.js";

const CLOSED = "room.end_closed";
const ENDS = new Set(["knocked_out", "prize", "named_prize", "tournament_over"]);
const FIELD_ENDS = new Set(["finished", "player_placed"]);

const panel = () => /** @type {HTMLElement} */ (document.getElementById("end-panel"));
export const renewEnd = () => document.body.dispatchEvent(new Event("room:end"));

// Whether this page itself shows how that tournament ended for its player.
/** @type {(event: {tournament: number}) => boolean} */
export const showsEnd = ({ tournament }) => Number(panel()?.dataset.tournament) === tournament;

// An event of the tournament around the table.
/** @type {(event: {type: string}) => boolean} */
export const heardOfField = (event) => FIELD_ENDS.has(event.type) && renewEnd();

/** @type {(screen: HTMLElement) => void} */
function close(screen) {
  session.set(CLOSED, `${panel().dataset.tournament} ${screen.dataset.key}`);
  screen.remove();
}

// The end that was shown last, and the reader's place in it: a renewed screen takes the focus from
// nothing else.
let shown = "";
let wasWithin = false;
let focus = focusIn(document.body);

function leave() {
  wasWithin = panel().contains(document.activeElement);
  focus = focusIn(panel());
}

function fresh() {
  const screen = /** @type {HTMLElement | null} */ (panel().querySelector(".end-screen"));
  if (!screen) return;
  const key = `${panel().dataset.tournament} ${screen.dataset.key}`;
  if (session.get(CLOSED) === key) return screen.remove();
  for (const button of screen.querySelectorAll(".close"))
    button.addEventListener("click", () => close(screen));
  screen.addEventListener("keydown", ({ key: pressed }) => pressed === "Escape" && close(screen));
  focus(panel());
  const isLost = wasWithin && document.activeElement === document.body;
  if ((isLost || key !== shown) && document.querySelector("dialog[open]") === null) screen.focus();
  shown = key;
}

export function keepEnd() {
  if (!panel()) return;
  panel().addEventListener("htmx:beforeSwap", leave);
  panel().addEventListener("htmx:afterSwap", fresh);
  document.body.addEventListener("room:mine", ({ detail }) => {
    if (ENDS.has(detail.type) && showsEnd(detail)) renewEnd();
  });
}
