// A table without a server: one snapshot, then a canned list of events per scene.

import { PokerTable } from "/static/js/table/poker_table.js";

const names = [
  "anna",
  "Bernd.K",
  "carlos_77",
  "Dörte",
  "MaximilianDerGroße",
  "fred",
  "Gül",
  "heidi",
  "Igor",
  "Jo",
];
const stakes = { small_blind: 100, big_blind: 200, ante: 200, ante_kind: "big_blind" };
const params = new URLSearchParams(location.search);
const scene = params.get("scene") ?? "turn";
const count = Number(params.get("seats") ?? 9);
const me = scene === "watch" || params.has("watch") ? null : Math.min(4, count);

const seat = (number, chips) => ({
  seat: number,
  entry: number,
  user: 10 + number,
  name: names[number - 1],
  chips,
  bet: 0,
  absent: number === 7,
  in_hand: false,
  folded: false,
  all_in: false,
  cards: [],
  bank_ms: 60000,
});
const [small, big] = count === 2 ? [1, 2] : [2, 3];
const taken = Array.from({ length: count }, (_, i) => i + 1).filter(
  (n) => n !== 6 || scene === "everybody",
);
const snapshot = {
  table: 3,
  game: 1,
  epoch: 1,
  hand: 41,
  seats_max: count,
  number: 3,
  seats: taken.map((n) => seat(n, 3000 + 1711 * n)),
  level: 4,
  stakes,
  button: 1,
  small_blind: null,
  big_blind: null,
  street: null,
  board: [],
  pots: [],
  turn: null,
  waiting: null,
  closed: false,
};

const hand = (n) => (n === me ? ["As", "Kd"] : ["??", "??"]);
const begin = [
  {
    type: "hand_began",
    hand: 42,
    variant: "holdem",
    limit: "no_limit",
    stakes,
    button: 1,
    small_blind: small,
    big_blind: big,
    stacks: taken.map((n) => ({ seat: n, chips: 3000 + 1711 * n })),
  },
  { type: "posted", seat: small, kind: "small_blind", amount: 100 },
  { type: "posted", seat: big, kind: "big_blind", amount: 200 },
  { type: "posted", seat: big, kind: "ante", amount: 200 },
  ...taken.map((n) => ({ type: "hole_cards_dealt", seat: n, cards: hand(n) })),
];
const option = { check: false, call: 1200, raise_min: 2200, raise_max: 9844 };
const turn = (n, opt = option) => ({
  type: "turn_began",
  hand: 42,
  seat: n,
  turn: 9,
  deadline_ms: Date.now() + 14000,
  bank_ms: 60000,
  option: opt,
});
const flop = [
  { type: "raised", seat: 5, to: 500, amount: 500 },
  { type: "folded", seat: 7 },
  { type: "folded", seat: 8 },
  { type: "called", seat: 9, amount: 500 },
  { type: "folded", seat: 1 },
  { type: "folded", seat: 2 },
  { type: "called", seat: 3, amount: 300 },
  { type: "called", seat: 4, amount: 500 },
  { type: "bets_collected", pots: [{ amount: 2300, seats: [3, 4, 5, 9] }] },
  { type: "street_dealt", street: "flop", cards: ["Ah", "Tc", "7d"] },
];
const others = (winner) =>
  [3, 4, 5, 9].filter((n) => n !== winner).map((n) => ({ type: "folded", seat: n }));
const wins = (winner) => [
  { type: "pot_awarded", pot: 0, amount: 2300, winners: [{ seat: winner, amount: 2300 }] },
  { type: "hand_ended", hand: 42, stacks: [{ seat: winner, chips: 12144 }] },
];
// Other games: `own` cards of the viewer, the others' as all see them.
const DEAL =
  "2c 3d 4h 5s 6c 7h 8s 9d Tc Jd Qh Ks 2d 3h 4s 5c 6d 7c 8h 9s Td Jh Qs Kc 2h 3s 4c 5d 6h 7s 8c 9h";
const up = DEAL.split(" ");
const dealt = (variant, cards) => [
  { ...begin[0], variant, limit: variant.startsWith("stud") ? "fixed_limit" : "pot_limit" },
  ...begin.slice(1).filter((event) => event.type === "posted" && !variant.startsWith("stud")),
  ...taken.map((n, index) => ({ type: "hole_cards_dealt", seat: n, cards: cards(n, index) })),
];
const omaha = (own) => dealt("omaha", (n) => (n === me ? own : own.map(() => "??")));
const stud = (open, last) =>
  dealt("stud", (n, index) => {
    const down = n === me ? ["As", "Ad"] : ["??", "??"];
    const shown = Array.from({ length: open }, (_, i) => up[4 * index + i]);
    return [...down, ...shown, ...(last ? [n === me ? "Ac" : "??"] : [])];
  });
const OMAHA = ["As", "Kd", "Qh", "Jc"];
const street = (name) => ({ type: "street_dealt", street: name, cards: [] });
const studBets = (name) => [
  { type: "bets_collected", pots: [{ amount: 2300, seats: taken }] },
  street(name),
  { type: "bet", seat: 1, amount: 400 },
  { type: "called", seat: 2, amount: 400 },
];
const allIn = [
  ...begin,
  ...flop,
  { type: "bet", seat: 3, amount: 8000, all_in: false },
  { type: "called", seat: 4, amount: 8000, all_in: true },
  { type: "folded", seat: 9 },
  { type: "called", seat: 5, amount: 8000, all_in: false },
  { type: "bets_collected", pots: [{ amount: 26300, seats: [3, 4, 5] }] },
  {
    type: "hands_revealed",
    hands: [
      [3, ["Qs", "Qc"]],
      [4, ["As", "Kd"]],
      [5, ["Ad", "9c"]],
    ],
  },
];
const scenes = {
  // Everybody has bet before a whole board: there is little room.
  bets: [
    ...begin,
    { type: "bets_collected", pots: [{ amount: 2300, seats: taken }] },
    { type: "street_dealt", street: "flop", cards: ["Ah", "Tc", "7d"] },
    { type: "street_dealt", street: "turn", cards: ["Kh"] },
    { type: "street_dealt", street: "river", cards: ["2s"] },
    ...taken.map((n) => ({ type: "bet", seat: n, amount: 1200 })),
    turn(4),
  ],
  allin: allIn,
  // Everybody is all-in before the flop, with a side pot where there are more than two.
  everybody: [
    ...begin,
    ...taken.map((n) => ({ type: "raised", seat: n, to: 4000, amount: 4000, all_in: true })),
    {
      type: "bets_collected",
      pots: [
        { amount: 3000 * count, seats: taken },
        ...(count > 2 ? [{ amount: 1000 * (count - 1), seats: taken.slice(1) }] : []),
      ],
    },
    { type: "hands_revealed", hands: taken.map((n, i) => [n, up.slice(2 * i, 2 * i + 2)]) },
  ],
  // The ace of both makes a pair: the king beside it decides.
  showdown_kicker: [
    ...allIn,
    { type: "street_dealt", street: "turn", cards: ["3h"] },
    { type: "street_dealt", street: "river", cards: ["2s"] },
    { type: "cards_shown", seat: 5, cards: ["Ad", "9c"], made: "pair:A" },
    { type: "cards_shown", seat: 4, cards: ["As", "Kd"], made: "pair:A" },
    { type: "cards_shown", seat: 3, cards: ["Qs", "Qc"], made: "pair:Q" },
    { type: "pot_awarded", pot: 0, amount: 26300, winners: [{ seat: 4, amount: 26300 }] },
    { type: "hand_ended", hand: 42, stacks: [{ seat: 4, chips: 26300 }] },
  ],
  omaha: [...omaha(OMAHA), turn(4, { check: false, call: 200, raise_min: 400, raise_max: 700 })],
  omaha5: [...omaha([...OMAHA, "Ts"]), ...flop, { type: "bet", seat: 3, amount: 800 }, turn(5)],
  omaha_shown: [
    ...omaha(OMAHA),
    ...flop,
    {
      type: "hands_revealed",
      hands: taken.map((n, i) => [n, n === me ? OMAHA : up.slice(4 * i, 4 * i + 4)]),
    },
    turn(5),
  ],
  stud3: [
    ...stud(1, false),
    turn(4, { check: false, call: 25, raise_min: 100, raise_max: 100, fold: false }),
  ],
  stud5: [
    ...stud(3, false),
    ...studBets("fifth"),
    turn(4, { check: false, call: 400, raise_min: 800, raise_max: 800 }),
  ],
  stud_shown: [
    ...stud(4, true),
    ...studBets("seventh"),
    {
      type: "hands_revealed",
      hands: taken.map((n, i) => [n, ["Ts", ...up.slice(3 * i, 3 * i + 5), "Th"]]),
    },
    turn(5),
  ],
  stud7: [...stud(4, true), ...studBets("seventh"), turn(5)],
  start: [...begin, turn(4, { check: false, call: 200, raise_min: 400, raise_max: 9844 })],
  turn: [
    ...begin,
    ...flop,
    { type: "checked", seat: 3 },
    { type: "bet", seat: 5, amount: 1200 },
    { type: "folded", seat: 9 },
    turn(4),
  ],
  other: [...begin, ...flop, { type: "bet", seat: 3, amount: 800 }, turn(5)],
  watch: [...begin, ...flop, { type: "bet", seat: 3, amount: 800 }, turn(5)],
  away: [...begin, ...flop, { type: "sat_out", seat: 4 }, turn(5)],
  waiting: [{ type: "table_waiting", reason: "hand_for_hand", until_ms: null }],
  paused: [{ type: "table_waiting", reason: "paused", until_ms: null }],
  draw: [
    {
      type: "button_drawn",
      button: 3,
      cards: taken.map((n, i) => [n, ["2c", "Ts", "Ah", "9d", "Kc", "Qd", "4h", "7s", "5d"][i]]),
    },
  ],
  showdown: [
    ...begin,
    ...flop,
    { type: "bet", seat: 3, amount: 8000, all_in: false },
    { type: "called", seat: 4, amount: 8000, all_in: true },
    { type: "folded", seat: 9 },
    { type: "raised", seat: 5, to: 11055, amount: 11055, all_in: true },
    { type: "uncalled_returned", seat: 5, amount: 3055 },
    {
      type: "bets_collected",
      pots: [
        { amount: 20300, seats: [3, 4, 5] },
        { amount: 6000, seats: [3, 5] },
      ],
    },
    {
      type: "hands_revealed",
      hands: [
        [3, ["Qs", "Qc"]],
        [4, ["As", "Kd"]],
        [5, ["Tc", "9c"]],
      ],
    },
    { type: "street_dealt", street: "turn", cards: ["Kh"] },
    { type: "street_dealt", street: "river", cards: ["2s"] },
    { type: "cards_shown", seat: 4, cards: ["As", "Kd"], made: "two_pair:AK" },
    { type: "pot_awarded", pot: 1, amount: 6000, winners: [{ seat: 3, amount: 6000 }] },
    { type: "pot_awarded", pot: 0, amount: 20300, winners: [{ seat: 4, amount: 20300 }] },
    { type: "hand_ended", hand: 42, stacks: [{ seat: 4, chips: 20300 }] },
  ],
  // The others fold to the viewer; `folded` is the same hand where he folded himself.
  won: [...begin, ...flop, ...others(4), ...wins(4)],
  folded: [...begin, ...flop, ...others(5), ...wins(5)],
};

document.querySelector("main").addEventListener("built", ({ target }) => {
  window.room = target;
  target.send = async (message) => {
    window.sent = [...(window.sent ?? []), message];
    return { type: "result" };
  };
  if (scene === "loading") return;
  target.model.field = {
    my_rank: 12,
    players_left: 148,
    entrants: 312,
    average_chips: 14210,
    level_ends_ms: Date.now() + 412000,
  };
  target.model.snapshot(snapshot);
  target.model.events(scenes[scene]);
});
const table = document.createElement("poker-table");
table.dataset.table = "3";
if (me) table.dataset.user = String(10 + me);

document.querySelector("main").append(table);

export { PokerTable };
