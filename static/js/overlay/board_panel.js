// The middle of the featured table: board, pot, price of the call, and which table is shown.

import { layCards } from "../cards/faces.js";
import { reasonWords, tableWords } from "../featured/words.js";
import { el, show, text } from "../shared/dom.js";
import { chips } from "../shared/format.js";
import { gettext, interpolate } from "../shared/i18n.js";

/** @typedef {import("../state/moment.js").Moment} Moment */
/** @typedef {import("../featured/chances.js").ToldChances} ToldChances */

export class BoardPanel {
  /** @param {HTMLElement} holder */
  constructor(holder) {
    this.holder = holder;
    this.cards = el("div", { class: "board-cards" });
    this.pot = el("b", { class: "board-pot" });
    this.price = el("span", { class: "board-price" });
    this.table = el("span", { class: "board-table" });
    holder.replaceChildren(this.cards, this.pot, this.price, this.table);
  }

  /**
   * @param {Wire.TableSnapshot | null} state
   * @param {Moment} moment
   * @param {ToldChances} chances
   * @param {Wire.HandRetold | null} retold
   */
  update(state, moment, { pot, call, need }, retold) {
    show(this.holder, Boolean(state));
    if (!state) return;
    layCards(this.cards, state.board);
    const all = state.seats.reduce((sum, seat) => sum + seat.bet, 0);
    const inPots = state.pots.reduce((sum, one) => sum + one.amount, 0);
    const amount = moment.ended ? 0 : pot || all + inPots;
    text(this.pot, amount ? interpolate(gettext("Pot %(amount)s"), { amount: chips(amount) }) : "");
    const values = { call: chips(call), need: Math.round(need * 100) };
    text(
      this.price,
      call ? interpolate(gettext("%(call)s to call, needs %(need)s percent"), values) : "",
    );
    const why = retold ? [tableWords(retold), reasonWords(retold)] : [];
    text(this.table, why.filter(Boolean).join(" · "));
  }
}
