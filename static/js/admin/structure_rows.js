// Levels and breaks of a structure as rows of an editor: pure functions, items in and items out.

const MINUTE_MS = 60_000;
/**
 * A level or a break; a level lasts for a time or for hands.
 * @typedef {{type: string, lasts_ms?: number, lasts_hands?: number, ante_kind?: string,
 *   small_blind?: number, big_blind?: number, ante?: number, bring_in?: number, small_bet?: number,
 *   big_bet?: number, spread_max?: number}} Item
 */

/** @typedef {"small_blind" | "big_blind" | "ante" | "bring_in" | "small_bet" | "big_bet" | "spread_max"} Amount */

/** @type {Item} */
const FIRST = { type: "level", small_blind: 10, big_blind: 20, lasts_ms: 10 * MINUTE_MS };

/** @type {Amount[]} */
export const AMOUNTS = [
  "small_blind",
  "big_blind",
  "ante",
  "bring_in",
  "small_bet",
  "big_bet",
  "spread_max",
];

// The level after another: the next blinds of the ladder, everything else in the same ratio.
/** @type {(before?: Item, ladder?: number[]) => Item} */
export function level(before, ladder = []) {
  const like = before ?? FIRST;
  /** @type {Item} */
  const raised = {
    type: "level",
    ante_kind: like.ante_kind ?? "none",
    lasts_hands: like.lasts_hands ?? 0,
  };
  raised.lasts_ms = raised.lasts_hands ? 0 : (like.lasts_ms ?? 10 * MINUTE_MS);
  for (const name of AMOUNTS) raised[name] = like[name] ?? 0;
  if (!before) return raised;
  const unit = like.small_blind || (like.small_bet ?? 0) / 2 || 1;
  const small = ladder.find((value) => value > unit) ?? 2 * unit;
  for (const name of AMOUNTS) raised[name] = Math.round(((raised[name] ?? 0) * small) / unit);
  return raised;
}

/** @type {() => Item} */
export const pause = () => ({ type: "break", lasts_ms: 5 * MINUTE_MS });

/** @type {(items: Item[], index: number, kind: string, ladder: number[]) => Item[]} */
export function added(items, index, kind, ladder) {
  const before = items
    .slice(0, index + 1)
    .reverse()
    .find((item) => item.type === "level");
  const made = kind === "break" ? pause() : level(before, ladder);
  return [...items.slice(0, index + 1), made, ...items.slice(index + 1)];
}

/** @type {(items: Item[], index: number) => Item[]} */
export const removed = (items, index) => items.filter((_, at) => at !== index);

/** @type {(items: Item[], index: number, by: number) => Item[]} */
export function moved(items, index, by) {
  const to = index + by;
  if (to < 0 || to >= items.length) return items;
  const changed = [...items];
  [changed[index], changed[to]] = [changed[to], changed[index]];
  return changed;
}

// One amount of a level; a big blind that was twice the small one stays so.
/** @type {(item: Item, name: Amount, value: number) => Item} */
export function amount(item, name, value) {
  const doubles = name === "small_blind" && item.big_blind === 2 * (item.small_blind ?? 0);
  return { ...item, [name]: value, ...(doubles ? { big_blind: 2 * value } : {}) };
}

/** @type {(item: Item) => {value: number, unit: string}} */
export const length = (item) =>
  item.lasts_hands
    ? { value: item.lasts_hands, unit: "hands" }
    : { value: (item.lasts_ms ?? 0) / MINUTE_MS, unit: "minutes" };

/** @type {(item: Item, value: number, unit: string) => Item} */
export function lasting(item, value, unit) {
  if (item.type === "break") return { ...item, lasts_ms: Math.round(value * MINUTE_MS) };
  return unit === "hands"
    ? { ...item, lasts_ms: 0, lasts_hands: Math.round(value) }
    : { ...item, lasts_ms: Math.round(value * MINUTE_MS), lasts_hands: 0 };
}

/** @type {(items: Item[], value: number, unit: string) => Item[]} */
export function allLasting(items, value, unit) {
  return items.map((item) => (item.type === "break" ? item : lasting(item, value, unit)));
}

// Which amounts are used at all: levels of blinds, of stud, or both.
/** @type {(items: Item[]) => {stud: boolean, blinds: boolean, bets: boolean}} */
export function columns(items) {
  const levels = items.filter((item) => item.type === "level");
  const stud = levels.some((item) => (item.small_bet ?? 0) > 0);
  const blinds = !stud || levels.some((item) => !item.small_bet);
  const bets = levels.some((item) => (item.big_bet ?? 0) > 0 || (item.spread_max ?? 0) > 0);
  return { stud, blinds, bets };
}
