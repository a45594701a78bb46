// The players of the featured table: a plate for each, with cards, chance, chips and last action.

import { layCards } from "../cards/faces.js";
import { attribute, el, keyed, show, text } from "../shared/dom.js";
import { chips } from "../shared/format.js";
import { actionWords, postKind } from "../state/words.js";

/** @typedef {import("../state/moment.js").Moment} Moment */
/** @typedef {import("../featured/chances.js").ToldChances} ToldChances */

class Plate {
  constructor() {
    this.cards = el("div", { class: "plate-cards" });
    this.name = el("b", {});
    this.chips = el("span", { class: "plate-chips" });
    this.action = el("span", { class: "plate-action" });
    this.chance = el("span", { class: "plate-chance" });
    this.node = el(
      "li",
      { class: "plate" },
      this.cards,
      el("div", { class: "plate-who" }, this.name, this.chips),
      el("div", { class: "plate-news" }, this.chance, this.action),
    );
  }

  /** @type {(seat: Wire.SeatSnapshot, state: Wire.TableSnapshot, moment: Moment, chances: ToldChances) => void} */
  update(seat, state, moment, chances) {
    text(this.name, seat.name);
    text(this.chips, chips(seat.chips));
    layCards(this.cards, seat.in_hand && !seat.folded ? seat.cards : []);
    attribute(this.node, "data-folded", !seat.in_hand || seat.folded);
    attribute(this.node, "data-turn", chances.seat === seat.seat);
    attribute(this.node, "data-won", Boolean(moment.won[seat.seat]));
    const part = chances.bySeat?.[seat.seat];
    show(this.chance, part !== undefined);
    text(this.chance, part === undefined ? "" : `${Math.round(part * 100)} %`);
    text(this.action, this.#news(seat, state, moment));
  }

  /** @type {(seat: Wire.SeatSnapshot, state: Wire.TableSnapshot, moment: Moment) => string} */
  #news(seat, state, moment) {
    const gain = moment.won[seat.seat];
    if (gain) return `+${chips(gain)}`;
    const action = moment.actions[seat.seat];
    if (!action) return "";
    return actionWords({
      ...action,
      kind: postKind(state, { seat: seat.seat, kind: action.kind }),
    });
  }
}

export class PlayerPanel {
  /** @param {HTMLElement} holder */
  constructor(holder) {
    this.holder = holder;
    /** @type {Map<number, Plate>} */
    this.plates = new Map();
  }

  /** @type {(state: Wire.TableSnapshot | null, moment: Moment, chances: ToldChances) => void} */
  update(state, moment, chances) {
    const seats = state?.seats ?? [];
    keyed(
      this.holder,
      seats.map((seat) => seat.seat),
      (key) => {
        const plate = new Plate();
        this.plates.set(Number(key), plate);
        return plate.node;
      },
    );
    // A plate that left the page is forgotten with its seat.
    for (const number of [...this.plates.keys()])
      if (!seats.some((seat) => seat.seat === number)) this.plates.delete(number);
    if (!state) return;
    for (const seat of seats) this.plates.get(seat.seat)?.update(seat, state, moment, chances);
  }
}
