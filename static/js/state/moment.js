// Short-lived facts beside the table: last actions, shown hands, winners.

import { DEAD_POSTS } from "./reducer.js";

/** @typedef {{kind: string, amount: number | null, all_in: boolean}} LastAction */

/**
 * By seat what each did, showed and won.
 * @typedef {Readonly<{
 *   actions: Record<string, LastAction>,
 *   made: Record<string, string>,
 *   shown: Record<string, boolean[]>,
 *   low: Record<string, string>,
 *   won: Record<string, number>,
 *   halves: Record<string, {high?: boolean, low?: boolean}>,
 *   mucked: Record<string, boolean>,
 *   drawn: Record<string, string>,
 *   ended: boolean,
 *   revealed: boolean,
 *   until_ms: number | null,
 *   total_ms: number | null,
 * }>} Moment
 */

/** @type {Moment} */
export const NOTHING = Object.freeze({
  actions: {},
  made: {},
  shown: {},
  low: {},
  won: {},
  halves: {},
  mucked: {},
  drawn: {},
  ended: false,
  revealed: false,
  until_ms: null,
  total_ms: null,
});

/** @type {(state: Moment, seat: number, kind: string, amount?: number | null, allIn?: boolean) => Moment} */
const note = (state, seat, kind, amount = null, allIn = false) => ({
  ...state,
  actions: { ...state.actions, [seat]: { kind, amount, all_in: allIn } },
});

// Which cards of a seat lie open, by place; they may be shown one after the other.
/** @type {(before: boolean[] | undefined, cards: string[]) => boolean[]} */
const opened = (before, cards) =>
  cards.map((card, place) => card !== "??" || Boolean(before?.[place]));

/** @type {(state: Moment, event: Wire.PotAwarded) => Moment} */
function won(state, event) {
  const [sums, halves] = [{ ...state.won }, { ...state.halves }];
  const half = event.half === "low" ? "low" : "high";
  for (const { seat, amount } of event.winners) {
    sums[seat] = (sums[seat] ?? 0) + amount;
    halves[seat] = { ...halves[seat], [half]: true };
  }
  return { ...state, won: sums, halves };
}

// An ante, a dead post or a penalty follows the blind of its seat, and is named only without one.
/** @type {(state: Moment, event: Wire.Posted) => Moment} */
function posted(state, { seat, kind, amount, all_in }) {
  const before = state.actions[seat];
  if (!before || !DEAD_POSTS.has(kind)) return note(state, seat, kind, amount, all_in);
  return note(state, seat, before.kind, before.amount, before.all_in || all_in);
}

/**
 * @type {{[Type in Wire.TableEvent["type"]]?:
 *   (state: Moment, event: Extract<Wire.TableEvent, {type: Type}>) => Moment}}
 */
const STEPS = {
  // Button and hand come in one batch: the cards of the draw stay until the first action (C-04).
  hand_began: ({ drawn }) => ({ ...NOTHING, drawn }),
  posted,
  folded: (state, event) => note(state, event.seat, "folded"),
  checked: (state, event) => note(state, event.seat, "checked"),
  called: (state, event) => note(state, event.seat, "called", event.amount, event.all_in),
  bet: (state, event) => note(state, event.seat, "bet", event.amount, event.all_in),
  raised: (state, event) => note(state, event.seat, "raised", event.to, event.all_in),
  street_dealt: (state) => ({ ...state, actions: keepFolds(state.actions) }),
  hands_revealed: (state) => ({ ...state, revealed: true }),
  cards_shown: (state, event) => ({
    ...state,
    made: { ...state.made, [event.seat]: event.made },
    low: { ...state.low, [event.seat]: event.low },
    shown: { ...state.shown, [event.seat]: opened(state.shown[event.seat], event.cards) },
    // A hand that was mucked is on the table again (S-02).
    mucked: { ...state.mucked, [event.seat]: false },
  }),
  mucked: (state, event) => ({ ...state, mucked: { ...state.mucked, [event.seat]: true } }),
  pot_awarded: won,
  hand_ended: (state) => ({ ...state, ended: true, actions: {} }),
  hand_voided: () => NOTHING,
  seat_left: (state, event) => without(state, (seat) => seat === String(event.seat)),
  button_drawn: (_, event) => ({ ...NOTHING, drawn: Object.fromEntries(event.cards) }),
  table_waiting: (state, event) => ({ ...state, until_ms: event.until_ms ?? null }),
};

/** @type {(actions: Record<string, LastAction>) => Record<string, LastAction>} */
function keepFolds(actions) {
  const kept = Object.entries(actions).filter(
    ([, action]) => action.kind === "folded" || action.all_in,
  );
  return Object.fromEntries(kept);
}

// What is kept by seat, and goes with whoever leaves it.
/** @type {(keyof Moment)[]} */
const BY_SEAT = ["actions", "made", "shown", "low", "won", "halves", "mucked", "drawn"];

/** @type {(state: Moment, gone: (seat: string) => boolean) => Moment} */
function without(state, gone) {
  /** @type {(marks: any) => any} */
  const kept = (marks) => Object.fromEntries(Object.entries(marks).filter(([seat]) => !gone(seat)));
  return { ...state, ...Object.fromEntries(BY_SEAT.map((name) => [name, kept(state[name])])) };
}

// The moment as a fresh snapshot tells it: from the course of the hand, for those still seated.
/** @type {(state: Wire.TableSnapshot, now: number) => Moment} */
export function remembered(state, now) {
  const told = (state.log ?? []).reduce((moment, event) => glance(moment, event, now), NOTHING);
  const dealt = new Set(
    state.seats.filter((seat) => seat.in_hand).map((seat) => String(seat.seat)),
  );
  const total_ms = state.turn ? Math.max(1000, state.turn.deadline_ms - now) : null;
  return { ...without(told, (seat) => !dealt.has(seat)), total_ms };
}

// Events that give the seat to act a new time.
const CLOCKS = new Set(["turn_began", "time_bank_started", "disconnect_time_started"]);

// Events after which nobody looks for the cards of the draw.
const PLAYED = new Set([
  ...["folded", "checked", "called", "bet", "raised"],
  ...["hands_revealed", "street_dealt", "hand_ended"],
]);

/** @type {(state: Moment, event: any, now: number) => Moment} */
export function glance(state, event, now) {
  if (CLOCKS.has(event.type)) {
    return { ...state, total_ms: Math.max(1000, event.deadline_ms - now) };
  }
  /** @type {((state: Moment, event: any) => Moment) | undefined} */
  const step = STEPS[/** @type {Wire.TableEvent["type"]} */ (event.type)];
  const after = step ? step(state, event) : state;
  return PLAYED.has(event.type) ? { ...after, drawn: NOTHING.drawn } : after;
}
