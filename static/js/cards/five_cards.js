// The strength of five cards as one number, from tables that the words' own ranking fills once.

import { weigh } from "./hand_strength.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
// No two choices of five ranks, each at most four times, have the same sum of these.
const KEYS = [0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415];
const SUM_MAX = 360_918;
const LOWS = 256;
const NO_LOW = 256;

// A card as a number: four to a rank, from the deuce up.
/** @type {(card: string) => number} */
export const cardNumber = (card) => RANKS.indexOf(card[0]) * 4 + SUITS.indexOf(card[1]);
export const CARDS = 52;

const keyOf = new Int32Array(CARDS);
const bitOf = new Int32Array(CARDS);
const lowOf = new Int32Array(CARDS);
let isFilled = false;
let plain = new Int32Array(0);
let suited = new Int32Array(0);
let lows = new Int32Array(0);

function fillCards() {
  for (let card = 0; card < CARDS; card += 1) {
    const rank = card >> 2;
    keyOf[card] = KEYS[rank];
    bitOf[card] = 1 << rank;
    lowOf[card] = rank === 12 ? 1 : rank <= 6 ? 2 << rank : NO_LOW;
  }
}

// Kind and ranks as one number that compares as they do from the left.
/** @type {(weight: number[]) => number} */
const compact = (weight) =>
  [0, 1, 2, 3, 4, 5].reduce((sum, place) => sum * 14 + (weight[place] ?? -1) + 1, 0);

/** @type {(ranks?: number[], sum?: number) => void} */
function fillPlain(ranks = [], sum = 0) {
  if (ranks.length === 5) {
    plain[sum] = compact(weigh(ranks.map((rank, place) => RANKS[rank] + "cdhsc"[place])));
    return;
  }
  for (let rank = ranks.at(-1) ?? 0; rank < 13; rank += 1) {
    if (ranks.filter((other) => other === rank).length === 4) continue;
    fillPlain([...ranks, rank], sum + KEYS[rank]);
  }
}

/** @type {(from?: number, ranks?: number[], mask?: number) => void} */
function fillSuited(from = 0, ranks = [], mask = 0) {
  if (ranks.length === 5) {
    suited[mask] = compact(weigh(ranks.map((rank) => `${RANKS[rank]}s`)));
    return;
  }
  for (let rank = from; rank < 13; rank += 1)
    fillSuited(rank + 1, [...ranks, rank], mask | (1 << rank));
}

/** @type {(mask: number) => number} */
const bits = (mask) => mask.toString(2).replaceAll("0", "").length;

export function fill() {
  if (isFilled) return;
  isFilled = true;
  fillCards();
  plain = new Int32Array(SUM_MAX + 1);
  suited = new Int32Array(1 << 13);
  lows = new Int32Array(2 * NO_LOW);
  fillPlain();
  fillSuited();
  for (let mask = 0; mask < LOWS; mask += 1) lows[mask] = bits(mask) === 5 ? LOWS - mask : 0;
}

// More is better; comparable with every other five cards.
/** @type {(a: number, b: number, c: number, d: number, e: number) => number} */
export function highOfFive(a, b, c, d, e) {
  if ((((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3) === 0)
    return suited[bitOf[a] | bitOf[b] | bitOf[c] | bitOf[d] | bitOf[e]];
  return plain[keyOf[a] + keyOf[b] + keyOf[c] + keyOf[d] + keyOf[e]];
}

// Eight or better: more is better, 0 does not qualify (O-03).
/** @type {(a: number, b: number, c: number, d: number, e: number) => number} */
export const lowOfFive = (a, b, c, d, e) =>
  lows[lowOf[a] | lowOf[b] | lowOf[c] | lowOf[d] | lowOf[e]];
