// The lobby of a club: its rows follow the club's stream, asked of the server one by one.

import { line } from "../shared/socket.js";
import { LobbyRows } from "./rows.js";

const part = /** @type {HTMLElement} */ (document.getElementById("club-lobby"));
const table = /** @type {HTMLTableElement} */ (document.getElementById("lobby"));
const none = part.querySelector(".empty");
const rows = new LobbyRows(table.tBodies[0], () => none?.remove());

// What the page shows is as old as its answer; the first snapshot asks for what is new or changed.
/** @param {Wire.Summary} summary */
function seen(summary) {
  const row = document.getElementById(`tournament-${summary.tournament}`);
  const known = row?.dataset.shown === summary.shown;
  const count = row?.querySelector('[data-field="entrants"]')?.textContent?.replace(/\D/g, "");
  if (!known || count !== String(summary.entrants)) rows.ask(summary.tournament);
}

if (part.dataset.stream)
  line().follow(part.dataset.stream, {
    snapshot: (state) => (state.tournaments ?? []).forEach(seen),
    events: (events) =>
      events.forEach(
        (event) => event.type === "tournament_summary" && rows.ask(event.summary.tournament),
      ),
  });
document.body.addEventListener(
  "room:mine",
  ({ detail }) => detail.tournament && rows.ask(detail.tournament, true),
);
