// The table as its viewer may see it: (snapshot, event) -> snapshot, nothing else changes it.

/** @typedef {Wire.TableSnapshot} State */
/** @typedef {Wire.SeatSnapshot} Seat */

/** @type {Pick<Seat, "bet" | "in_hand" | "folded" | "all_in" | "cards">} */
const FRESH_SEAT = { bet: 0, in_hand: false, folded: false, all_in: false, cards: [] };

/**
 * @param {Seat} seat
 * @param {(seat: Seat) => Partial<Seat>} change
 * @returns {Seat}
 */
function changed(seat, change) {
  const now = { ...seat, ...change(seat) };
  return { ...now, all_in: now.in_hand && !now.folded && now.chips === 0 };
}

/**
 * @param {State} state
 * @param {number} number
 * @param {(seat: Seat) => Partial<Seat>} change
 * @returns {State}
 */
function atSeat(state, number, change) {
  const seats = state.seats.map((seat) => (seat.seat === number ? changed(seat, change) : seat));
  return { ...state, seats };
}

/** @type {(state: State, change: (seat: Seat) => Partial<Seat>) => State} */
const everySeat = (state, change) => ({
  ...state,
  seats: state.seats.map((seat) => changed(seat, change)),
});

/** @type {(amount: number) => (seat: Seat) => Partial<Seat>} */
const pays = (amount) => (seat) => ({ chips: seat.chips - amount, bet: seat.bet + amount });

/** @type {(state: State, event: Wire.HandBegan) => State} */
function handBegan(state, event) {
  const stacks = new Map(event.stacks.map((stack) => [stack.seat, stack.chips]));
  const begun = everySeat(state, (seat) => ({
    ...FRESH_SEAT,
    in_hand: stacks.has(seat.seat),
    chips: stacks.get(seat.seat) ?? seat.chips,
  }));
  return {
    ...begun,
    hand: event.hand,
    voided: state.voided === event.hand ? state.voided : null,
    stakes: event.stakes,
    button: event.button,
    small_blind: event.small_blind,
    big_blind: event.big_blind,
    variant: event.variant,
    limit: event.limit,
    street: event.variant.startsWith("stud") ? "third" : "preflop",
    board: [],
    pots: [],
    turn: null,
    waiting: null,
    run_out: null,
  };
}

// Posts that are no bet of their seat.
/** @type {Set<Wire.Posted["kind"]>} */
export const DEAD_POSTS = new Set(["ante", "dead", "penalty"]);

/** @type {(state: State, event: Wire.Posted) => State} */
function posted(state, event) {
  if (event.kind === "bring_in") return atSeat(acted(state), event.seat, pays(event.amount));
  if (!DEAD_POSTS.has(event.kind)) {
    return atSeat(state, event.seat, pays(event.amount));
  }
  return atSeat(state, event.seat, (seat) => ({ chips: seat.chips - event.amount }));
}

// The same turn is told again when an outage moved its deadline: then the time bank goes on.
/** @type {(state: State, event: Wire.TurnBegan) => State} */
function turnBegan(state, event) {
  const { seat, turn, deadline_ms, option } = event;
  const again = state.turn?.turn === turn ? state.turn : null;
  const { on_bank, disconnected } = again ?? { on_bank: false, disconnected: false };
  const asked = { ...state, turn: { seat, turn, deadline_ms, option, on_bank, disconnected } };
  return atSeat(asked, seat, () => ({ bank_ms: event.bank_ms }));
}

/** @type {(state: State, event: Wire.SeatTaken) => State} */
function seatTaken(state, event) {
  const { seat, entry, user, name, chips, bank_ms, absent, session } = event;
  const others = state.seats.filter((other) => other.seat !== seat);
  const known = { seat, entry, user, name, chips, bank_ms, absent, session };
  const taken = { ...FRESH_SEAT, ...known, dealt: true };
  return { ...state, seats: [...others, taken].sort((a, b) => a.seat - b.seat) };
}

const HIDDEN = "??";

// Hole cards as everybody was told them: `up` of them, the last ones, lie face up.
/** @type {(event: Wire.HoleCardsDealt) => Wire.HoleCardsDealt} */
function closed(event) {
  const hidden = event.cards.length - (event.up ?? 0);
  return { ...event, cards: event.cards.map((card, at) => (at < hidden ? HIDDEN : card)) };
}

// With a player go the cards that only this seat was told.
/** @type {(state: State, event: Wire.SeatLeft) => State} */
function seatLeft(state, { seat }) {
  return {
    ...state,
    seats: state.seats.filter((other) => other.seat !== seat),
    log: (state.log ?? []).map((event) =>
      event.type === "hole_cards_dealt" && event.seat === seat ? closed(event) : event,
    ),
  };
}

/** @type {(state: State, event: Wire.HandEnded) => State} */
function handEnded(state, event) {
  const stacks = new Map(event.stacks.map((stack) => [stack.seat, stack.chips]));
  const settled = everySeat(state, (seat) => ({ chips: stacks.get(seat.seat) ?? seat.chips }));
  return { ...settled, pots: [], turn: null, run_out: null };
}

// When the streets and the result of a decided hand are shown; each comes at its time.
/** @type {(state: State, event: Wire.RunOutBegan) => State} */
function runOutBegan(state, { hand, streets, released_at_ms }) {
  return { ...state, run_out: { hand, streets, released_at_ms } };
}

// Cards that were shown; one's own stay known when only some of them are.
/** @type {(state: State, number: number, cards: string[]) => State} */
function turnUp(state, number, cards) {
  return atSeat(state, number, (seat) => ({
    cards: cards.map((card, index) => (card === "??" ? (seat.cards[index] ?? card) : card)),
  }));
}

/** @type {(state: State) => State} */
const acted = (state) => (state.turn === null ? state : { ...state, turn: null });

/**
 * One step for each event of a table: an event without one fails the check of types.
 * @type {{[Type in Wire.TableEvent["type"]]:
 *   (state: State, event: Extract<Wire.TableEvent, {type: Type}>) => State}}
 */
const STEPS = {
  hand_began: handBegan,
  posted,
  hole_cards_dealt: (state, event) =>
    atSeat(state, event.seat, (seat) => ({ cards: [...seat.cards, ...event.cards] })),
  folded: (state, event) => atSeat(acted(state), event.seat, () => ({ folded: true })),
  checked: acted,
  called: (state, event) => atSeat(acted(state), event.seat, pays(event.amount)),
  bet: (state, event) => atSeat(acted(state), event.seat, pays(event.amount)),
  raised: (state, event) => atSeat(acted(state), event.seat, pays(event.amount)),
  uncalled_returned: (state, event) => atSeat(state, event.seat, pays(-event.amount)),
  bets_collected: (state, event) => ({ ...everySeat(state, () => ({ bet: 0 })), pots: event.pots }),
  rake_taken: (state) => state,
  hands_revealed: (state, event) =>
    event.hands.reduce((now, [seat, cards]) => turnUp(now, seat, cards), state),
  street_dealt: (state, event) => ({
    ...state,
    street: event.street,
    board: [...state.board, ...event.cards],
  }),
  cards_shown: (state, event) => turnUp(state, event.seat, event.cards),
  mucked: (state) => state,
  pot_awarded: (state, event) =>
    event.winners.reduce(
      (now, share) => atSeat(now, share.seat, (seat) => ({ chips: seat.chips + share.amount })),
      state,
    ),
  hand_ended: handEnded,
  turn_began: turnBegan,
  time_bank_started: (state, event) =>
    state.turn === null
      ? state
      : { ...state, turn: { ...state.turn, deadline_ms: event.deadline_ms, on_bank: true } },
  disconnect_time_started: (state, { deadline_ms }) =>
    state.turn === null
      ? state
      : { ...state, turn: { ...state.turn, deadline_ms, on_bank: false, disconnected: true } },
  time_bank_charged: (state, event) =>
    atSeat(state, event.seat, () => ({ bank_ms: event.bank_ms })),
  timed_out: (state, event) => atSeat(acted(state), event.seat, () => ({ bank_ms: 0 })),
  run_out_began: runOutBegan,
  seat_taken: seatTaken,
  seat_left: seatLeft,
  chips_bought: (state, event) => atSeat(state, event.seat, () => ({ chips: event.total })),
  sat_out: (state, event) => atSeat(state, event.seat, () => ({ absent: true })),
  came_back: (state, event) => atSeat(state, event.seat, () => ({ absent: false })),
  dealt_out: (state, event) => atSeat(state, event.seat, () => ({ dealt: false })),
  dealt_in: (state, event) => atSeat(state, event.seat, () => ({ dealt: true })),
  button_drawn: (state, event) => ({ ...state, button: event.button }),
  level_began: (state, event) => ({ ...state, level: event.level, stakes: event.stakes }),
  cut_called: (state, event) => ({ ...state, seal: event.seal, cutting: event }),
  deck_cut: (state) => ({ ...state, cutting: null }),
  table_waiting: (state, event) => ({ ...state, waiting: event.reason }),
  hand_voided: (state, event) => ({
    ...acted(state),
    run_out: null,
    seal: null,
    cutting: null,
    voided: event.hand,
  }),
  deck_opened: (state, event) => ({ ...state, opened: [...(state.opened ?? []), event] }),
  table_closed: (state) => ({ ...state, closed: true, turn: null }),
};

// The course of a hand: what a snapshot has in its `log`.
const COURSE = new Set([
  ...["hand_began", "posted", "hole_cards_dealt", "folded", "checked", "called", "bet", "raised"],
  ...["uncalled_returned", "bets_collected", "rake_taken", "hands_revealed", "street_dealt"],
  ...["cards_shown", "mucked", "pot_awarded", "hand_ended"],
]);

/** @type {(state: State, event: Wire.TableEvent & {id?: string}) => State} */
function logged(state, { id, ...event }) {
  const course = event.type === "hand_began" ? [] : (state.log ?? []);
  return { ...state, log: [...course, /** @type {State["log"][number]} */ (event)] };
}

// An event this page does not know changes nothing: an older page outlives a newer server.
/** @type {(state: State, event: Wire.TableEvent & {id?: string}) => State} */
export function reduce(state, event) {
  /** @type {((state: State, event: any) => State) | undefined} */
  const step = STEPS[event.type];
  if (!step) return state;
  const after = step(state, event);
  return COURSE.has(event.type) ? logged(after, event) : after;
}

export const known = Object.freeze(Object.keys(STEPS));
