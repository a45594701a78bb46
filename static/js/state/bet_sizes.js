// Sizes of bets and raises: presets and steps, always within the limits of the option.

import { unit } from "../shared/format.js";
import { DEAD_POSTS } from "./reducer.js";

/**
 * @param {Wire.Option} option
 * @returns {{action: "bet" | "raise", min: number, max: number} | null}
 */
export function range(option) {
  if (option.bet_min !== null && option.bet_min !== undefined) {
    return { action: "bet", min: option.bet_min, max: option.bet_max ?? option.bet_min };
  }
  if (option.raise_min !== null && option.raise_min !== undefined) {
    const { raise_min: min, raise_max: max } = option;
    return { action: "raise", min, max: max ?? min };
  }
  return null;
}

/** @type {(amount: number, limits: {min: number, max: number}) => number} */
export const clamp = (amount, limits) =>
  Math.min(limits.max, Math.max(limits.min, Math.round(amount)));

// The rake of the hand so far: taken after its streets, else with its pots.
/** @type {(state: Wire.TableSnapshot) => number} */
export function raked({ log = [] }) {
  /** @type {(amounts: number[]) => number} */
  const sum = (amounts) => amounts.reduce((all, amount) => all + amount, 0);
  const streets = log.flatMap((event) => (event.type === "rake_taken" ? [event.amount] : []));
  if (streets.length) return sum(streets);
  return sum(log.flatMap((event) => (event.type === "pot_awarded" ? [event.rake ?? 0] : [])));
}

// What the pots hold without the rake, which is spread by their size.
/** @type {(pots: Wire.Pot[], rake: number) => number[]} */
export function withoutRake(pots, rake) {
  const all = pots.reduce((sum, pot) => sum + pot.amount, 0);
  let below = 0;
  return pots.map(({ amount }) => {
    const upto = [below, below + amount].map((part) => Math.floor((rake * part) / (all || 1)));
    below += amount;
    return amount - (upto[1] - upto[0]);
  });
}

// Dead posts lie in no pot before the first bets are collected.
/** @type {(state: Wire.TableSnapshot) => number} */
function uncollected({ log = [] }) {
  if (log.some((event) => event.type === "bets_collected")) return 0;
  return log.reduce(
    (sum, event) =>
      event.type === "posted" && DEAD_POSTS.has(event.kind) ? sum + event.amount : sum,
    0,
  );
}

/** @type {(state: Wire.TableSnapshot) => number} */
export function potNow(state) {
  const collected = withoutRake(state.pots, raked(state)).reduce((sum, pot) => sum + pot, 0);
  return collected + uncollected(state) + state.seats.reduce((sum, seat) => sum + seat.bet, 0);
}

/** @type {(state: Wire.TableSnapshot) => number} */
const highestBet = (state) =>
  Math.max(
    state.street === "preflop" ? state.stakes.big_blind : 0,
    ...state.seats.map((seat) => seat.bet),
  );

/** @type {(state: Wire.TableSnapshot) => Wire.SeatSnapshot | undefined} */
const asked = ({ seats, turn }) => seats.find((seat) => seat.seat === turn?.seat);

/** @type {(state: Wire.TableSnapshot, seat: Wire.SeatSnapshot) => number} */
export function toCall(state, seat) {
  const owed = highestBet(state) - seat.bet;
  return Math.max(0, Math.min(owed, seat.chips));
}

// Presets 1..5 as {key, to}: `to` is the amount the slider jumps to.
/** @type {(state: Wire.TableSnapshot, option: Wire.Option) => {key: string, to: number}[]} */
export function presets(state, option) {
  const limits = range(option);
  if (!limits) return [];
  const call = option.call ?? 0;
  // A bring-in is a call of what nobody has bet.
  const highest = Math.max(highestBet(state), (asked(state)?.bet ?? 0) + call);
  const afterCall = potNow(state) + call;
  /** @type {(factor: number) => number} */
  const times = (factor) => highest * factor;
  /** @type {(part: number) => number} */
  const share = (part) => highest + afterCall * part;
  /** @type {[string, number][]} */
  const choices =
    state.street === "preflop"
      ? [
          ["x22", times(2.2)],
          ["x25", times(2.5)],
          ["x3", times(3)],
        ]
      : [
          ["half", share(1 / 2)],
          ["two_thirds", share(2 / 3)],
          ["pot", share(1)],
        ];
  const most = isAllIn(state, limits.max) ? "all_in" : "most";
  choices.unshift(["min", limits.min]);
  choices.push([most, limits.max]);
  return choices.map(([key, amount]) => ({ key, to: clamp(amount, limits) }));
}

/** @type {(state: Pick<Wire.TableSnapshot, "stakes">) => number} */
export const step = (state) => unit(state.stakes);

// Whether a bet of, or a raise to, `amount` takes the last chip of the seat to act.
/** @type {(state: Wire.TableSnapshot, amount: number) => boolean} */
export function isAllIn(state, amount) {
  const own = asked(state);
  return own ? amount === own.bet + own.chips : false;
}
