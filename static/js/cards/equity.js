// Chances of open hands: the part of the main pot that each may expect, from public cards alone.

import { CARDS, cardNumber, fill, highOfFive, lowOfFive } from "./five_cards.js";
import { handsOf, hasLow } from "./hand_parts.js";

// So many hands of five are looked at: all run-outs where that is enough, else a sample of them.
const LOOKS = 1_500_000;
const SAMPLE_MIN = 2_000;
const SAMPLE_MAX = 40_000;
const STUD_CARDS = 7;
const BOARD_CARDS = 5;
const SLICE_MS = 8;
const AT_ONCE = 64;
// Half the width of the interval that has the truth in 95 of 100 samples, at most.
const MARGIN = 0.98;

/**
 * What is asked: cards by name, of the hands that are in, of the board, and of nobody any more.
 * @typedef {{variant: string, hands: string[][], board: string[], gone?: string[]}} Situation
 */

/** @typedef {{shares: number[], exact: boolean, margin: number}} Chances */

/**
 * Cards by number, as `five_cards.js` counts them.
 * @typedef {{variant: string, hands: number[][], board: number[]}} Dealt
 */

/** @typedef {(place: number, card: number) => void} Put */

/** @type {(variant: string) => boolean} */
const isStud = (variant) => variant.startsWith("stud");

/** @type {(from: number, count: number) => number} */
function chooseCount(from, count) {
  let ways = 1;
  for (let step = 0; step < count; step += 1) ways = (ways * (from - step)) / (step + 1);
  return Math.round(ways);
}

// What is still to be dealt, hand by hand or to the board; null where the deck does not say.
/** @type {(dealt: Dealt, left: number) => number[] | null} */
function draws({ variant, hands, board }, left) {
  const needs = isStud(variant)
    ? hands.map((hand) => STUD_CARDS - hand.length)
    : [BOARD_CARDS - board.length];
  const whole = needs.reduce((sum, need) => sum + need, 0);
  return needs.some((need) => need < 0) || whole > left ? null : needs;
}

/** @type {(needs: number[], left: number) => number} */
function ways(needs, left) {
  let [all, rest] = [1, left];
  for (const need of needs) {
    all *= chooseCount(rest, need);
    rest -= need;
  }
  return all;
}

// Every order of drawing that makes a difference: `put(place, card)` and then `done()` for each.
/** @type {(needs: number[], deck: number[], put: Put) => Generator<void, void, void>} */
function* everyDraw(needs, deck, put) {
  const used = new Uint8Array(deck.length);
  const places = needs.flatMap((need, group) => Array.from({ length: need }, () => group));
  /** @type {(place: number, from: number) => Generator<void, void, void>} */
  function* go(place, from) {
    if (place === places.length) {
      yield;
      return;
    }
    for (let at = from; at < deck.length; at += 1) {
      if (used[at]) continue;
      used[at] = 1;
      put(place, deck[at]);
      yield* go(place + 1, places[place + 1] === places[place] ? at + 1 : 0);
      used[at] = 0;
    }
  }
  yield* go(0, 0);
}

// The same numbers on every screen: they begin with what lies open.
/** @type {(words: string) => () => number} */
function seeded(words) {
  let state = 2_166_136_261;
  for (const sign of words) state = Math.imul(state ^ (sign.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @type {(count: number, needs: number[], deck: number[], put: Put, random: () => number) => Generator<void, void, void>} */
function* someDraws(count, needs, deck, put, random) {
  const cards = [...deck];
  const whole = needs.reduce((sum, need) => sum + need, 0);
  for (let round = 0; round < count; round += 1) {
    for (let place = 0; place < whole; place += 1) {
      const other = place + Math.floor(random() * (cards.length - place));
      [cards[place], cards[other]] = [cards[other], cards[place]];
      put(place, cards[place]);
    }
    yield;
  }
}

/** @typedef {{rows: Uint8Array[], put: Put, fives: Uint8Array[]}} Layout */

// The cards of all hands as they lie, with room for those to come, and the fives they make.
/** @type {(dealt: Dealt, needs: number[]) => Layout} */
function layOut({ variant, hands, board }, needs) {
  const stud = isStud(variant);
  /** @type {[number, number][][]} */
  const spots = [];
  const rows = hands.map((hand, number) => {
    const row = new Uint8Array(hand.length + (stud ? needs[number] : BOARD_CARDS));
    row.set(hand);
    if (!stud) row.set(board, hand.length);
    return row;
  });
  if (stud)
    hands.forEach((hand, number) => {
      for (let at = hand.length; at < rows[number].length; at += 1) spots.push([[number, at]]);
    });
  else
    for (let at = board.length; at < BOARD_CARDS; at += 1)
      spots.push(hands.map((hand, number) => [number, hand.length + at]));
  /** @type {Put} */
  const put = (place, card) => {
    for (const [number, at] of spots[place]) rows[number][at] = card;
  };
  const fives = hands.map((hand, number) => {
    const places = Array.from(rows[number].keys());
    const own = stud ? places : places.slice(0, hand.length);
    const common = stud ? [] : places.slice(hand.length);
    return Uint8Array.from(handsOf(variant, own, common).flat());
  });
  return { rows, put, fives };
}

/** @type {(row: Uint8Array, fives: Uint8Array, ofFive: typeof highOfFive) => number} */
function strongest(row, fives, ofFive) {
  let best = 0;
  for (let at = 0; at < fives.length; at += 5) {
    const strength = ofFive(
      row[fives[at]],
      row[fives[at + 1]],
      row[fives[at + 2]],
      row[fives[at + 3]],
      row[fives[at + 4]],
    );
    if (strength > best) best = strength;
  }
  return best;
}

/** @type {(strengths: number[], part: number, shares: number[]) => void} */
function share(strengths, part, shares) {
  const best = Math.max(...strengths);
  const winners = strengths.filter((strength) => strength === best).length;
  strengths.forEach((strength, number) => {
    if (strength === best) shares[number] += part / winners;
  });
}

// A run-out to its end: each hand's part of the pot is added to `shares`.
/** @type {(layout: Layout, low: boolean, shares: number[]) => void} */
function award({ rows, fives }, low, shares) {
  const highs = rows.map((row, number) => strongest(row, fives[number], highOfFive));
  const lows = low ? rows.map((row, number) => strongest(row, fives[number], lowOfFive)) : [];
  const halved = lows.some((strength) => strength > 0);
  share(highs, halved ? 0.5 : 1, shares);
  if (halved) share(lows, 0.5, shares);
}

// Yields now and then, and returns {shares, exact, margin}: parts of 1 in the order of `hands`;
// null where nobody can tell. `gone` are cards that all have seen and that are in no live hand.
/** @type {(situation: Situation) => Generator<void, Chances | null, void>} */
export function* reckon({ variant, hands: open, board: common, gone = [] }) {
  fill();
  const hands = open.map((hand) => hand.map(cardNumber));
  const board = common.map(cardNumber);
  const seen = new Set([...hands.flat(), ...board, ...gone.map(cardNumber)]);
  const deck = Array.from({ length: CARDS }, (_, card) => card).filter((card) => !seen.has(card));
  const needs = draws({ variant, hands, board }, deck.length);
  if (!needs) return null;
  const laid = layOut({ variant, hands, board }, needs);
  const cost = laid.fives.reduce((sum, fives) => sum + fives.length / 5, 0);
  const all = ways(needs, deck.length);
  const exact = all * cost <= LOOKS;
  const count = exact ? all : Math.max(SAMPLE_MIN, Math.min(SAMPLE_MAX, Math.floor(LOOKS / cost)));
  const random = seeded([variant, ...open.map((hand) => hand.join("")), common.join("")].join());
  const drawn = exact
    ? everyDraw(needs, deck, laid.put)
    : someDraws(count, needs, deck, laid.put, random);
  const shares = hands.map(() => 0);
  let done = 0;
  for (const _ of drawn) {
    award(laid, hasLow(variant), shares);
    done += 1;
    if (done % AT_ONCE === 0) yield;
  }
  return {
    shares: shares.map((sum) => sum / done),
    exact,
    margin: exact ? 0 : MARGIN / Math.sqrt(done),
  };
}

const breath = () => new Promise((go) => setTimeout(go));

// The same without holding up the page: in slices, until `wanted()` says no; null then.
/** @type {(situation: Situation, wanted?: () => boolean) => Promise<Chances | null>} */
export async function chances(situation, wanted = () => true) {
  const work = reckon(situation);
  for (;;) {
    const until = performance.now() + SLICE_MS;
    while (performance.now() < until) {
      const { done, value } = work.next();
      if (done) return value ?? null;
    }
    await breath();
    if (!wanted()) return null;
  }
}
