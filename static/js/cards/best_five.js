// The result of a showdown: the five cards of each winner, and the kicker where one decides.

import { handsOf } from "./hand_parts.js";
import { best, differsAt, named, strength } from "./hand_strength.js";

const RANKS = "23456789TJQKA";
const LOW_RANKS = "A2345678";
const OPEN_MIN = 2;

// The five ranks of a low from the highest down, for a comparison from the left; null for none.
/** @type {(cards: string[]) => number[] | null} */
function lowRanks(cards) {
  const ranks = [...new Set(cards.map((card) => LOW_RANKS.indexOf(card[0])))];
  if (ranks.length < 5 || ranks.includes(-1)) return null;
  return ranks.sort((one, other) => other - one);
}

/** @type {(one: number[], other: number[]) => boolean} */
const isLower = (one, other) => {
  const at = differsAt(one, other);
  return at >= 0 && one[at] < other[at];
};

// The cards of the best low, none when nothing qualifies (O-03).
/** @type {(variant: string, hole: string[], board: string[]) => string[]} */
export function bestLow(variant, hole, board) {
  const lows = handsOf(variant, hole, board).flatMap((cards) => {
    const ranks = lowRanks(cards);
    return ranks ? [{ cards, ranks }] : [];
  });
  if (!lows.length) return [];
  return lows.reduce((top, low) => (isLower(low.ranks, top.ranks) ? low : top)).cards;
}

/** @typedef {{cards: string[], weight: number[]}} Hand */

/** @type {(seat: Wire.SeatSnapshot) => boolean} */
const isOpen = (seat) =>
  seat.in_hand && !seat.folded && seat.cards.length > 0 && !seat.cards.includes("??");

// Live hands that all can see: [seat number, {cards, weight}].
/** @type {(state: Wire.TableSnapshot, shown: (seat: number) => boolean) => [number, Hand][]} */
function openHands({ seats, variant, board }, shown) {
  const open = seats.filter((seat) => isOpen(seat) && shown(seat.seat));
  return weighed(
    open.map((seat) => [seat.seat, seat.cards]),
    variant,
    board,
  );
}

// The best of each seat's cards, of those that have any.
/** @type {(holes: [number, string[]][], variant: string | null, board: string[]) => [number, Hand][]} */
const weighed = (holes, variant, board) =>
  holes.flatMap(([seat, hole]) => {
    const hand = best(variant ?? "", hole, board);
    return hand ? [/** @type {[number, Hand]} */ ([seat, hand])] : [];
  });

// The rank that sets a hand apart from one its words do not tell it from; "" for none.
/** @type {(weight: number[], other: number[]) => number} */
function kickerAgainst(weight, other) {
  const at = differsAt(weight, other);
  const told = named(weight);
  return at >= told && weight.slice(0, told).join() === other.slice(0, told).join() ? at : -1;
}

// Seat number -> rank of the kicker that decides for or against its hand.
/** @type {(hands: [number, Hand][]) => Record<number, string>} */
function kickers(hands) {
  /** @type {Record<number, string>} */
  const found = {};
  const top = hands.reduce((one, other) => {
    const at = differsAt(one[1].weight, other[1].weight);
    return at >= 0 && other[1].weight[at] > one[1].weight[at] ? other : one;
  });
  for (const [seat, { weight }] of hands) {
    const isTop = differsAt(weight, top[1].weight) < 0;
    const rivals = isTop ? hands.map(([, hand]) => hand) : [top[1]];
    const at = Math.max(...rivals.map((rival) => kickerAgainst(weight, rival.weight)));
    if (at >= 0) found[seat] = RANKS[weight[at]];
  }
  return found;
}

/**
 * What is told of hands by seat: those shown, by their words, and the halves of pots they won.
 * @typedef {{revealed: boolean, made: Record<string, string>,
 *   halves: Record<string, {high?: boolean, low?: boolean}>}} ToldHands
 */

/** @typedef {{cards: Set<string>, bySeat: Record<number, Set<string>>, kickers: Record<number, string>}} Showdown */

/** @type {Readonly<Showdown>} */
export const NOBODY = Object.freeze({ cards: new Set(), bySeat: {}, kickers: {} });

// `cards` make the winners' hands, `bySeat` those of each winner; empty until a pot was won by
// hands that lie open.
/** @type {(state: Wire.TableSnapshot, moment: ToldHands) => Readonly<Showdown>} */
export function showdownOf(state, moment) {
  if (!state.variant) return NOBODY;
  const hands = openHands(state, (seat) => moment.revealed || Boolean(moment.made[seat]));
  if (hands.length < OPEN_MIN || hands.some(([, hand]) => hand.cards.length < 5)) return NOBODY;
  /** @type {Record<number, Set<string>>} */
  const bySeat = {};
  for (const [seat, { cards }] of hands) {
    const won = [];
    if (moment.halves[seat]?.high) won.push(...cards);
    if (moment.halves[seat]?.low) {
      const hole = state.seats.find((other) => other.seat === seat)?.cards ?? [];
      won.push(...bestLow(state.variant, hole, state.board));
    }
    if (won.length) bySeat[seat] = new Set(won);
  }
  const cards = new Set(Object.values(bySeat).flatMap((one) => [...one]));
  const isOver = Object.keys(moment.made).length > 0;
  return { cards, bySeat, kickers: isOver ? kickers(hands) : {} };
}

// Seat -> cards, of the hands that all saw in this course and that did not fold.
/** @type {(log: Wire.TableSnapshot["log"]) => Map<number, string[]>} */
function handsSeen(log) {
  const seen = new Map();
  for (const event of log) {
    if (event.type === "hands_revealed")
      for (const [number, hole] of event.hands) seen.set(number, hole);
    if (event.type === "cards_shown" && !event.cards.includes("??"))
      seen.set(event.seat, event.cards);
    if (event.type === "folded") seen.delete(event.seat);
  }
  return seen;
}

// Seat number -> {made, kicker} of the open hands of a pot in which a kicker decides; `state` is
// the table before the award. The hands come from the course of the hand, not from the seats: a
// player who is knocked out leaves the table, the log keeps the kicker.
/**
 * @param {Pick<Wire.TableSnapshot, "variant" | "board" | "log">} state
 * @param {Pick<Wire.PotAwarded, "pot" | "half">} award
 * @returns {Record<number, {made: string, kicker: string}>}
 */
export function decidedByKicker({ variant, board, log = [] }, { pot, half }) {
  if (half === "low") return {};
  const collected = log.findLast((event) => event.type === "bets_collected");
  const pots = collected?.pots;
  /** @type {(seat: number) => boolean} */
  const isIn = (seat) => pots?.[pot]?.seats.includes(seat) ?? true;
  const seen = [...handsSeen(log)].filter(([seat]) => isIn(seat));
  const hands = weighed(seen, variant, board);
  if (hands.length < OPEN_MIN || hands.some(([, hand]) => hand.cards.length < 5)) return {};
  const found = kickers(hands);
  return Object.fromEntries(
    seen
      .filter(([seat]) => seat in found)
      .map(([seat, hole]) => [
        seat,
        { made: strength(variant ?? "", hole, board), kicker: found[seat] },
      ]),
  );
}
