// Levels and breaks of a structure as rows of an editor: pure functions, items in and items out.

const MINUTE_MS = 60_000;
const ROUND = [1, 5, 25, 100, 500];

export const AMOUNTS = ["small_blind", "big_blind", "ante", "bring_in", "small_bet"];

export function level(before) {
  const like = before ?? { small_blind: 5, big_blind: 10, lasts_ms: 10 * MINUTE_MS };
  const raised = { type: "level", ante_kind: like.ante_kind ?? "none", lasts_hands: like.lasts_hands ?? 0 };
  for (const name of AMOUNTS) raised[name] = before ? next(like[name] ?? 0) : (like[name] ?? 0);
  raised.lasts_ms = raised.lasts_hands ? 0 : (like.lasts_ms ?? 10 * MINUTE_MS);
  return raised;
}

export const pause = () => ({ type: "break", lasts_ms: 5 * MINUTE_MS });

// Half as much again, in chips people have.
function next(amount) {
  if (amount === 0) return 0;
  const raised = Math.ceil(amount * 1.5);
  const unit = [...ROUND].reverse().find((value) => value * 4 <= raised) ?? 1;
  return Math.ceil(raised / unit) * unit;
}

export function added(items, index, kind) {
  const before = items.slice(0, index + 1).reverse().find((item) => item.type === "level");
  const made = kind === "break" ? pause() : level(before);
  return [...items.slice(0, index + 1), made, ...items.slice(index + 1)];
}

export const removed = (items, index) => items.filter((_, at) => at !== index);

export function moved(items, index, by) {
  const to = index + by;
  if (to < 0 || to >= items.length) return items;
  const changed = [...items];
  [changed[index], changed[to]] = [changed[to], changed[index]];
  return changed;
}

export const length = (item) =>
  item.lasts_hands
    ? { value: item.lasts_hands, unit: "hands" }
    : { value: item.lasts_ms / MINUTE_MS, unit: "minutes" };

export function lasting(item, value, unit) {
  if (item.type === "break") return { ...item, lasts_ms: Math.round(value * MINUTE_MS) };
  return unit === "hands"
    ? { ...item, lasts_ms: 0, lasts_hands: Math.round(value) }
    : { ...item, lasts_ms: Math.round(value * MINUTE_MS), lasts_hands: 0 };
}

export function allLasting(items, value, unit) {
  return items.map((item) => (item.type === "break" ? item : lasting(item, value, unit)));
}
