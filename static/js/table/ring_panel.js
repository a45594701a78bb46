// The panel of a seat at a ring table, among the tools: top up, straddle, post, leave.

import { tick } from "../shared/clock.js";
import { focusAgain } from "../shared/dialogs.js";
import { focusIn } from "../shared/focus.js";
import { pressed, released } from "../shared/pressed.js";
import { toast } from "../shared/toasts.js";

// Without anything that waits for the next hand the panel is asked for again so often at most.
const CALM_MS = 30_000;
// After these of the own seat something else may be done.
const OWN = new Set(["seat_taken", "seat_left", "chips_bought", "sat_out", "came_back"]);

const renewRing = () => document.body.dispatchEvent(new Event("room:ring"));

// Puts the panel of the page among the tools of the table and keeps it as fresh as the seat.
// A player who arrives pledges before the grant that seats him.
/** @type {(room: Element, model: import("../state/table_model.js").TableModel,
 *   pledge: (session: number) => void) => void} */
export function keepRing(room, model, pledge) {
  const panel = document.getElementById("ring-panel");
  if (!panel) return;
  room.querySelector(".tools")?.prepend(panel);
  keepFocus(panel);
  tellAnswers();
  let asked = Date.now();
  panel.addEventListener("htmx:afterSwap", () => {
    asked = Date.now();
    tick(panel);
    const arriving = /** @type {HTMLElement | null} */ (panel.querySelector("[data-pledge]"));
    if (arriving) pledge(Number(arriving.dataset.pledge));
  });
  const pending = () => panel.querySelector("[data-pending]") !== null;
  model.addEventListener("happened", ({ detail: { event } }) => {
    const own = OWN.has(event.type) && (!model.seat || event.seat === model.seat.seat);
    const mayDiffer = event.type === "hand_began" && (pending() || Date.now() - asked > CALM_MS);
    if (own || mayDiffer) renewRing();
  });
  document.body.addEventListener("room:mine", ({ detail }) => {
    if (/^(ring|rapid)_/.test(detail.type)) renewRing();
  });
}

// What is pressed just now is not to be replaced before the click, and the focus stays.
/** @param {HTMLElement} panel */
function keepFocus(panel) {
  let focus = focusIn(panel);
  panel.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.requestConfig?.verb === "get" && pressed()) {
      detail.shouldSwap = false;
      released().then(renewRing);
      return;
    }
    focus = focusIn(panel);
  });
  panel.addEventListener("htmx:afterSwap", () => focus(panel));
}

// A dialog that was accepted leaves a sentence in its holder.
function tellAnswers() {
  const holder = document.getElementById("dialog-holder");
  document.body.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (!holder || detail.target !== holder) return;
    const said = /** @type {HTMLElement | null} */ (holder.querySelector("[data-said]"));
    if (!said) return;
    toast({ title: said.dataset.said ?? "", kind: "good" });
    holder.replaceChildren();
    focusAgain(detail.requestConfig.path);
  });
}
