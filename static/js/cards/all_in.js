// The chances of an all-in, computed anew for every street from public cards.

import { chances } from "./equity.js";

const HIDDEN = "??";
// So long a card appears (`cards.css`): no chance tells what it is before it lies there.
const APPEARS_MS = 240;

/**
 * What is told of the hand: whether all hands lie open, and who won of it.
 * @typedef {{revealed: boolean, ended: boolean, won: Record<string, number>}} Moment
 */

/** @typedef {import("./equity.js").Situation} Situation */

// Cards that were dealt face up to seats that folded since: nobody gets them any more.
/** @type {(state: Pick<Wire.TableSnapshot, "log" | "seats">) => string[]} */
function goneCards({ log = [], seats }) {
  const folded = new Set(seats.filter((seat) => seat.folded).map((seat) => seat.seat));
  return log
    .flatMap((event) =>
      event.type === "hole_cards_dealt" && folded.has(event.seat) && event.up
        ? event.cards.slice(-event.up)
        : [],
    )
    .filter((card) => card !== HIDDEN);
}

// What is asked, the same on every screen; null while no hands lie open or the pot is given away.
/** @type {(state: Wire.TableSnapshot, moment: Moment) => {seats: number[], asked: Situation} | null} */
export function situationOf(state, moment) {
  if (!moment.revealed || moment.ended || Object.keys(moment.won).length) return null;
  const live = state.seats.filter((seat) => seat.in_hand && !seat.folded);
  if (live.length < 2 || live.some(({ cards }) => !cards.length || cards.includes(HIDDEN)))
    return null;
  return {
    seats: live.map((seat) => seat.seat),
    asked: {
      variant: state.variant ?? "",
      hands: live.map((seat) => seat.cards),
      board: state.board,
      gone: goneCards(state),
    },
  };
}

/** @typedef {{bySeat: Record<number, number>, margin: number}} Shares */

export class AllIn {
  /** @param {(shares: Shares) => void} known heard once for every street, when its chances are known */
  constructor(known) {
    this.known = known;
    this.key = "";
    /** @type {Shares | null} */
    this.found = null;
  }

  // {bySeat, margin}: parts of the main pot by seat; null without an all-in. Those of the street
  // before stay until the new ones are known.
  /** @type {(state: Wire.TableSnapshot, moment: Moment) => Shares | null} */
  update(state, moment) {
    const situation = situationOf(state, moment);
    const key = situation ? JSON.stringify(situation) : "";
    if (key === this.key) return this.found;
    this.key = key;
    if (situation) this.#reckon(situation, key);
    else this.found = null;
    return this.found;
  }

  /** @type {(situation: {seats: number[], asked: Situation}, key: string) => Promise<void>} */
  async #reckon({ seats, asked }, key) {
    const lies = new Promise((go) => setTimeout(go, APPEARS_MS));
    const [told] = await Promise.all([chances(asked, () => this.key === key), lies]);
    if (!told || this.key !== key) return;
    const bySeat = Object.fromEntries(seats.map((seat, place) => [seat, told.shares[place]]));
    this.found = { bySeat, margin: told.margin };
    this.known(this.found);
  }
}
