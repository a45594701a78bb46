// The field of the tournament around a table: level clock, players left, average, my rank.

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
    my_rank: null,
    bounty: summary.bounty,
    heads: heads ?? {},
  };
}

const left = (field, count) => ({
  ...field,
  players_left: count,
  average_chips: count ? Math.floor(field.chips / count) : 0,
});

const worth = (field, entries) => ({ ...field, heads: { ...field.heads, ...entries } });

// The cents on the head of an entry; 0 where there are no bounties.
export const headOf = (field, entry) => field?.heads?.[entry] ?? field?.bounty ?? 0;

const STEPS = {
  // Who registers before the start is in nobody's field yet.
  player_registered: (field, event) =>
    field.players_left
      ? left(
          { ...field, entrants: event.entrants, chips: field.chips + field.stack },
          field.players_left + 1,
        )
      : { ...field, entrants: event.entrants },
  level_began: (field, event) => ({
    ...field,
    level_ends_ms: event.ends_at_ms,
    hands_left: event.ends_in_hands,
    on_break: false,
  }),
  hands_left: (field, event) => ({ ...field, hands_left: event.hands }),
  break_began: (field, event) => ({
    ...field,
    level_ends_ms: event.until_ms,
    hands_left: null,
    on_break: true,
  }),
  table_opened: (field) => ({ ...field, tables: field.tables + 1 }),
  table_closed: (field) => ({ ...field, tables: field.tables - 1 }),
  paused: (field) => ({ ...field, paused: true }),
  player_out: (field, event) => left(field, event.left),
  // The chips of merged entries were in play before.
  chips_sold: (field, event) =>
    event.kind === "merge"
      ? field
      : left({ ...field, chips: field.chips + event.chips }, field.players_left),
  entries_merged: (field, event) => left(field, event.left),
  hand_for_hand_began: (field, event) => left(field, event.left),
  bounty_won: (field, event) =>
    worth(field, Object.fromEntries(event.to.map(({ entry, head }) => [entry, head]))),
  head_changed: (field, event) => worth(field, { [event.entry]: event.head }),
  final_table: (field, event) => left(field, event.left),
  pool_fixed: (field, event) => ({
    ...field,
    entrants: event.entrants,
    places_paid: event.prizes.filter((prize) => prize > 0).length,
  }),
};

// Whether `event` brings the field into the money: the next to go out wins something.
export const reachesMoney = (field, event) =>
  event.type === "player_out" && field !== null && event.left === field.places_paid;

// Null when the event leaves open what comes: the stream is asked for a fresh snapshot then.
export function fieldAfter(field, event) {
  if (field === null || event.type === "resumed" || event.type === "started") return null;
  const step = STEPS[event.type];
  return step ? step(field, event) : field;
}
