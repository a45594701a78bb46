// The chances of an all-in, computed anew for every street from public cards.

import { chances } from "./equity.js";

const HIDDEN = "??";

// Cards that were dealt face up to seats that folded since: nobody gets them any more.
function goneCards({ log = [], seats }) {
  const folded = new Set(seats.filter((seat) => seat.folded).map((seat) => seat.seat));
  return log
    .filter(({ type, seat, up }) => type === "hole_cards_dealt" && folded.has(seat) && up)
    .flatMap(({ cards, up }) => cards.slice(-up))
    .filter((card) => card !== HIDDEN);
}

// What is asked, the same on every screen; null while no hands lie open or the pot is given away.
export function situationOf(state, moment) {
  if (!moment.revealed || moment.ended || Object.keys(moment.won).length) return null;
  const live = state.seats.filter((seat) => seat.in_hand && !seat.folded);
  if (live.length < 2 || live.some(({ cards }) => !cards.length || cards.includes(HIDDEN)))
    return null;
  return {
    seats: live.map((seat) => seat.seat),
    asked: {
      variant: state.variant,
      hands: live.map((seat) => seat.cards),
      board: state.board,
      gone: goneCards(state),
    },
  };
}

export class AllIn {
  // known(bySeat): heard once for every street, when its chances are known.
  constructor(known) {
    this.known = known;
    this.key = "";
    this.found = null;
  }

  // {bySeat, margin}: parts of the main pot by seat; null without an all-in. Those of the street
  // before stay until the new ones are known.
  update(state, moment) {
    const situation = situationOf(state, moment);
    const key = situation ? JSON.stringify(situation) : "";
    if (key === this.key) return this.found;
    this.key = key;
    if (situation) this.#reckon(situation, key);
    else this.found = null;
    return this.found;
  }

  async #reckon({ seats, asked }, key) {
    const told = await chances(asked, () => this.key === key);
    if (!told || this.key !== key) return;
    const bySeat = Object.fromEntries(seats.map((seat, place) => [seat, told.shares[place]]));
    this.found = { bySeat, margin: told.margin };
    this.known(this.found);
  }
}
