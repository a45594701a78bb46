// Notes that this browser keeps of its hands and of the log: what was told while a hand was played.
// They are bounded, and a browser without storage keeps none.

const HANDS_MAX = 2_000;
const ORDER = "fair:hands";
const HEAD = "fair:head";

/** A stored value, or null.
 * @type {(name: string) => any} */
function load(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** @type {(name: string, value: any) => boolean} */
function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @typedef {{room: string, table: number, epoch: number, hand: number}} HandName */

/** @type {(at: HandName) => string} */
const nameOf = ({ room, table, epoch, hand }) => `fair:${room}:${table}:${epoch}:${hand}`;

/** Note more of a hand, which may follow from what is noted; the oldest hands are forgotten.
 * @type {(at: {room: string, table: number, epoch: number, hand: number}, more: Record<string, any> | ((kept: any) => Record<string, any>)) => void} */
export function note(at, more) {
  const name = nameOf(at);
  const known = load(name);
  const added = typeof more === "function" ? more(known ?? {}) : more;
  if (!store(name, { ...known, ...added }) || known) return;
  const order = load(ORDER);
  const names = [...(Array.isArray(order) ? order : []), name];
  for (const old of names.splice(0, Math.max(0, names.length - HANDS_MAX)))
    localStorage.removeItem(old);
  store(ORDER, names);
}

/** What was noted of a hand, or null.
 * @type {(at: {room: string, table: number, epoch: number, hand: number}) => any} */
export const noted = (at) => load(nameOf(at));

/** The newest head of a log that this browser has checked, or null.
 * @type {(origin: string) => {size: number, checkpoint: string} | null} */
export function keptHead(origin) {
  const kept = load(HEAD);
  return kept?.origin === origin && typeof kept.checkpoint === "string" ? kept : null;
}

/** Keep a head that continues the one kept before.
 * @type {(origin: string, size: number, checkpoint: string) => void} */
export function keepHead(origin, size, checkpoint) {
  if (size > (keptHead(origin)?.size ?? 0)) store(HEAD, { origin, size, checkpoint });
}
