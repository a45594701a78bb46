// A player's hand so far, in the notation of made hands: "two_pair:KT" (tables/engine/notation.py).

import { handsOf } from "./hand_parts.js";

const RANKS = "23456789TJQKA";
const KINDS = [
  ...["high", "pair", "two_pair", "three", "straight", "flush"],
  ...["full_house", "four", "straight_flush", "royal_flush"],
];
const NAMED_BY_TWO = new Set(["two_pair", "full_house"]);
/** @type {(card: string) => number} */
const rankOf = (card) => RANKS.indexOf(card[0]);

// The top card of a straight, -1 for none; the ace also goes below the two.
/** @type {(ranks: number[]) => number} */
function straightTop(ranks) {
  const own = [...new Set(ranks)].sort((a, b) => b - a);
  if (own.length < 5) return -1;
  if (own[0] - own[4] === 4) return own[0];
  return own.join() === "12,3,2,1,0" ? 3 : -1;
}

// Up to five cards as numbers that compare from the left: the kind, then ranks by how often they come.
/** @type {(cards: string[]) => number[]} */
export function weigh(cards) {
  const ranks = cards.map(rankOf);
  const times = new Map();
  for (const rank of ranks) times.set(rank, (times.get(rank) ?? 0) + 1);
  const groups = [...times].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
  const shape = groups.map(([, count]) => count);
  const top = straightTop(ranks);
  const flush = cards.length === 5 && new Set(cards.map((card) => card[1])).size === 1;
  let kind = "high";
  if (flush && top === 12) kind = "royal_flush";
  else if (flush && top >= 0) kind = "straight_flush";
  else if (shape[0] === 4) kind = "four";
  else if (shape[0] === 3 && shape[1] === 2) kind = "full_house";
  else if (flush) kind = "flush";
  else if (top >= 0) kind = "straight";
  else if (shape[0] === 3) kind = "three";
  else if (shape[0] === 2) kind = shape[1] === 2 ? "two_pair" : "pair";
  const order = top >= 0 ? [top] : groups.map(([rank]) => rank);
  return [KINDS.indexOf(kind), ...order];
}

// Where two weights differ first, -1 when they are equal.
/** @type {(one: number[], other: number[]) => number} */
export const differsAt = (one, other) =>
  one.findIndex((number, place) => number !== (other[place] ?? -1));

/** @type {(one: number[], other: number[]) => boolean} */
function heavier(one, other) {
  const at = differsAt(one, other);
  return at >= 0 && one[at] > (other[at] ?? -1);
}

// The best five that hole cards and board make so far, with what they weigh; null without any.
/** @type {(variant: string, hole: string[], board: string[]) => {cards: string[], weight: number[]} | null} */
export function best(variant, hole, board) {
  if (!hole.length || hole.includes("??")) return null;
  return handsOf(variant, hole, board)
    .map((cards) => ({ cards, weight: weigh(cards) }))
    .reduce((top, hand) => (heavier(hand.weight, top.weight) ? hand : top));
}

// How many numbers of a weight its words name: the kind and a rank, two of them for two pairs.
/** @type {(weight: number[]) => number} */
export const named = ([kind]) => (NAMED_BY_TWO.has(KINDS[kind]) ? 3 : 2);

// The best that hole cards and board make so far; "" before any card is known.
/** @type {(variant: string, hole: string[], board: string[]) => string} */
export function strength(variant, hole, board) {
  const found = best(variant, hole, board);
  if (!found) return "";
  const name = KINDS[found.weight[0]];
  if (name === "royal_flush") return name;
  const shown = found.weight.slice(1, named(found.weight));
  return `${name}:${shown.map((rank) => RANKS[rank]).join("")}`;
}
