// Sizes of bets and raises: presets and steps, always within the limits of the option.

import { unit } from "../shared/format.js";

export function range(option) {
  if (option.bet_min !== null && option.bet_min !== undefined) {
    return { action: "bet", min: option.bet_min, max: option.bet_max };
  }
  if (option.raise_min !== null && option.raise_min !== undefined) {
    return { action: "raise", min: option.raise_min, max: option.raise_max };
  }
  return null;
}

export const clamp = (amount, limits) =>
  Math.min(limits.max, Math.max(limits.min, Math.round(amount)));

export function potNow(state) {
  const collected = state.pots.reduce((sum, pot) => sum + pot.amount, 0);
  return collected + state.seats.reduce((sum, seat) => sum + seat.bet, 0);
}

const highestBet = (state) =>
  Math.max(
    state.street === "preflop" ? state.stakes.big_blind : 0,
    ...state.seats.map((seat) => seat.bet),
  );

export function toCall(state, seat) {
  const owed = highestBet(state) - seat.bet;
  return Math.max(0, Math.min(owed, seat.chips));
}

// Presets 1..5 as {key, to}: `to` is the amount the slider jumps to.
export function presets(state, option) {
  const limits = range(option);
  if (!limits) return [];
  const call = option.call ?? 0;
  const highest = highestBet(state);
  const afterCall = potNow(state) + call;
  const times = (factor) => highest * factor;
  const share = (part) => highest + afterCall * part;
  const middle =
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
  return [["min", limits.min], ...middle, [most, limits.max]].map(([key, amount]) => ({
    key,
    to: clamp(amount, limits),
  }));
}

export const step = (state) => unit(state.stakes);

// Whether a bet of, or a raise to, `amount` takes the last chip of the seat to act.
export function isAllIn(state, amount) {
  const own = state.seats.find((seat) => seat.seat === state.turn?.seat);
  return own ? amount === own.bet + own.chips : false;
}
