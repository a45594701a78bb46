// The field of the tournament around a table: level clock, players left, average, rank and place.

/**
 * Facts of the field; `my_rank` while it plays and `my_place` once it is over come from elsewhere.
 * @typedef {{
 *   players_left: number, entrants: number, chips: number, stack: number, places_paid: number,
 *   average_chips: number, level_ends_ms: number | null, hands_left: number | null, tables: number,
 *   on_break: boolean, paused: boolean, over: boolean, cancelled: boolean, why: string,
 *   hand_for_hand: boolean, selling: boolean, my_rank: number | null, my_place: number | null,
 *   bounty: number, heads: Record<string, number>,
 * }} Field
 */

/** @type {(snapshot: Wire.TournamentSnapshot) => Field} */
export function fieldFrom({ overview, heads }) {
  const { summary } = overview;
  return {
    players_left: summary.left,
    entrants: summary.entrants,
    chips: overview.chips || summary.entrants * summary.starting_stack,
    stack: summary.starting_stack,
    places_paid: overview.places_paid,
    average_chips: overview.average,
    level_ends_ms: overview.level_ends_at_ms ?? overview.break_until_ms,
    hands_left: overview.level_ends_in_hands,
    tables: overview.tables_open,
    on_break: overview.break_until_ms !== null,
    paused: !overview.clock_runs && summary.state !== "registering",
    over: summary.state === "finished",
    cancelled: summary.state === "cancelled",
    // Why the room stopped it, as an operator wrote or as one of its own reasons.
    why: overview.stands_why,
    hand_for_hand: overview.hand_for_hand,
    // Entries or chips are still sold: which places are paid is not certain.
    selling: summary.late || summary.rebuys,
    my_rank: null,
    my_place: null,
    bounty: summary.bounty,
    heads: heads ?? {},
  };
}

/** @type {(field: Field, count: number) => Field} */
const left = (field, count) => ({
  ...field,
  players_left: count,
  average_chips: count ? Math.floor(field.chips / count) : 0,
});

/** @type {(field: Field, entries: Record<string, number>) => Field} */
const worth = (field, entries) => ({ ...field, heads: { ...field.heads, ...entries } });

// The cents on the head of an entry; 0 where there are no bounties.
/** @type {(field: Field | null, entry: number) => number} */
export const headOf = (field, entry) => field?.heads?.[entry] ?? field?.bounty ?? 0;

// An item of the structure begins. Whether a clock that stood goes now, only a snapshot says.
/** @type {(field: Field, facts: Partial<Field>) => Field | null} */
const item = (field, facts) =>
  field.paused || field.hand_for_hand ? null : { ...field, ...facts };

/** @type {(field: Field, event: {type: string, reason?: string}) => Field} */
const stands = (field, event) => ({ ...field, paused: true, why: event.reason ?? field.why });

/**
 * @type {{[Type in Wire.TournamentEvent["type"]]?:
 *   (field: Field, event: Extract<Wire.TournamentEvent, {type: Type}>) => Field | null}}
 */
const STEPS = {
  // Who registers before the start is in nobody's field yet.
  player_registered: (field, event) =>
    field.players_left
      ? left(
          { ...field, entrants: event.entrants, chips: field.chips + field.stack },
          field.players_left + 1,
        )
      : { ...field, entrants: event.entrants },
  started: () => null,
  level_began: (field, event) =>
    item(field, {
      level_ends_ms: event.ends_at_ms,
      hands_left: event.ends_in_hands,
      on_break: false,
    }),
  hands_left: (field, event) => ({ ...field, hands_left: event.hands }),
  level_prolonged: (field, event) => item(field, { level_ends_ms: event.ends_at_ms }),
  break_began: (field, event) =>
    item(field, { level_ends_ms: event.until_ms, hands_left: null, on_break: true }),
  table_opened: (field) => ({ ...field, tables: field.tables + 1 }),
  table_closed: (field) => ({ ...field, tables: field.tables - 1 }),
  paused: stands,
  resumed: () => null,
  deal_opened: stands,
  deal_refused: (field) => (field.paused ? null : field),
  finished: (field, event) => ({ ...stands(field, event), over: true }),
  cancelled: (field, event) => ({ ...stands(field, event), cancelled: true }),
  player_out: (field, event) => left(field, event.left),
  // The chips of merged entries were in play before.
  chips_sold: (field, event) =>
    event.kind === "merge"
      ? field
      : left({ ...field, chips: field.chips + event.chips }, field.players_left),
  entries_merged: (field, event) => left(field, event.left),
  // The clock is charged per hand and stands between, but in a break.
  hand_for_hand_began: (field, event) =>
    left({ ...field, hand_for_hand: true, paused: field.paused || !field.on_break }, event.left),
  hand_for_hand_ended: () => null,
  bounty_won: (field, event) =>
    worth(field, Object.fromEntries(event.to.map(({ entry, head }) => [entry, head]))),
  head_changed: (field, event) => worth(field, { [event.entry]: event.head }),
  final_table: (field, event) => left(field, event.left),
  pool_fixed: (field, event) => ({
    ...field,
    selling: false,
    entrants: event.entrants,
    places_paid: event.prizes.filter((prize) => prize > 0).length,
  }),
};

/** @type {(field: Field) => boolean} */
const inMoney = ({ players_left: count, places_paid: paid, selling }) =>
  !selling && count > 0 && count <= paid;

// Whether somebody went out without a prize and all who play on win one: told once, however many
// went out at once. The end leaves nobody to tell, and a field that is paid whole has no bubble.
/** @type {(field: Field) => boolean} */
const playsOn = (field) => !field.over && field.players_left > 1;

/** @type {(before: Field | null, after: Field) => boolean} */
export const reachesMoney = (before, after) =>
  before !== null &&
  before.players_left > 0 &&
  !inMoney(before) &&
  inMoney(after) &&
  playsOn(after) &&
  after.entrants > after.places_paid;

// Null when the event leaves open what comes: a fresh snapshot is asked for then.
/** @type {(field: Field | null, event: Wire.TournamentEvent) => Field | null} */
export function fieldAfter(field, event) {
  if (field === null) return null;
  /** @type {((field: Field, event: any) => Field | null) | undefined} */
  const step = STEPS[event.type];
  return step ? step(field, event) : field;
}
