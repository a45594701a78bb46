// A made hand in words: "two_pair:KT" becomes "two pair, kings and tens".

import { gettext, interpolate } from "../shared/i18n.js";

/** @type {() => Record<string, string>} */
const one = () => ({
  A: gettext("ace"),
  K: gettext("king"),
  Q: gettext("queen"),
  J: gettext("jack"),
  T: gettext("ten"),
  9: gettext("nine"),
  8: gettext("eight"),
  7: gettext("seven"),
  6: gettext("six"),
  5: gettext("five"),
  4: gettext("four"),
  3: gettext("three"),
  2: gettext("two"),
});

/** @type {() => Record<string, string>} */
const many = () => ({
  A: gettext("aces"),
  K: gettext("kings"),
  Q: gettext("queens"),
  J: gettext("jacks"),
  T: gettext("tens"),
  9: gettext("nines"),
  8: gettext("eights"),
  7: gettext("sevens"),
  6: gettext("sixes"),
  5: gettext("fives"),
  4: gettext("fours"),
  3: gettext("threes"),
  2: gettext("twos"),
});

/** @type {(rank: string) => string} */
export const rankName = (rank) => one()[rank] ?? rank;

/** @type {() => Record<string, string>} */
const patterns = () => ({
  high: gettext("%(one)s high"),
  pair: gettext("a pair of %(many)s"),
  two_pair: gettext("two pair, %(many)s and %(second)s"),
  three: gettext("three %(many)s"),
  straight: gettext("a straight to the %(one)s"),
  flush: gettext("a flush, %(one)s high"),
  full_house: gettext("a full house, %(many)s full of %(second)s"),
  four: gettext("four %(many)s"),
  straight_flush: gettext("a straight flush to the %(one)s"),
  royal_flush: gettext("a royal flush"),
});

// "low:8543A" becomes "8-5-4-3-A low"; "" for none.
/** @type {(low: string) => string} */
export function lowWords(low) {
  if (!low) return "";
  return interpolate(gettext("%(ranks)s low"), { ranks: low.split(":")[1].split("").join("-") });
}

/** @type {(made: string) => string} */
export function madeWords(made) {
  if (!made) return "";
  const [kind, ranks = ""] = made.split(":");
  const pattern = patterns()[kind];
  if (!pattern) return "";
  return interpolate(pattern, {
    one: one()[ranks[0]] ?? "",
    many: many()[ranks[0]] ?? "",
    second: many()[ranks[1]] ?? "",
  });
}

// A hand with the kicker that decides: "a pair of kings, ace kicker".
/** @type {(hand: string, rank: string) => string} */
export const kickerWords = (hand, rank) =>
  rank ? interpolate(gettext("%(hand)s, %(rank)s kicker"), { hand, rank: rankName(rank) }) : hand;
