// The page of the featured table: hands told again with all cards, drawn like any other table.

import "../table/poker_table.js";
import { text } from "../shared/dom.js";
import { chips } from "../shared/format.js";
import { gettext, interpolate } from "../shared/i18n.js";
import { line } from "../shared/socket.js";
import { partsOf } from "./chances.js";
import { ToldTable } from "./told_table.js";
import { delayWords, reasonWords, tableWords } from "./words.js";

const room = /** @type {import("../table/poker_table.js").PokerTable} */ (
  document.querySelector("poker-table")
);
/** @type {(id: string) => HTMLElement} */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(`featured-${id}`));

/** @param {Wire.HandRetold} retold */
function begun(retold) {
  text(part("table"), tableWords(retold));
  text(part("why"), reasonWords(retold));
  text(part("delay"), delayWords(retold.delay_ms));
}

const told = new ToldTable(room.model, begun);
// The chances come from the room, not from the cards that this page knows.
room.allIn.update = () => partsOf(told.chances);
room.model.addEventListener("change", () => text(part("odds"), oddsWords()));

// "Anna pays 200 for a pot of 450: needs 31 percent, has 44 percent."
function oddsWords() {
  const { seat, call, pot, need, bySeat } = told.chances;
  const name = room.model.state?.seats.find((one) => one.seat === seat)?.name;
  if (!name || !call) return "";
  const values = { name, call: chips(call), pot: chips(pot), need: Math.round(need * 100) };
  const price = interpolate(
    gettext("%(name)s pays %(call)s for a pot of %(pot)s: needs %(need)s percent"),
    values,
  );
  const has = bySeat?.[seat ?? 0];
  if (has === undefined) return price;
  const chance = interpolate(gettext("has %(has)s percent"), { has: Math.round(has * 100) });
  return `${price}, ${chance}`;
}

room.note(gettext("The first hand comes after the delay."));
line().follow(`featured:${room.dataset.featured}`, {
  snapshot: (state) => {
    if (state.retold) room.note("");
    else text(part("delay"), delayWords(state.delay_ms));
    told.snapshot(state);
  },
  events: (events) => {
    room.note("");
    told.events(events);
  },
  refused: (message) => room.note(message.message),
});
