// The course of a hand from its public events: its hash, and the position of every card dealt.

import { DECK_SIZE, encoded, PLAYED, sha, tag, VOID_IN_PLAY } from "./bytes.js";

const HOLE = { holdem: 2, omaha: 4, omaha5: 5, omaha5_house: 5, omaha_hilo: 4, omaha5_hilo: 5 };
/** @typedef {{name: string, down: number, up: number, board: number}} Street */

/** @type {(hole: number) => Street[]} */
const boards = (hole) => [
  { name: "preflop", down: hole, up: 0, board: 0 },
  { name: "flop", down: 0, up: 0, board: 3 },
  { name: "turn", down: 0, up: 0, board: 1 },
  { name: "river", down: 0, up: 0, board: 1 },
];
const STUD = [
  { name: "third", down: 2, up: 1, board: 0 },
  ...["fourth", "fifth", "sixth"].map((name) => ({ name, down: 0, up: 1, board: 0 })),
  { name: "seventh", down: 1, up: 0, board: 0 },
];

/** The streets of each game: cards to each seat face down and up, and to the board.
 * @type {Record<string, Street[]>} */
const GAMES = {
  ...Object.fromEntries(Object.entries(HOLE).map(([game, hole]) => [game, boards(hole)])),
  stud: STUD,
  stud_hilo: STUD,
};

const POT = ["amount", "seats"];
const STACK = ["seat", "chips"];
const WINNER = ["seat", "amount"];
/** @type {Record<string, string[]>} */
const NESTED = { pots: POT, stacks: STACK, winners: WINNER };

/** The fields of each event that are in its line of the course.
 * @type {Record<string, string[]>} */
export const FIELDS = Object.fromEntries(
  [
    "button_drawn cards button",
    "hand_began hand variant limit button small_blind big_blind stacks",
    "posted seat kind amount",
    "hole_cards_dealt seat cards up",
    "folded seat",
    "checked seat",
    "called seat amount",
    "bet seat amount",
    "raised seat to amount",
    "uncalled_returned seat amount",
    "bets_collected pots",
    "rake_taken amount",
    "hands_revealed hands",
    "street_dealt street cards",
    "cards_shown seat cards",
    "mucked seat",
    "pot_awarded pot half amount rake winners",
    "hand_ended hand stacks",
  ].map((line) => [line.split(" ")[0], line.split(" ").slice(1)]),
);

/** @type {(value: any, names?: string[]) => string} */
function written(value, names) {
  if (value === null || value === undefined) return "-";
  if (Array.isArray(value)) return `(${value.map((item) => written(item, names)).join(" ")})`;
  if (typeof value === "object")
    return `(${(names ?? []).map((name) => written(value[name])).join(" ")})`;
  return String(value);
}

/** @type {(event: any) => string} */
const lineOf = (event) =>
  [event.type, ...FIELDS[event.type].map((name) => written(event[name], NESTED[name]))].join(" ");

/** @type {(events: any[], hand: Uint8Array, seal: Uint8Array) => Promise<Uint8Array>} */
export async function courseOf(events, hand, seal) {
  let link = await sha(tag("course"), hand, seal);
  for (const event of events) link = await sha(link, encoded(lineOf(event)));
  return link;
}

/** Whether the events are those of one whole hand, all of them known; a void one has no end.
 * @type {(fate: number, events: any[]) => boolean} */
function isWhole(fate, events) {
  const kinds = events.map((event) => event.type);
  const rest = kinds.slice(kinds[0] === "button_drawn" ? 2 : 1);
  const began = kinds[kinds[0] === "button_drawn" ? 1 : 0] === "hand_began";
  const early = new Set(["button_drawn", "hand_began"]);
  const ends = rest.filter((kind) => kind === "hand_ended").length;
  return (
    kinds.every((kind) => kind in FIELDS) &&
    began &&
    (fate === PLAYED ? ends === 1 && rest.at(-1) === "hand_ended" : !ends) &&
    !rest.some((kind) => early.has(kind))
  );
}

export class Deal {
  constructor() {
    /** @type {Map<number, number[]>} */
    this.hole = new Map();
    /** @type {Map<number, string>} */
    this.shown = new Map();
    /** @type {number[]} */
    this.showdown = []; // Seats whose hands a seat that was dealt in may look up (S-03).
    this.clash = false;
  }

  /** @type {(places: number[], cards: string[]) => boolean} */
  show(places, cards) {
    if (places.length !== cards.length) return false;
    cards.forEach((card, number) => {
      if (card === "??") return;
      const before = this.shown.get(places[number]) ?? card;
      this.clash ||= before !== card;
      this.shown.set(places[number], before);
    });
    return true;
  }

  // Positions that are open to a viewer beside those shown to all.
  /** @type {(viewer: number | null, lookedUp: number[]) => Set<number>} */
  own(viewer, lookedUp) {
    if (viewer === null || !this.hole.has(viewer)) return new Set();
    const seats = [viewer, ...lookedUp.filter((seat) => this.showdown.includes(seat))];
    return new Set(seats.flatMap((seat) => this.hole.get(seat) ?? []));
  }
}

/** @type {(from: number, count: number) => number[]} */
const span = (from, count) => Array.from({ length: count }, (_, number) => from + number);

// The seats dealt in, in the order of dealing; null when the events are not those of this hand, its
// game and the seats that were called.
/** @type {(proof: Fair.Proof, events: any[]) => number[] | null} */
function seatsDealt(proof, events) {
  if (proof.fate > VOID_IN_PLAY || !isWhole(proof.fate, events)) return null;
  const start = events[0].type === "button_drawn" ? 1 : 0;
  const began = events[start];
  const hands = new Set(events.filter((event) => "hand" in event).map((event) => event.hand));
  if (
    !GAMES[proof.variant] ||
    began.variant !== proof.variant ||
    hands.size !== 1 ||
    !hands.has(proof.hand)
  )
    return null;
  /** @type {number[]} */
  const live = began.stacks.map((/** @type {Wire.Stack} */ stack) => stack.seat);
  const called = new Set(proof.roster.map((row) => row.seat));
  /** @type {(seat: number) => [number, number]} */
  const turn = (seat) => [seat > began.button ? 0 : 1, seat];
  const inOrder = [...new Set(live)].sort(
    (one, two) => turn(one)[0] - turn(two)[0] || turn(one)[1] - turn(two)[1],
  );
  if (live.length < 2 || String(live) !== String(inOrder)) return null;
  return live.every((seat) => called.has(seat)) ? live : null;
}

// Positions of all cards by the game's order of dealing, burns and streets; null when the events are
// not those of such a hand.
/** @type {(proof: Fair.Proof, events: any[]) => Deal | null} */
export function followed(proof, events) {
  const seats = seatsDealt(proof, events);
  if (!seats) return null;
  let live = seats;
  const streets = GAMES[proof.variant];
  const deal = new Deal();
  let at = 0;
  let street = 0;
  let waiting = true;
  for (let number = 0; number < events.length; number += 1) {
    const event = events[number];
    const { down, up } = streets[street];
    if (event.type === "hole_cards_dealt") {
      const run = events.slice(number, number + live.length);
      if (!waiting || run.some((dealt) => dealt.type !== event.type)) return null;
      if (String(run.map((dealt) => dealt.seat)) !== String(live)) return null;
      if (events[number + live.length]?.type === "hole_cards_dealt") return null;
      for (const [index, dealt] of run.entries()) {
        const hidden = dealt.cards.map((/** @type {string} */ card) => card === "??");
        const wanted = [...Array(down).fill(true), ...Array(up).fill(false)];
        if (dealt.up !== up || String(hidden) !== String(wanted)) return null;
        const own = span(0, down + up).map((card) => at + index + card * live.length);
        deal.hole.set(dealt.seat, [...(deal.hole.get(dealt.seat) ?? []), ...own]);
        deal.show(own, dealt.cards);
      }
      at += live.length * (down + up);
      waiting = false;
      number += run.length - 1;
      continue;
    }
    const early = ["button_drawn", "hand_began", "posted"].includes(event.type);
    if (waiting && !early) return null;
    if (event.type === "street_dealt") {
      street += 1;
      if (event.street !== streets[street]?.name) return null;
      const each = live.length * (streets[street].down + streets[street].up);
      // A common card when the deck is too short for all.
      const board = DECK_SIZE - at < each ? 1 : streets[street].board;
      if (event.cards.length !== board || event.cards.includes("??")) return null;
      // One card is burnt, unless the street needs them all.
      if (DECK_SIZE - at > (board || each)) at += 1;
      deal.show(span(at, board), event.cards);
      at += board;
      waiting = !board;
    }
    if (event.type === "folded") live = live.filter((seat) => seat !== event.seat);
    const shown = event.type === "cards_shown" ? [[event.seat, event.cards]] : (event.hands ?? []);
    for (const [seat, cards] of shown) {
      const places = live.includes(seat) ? deal.hole.get(seat) : undefined;
      if (!places || !deal.show(places, cards)) return null;
    }
  }
  if (at > DECK_SIZE) return null;
  if (proof.fate !== PLAYED) return deal;
  const isWon = live.length === 1;
  if (waiting || !(isWon || (live.length && street === streets.length - 1))) return null;
  if (!isWon) deal.showdown = live;
  return deal;
}
