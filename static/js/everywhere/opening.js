// Choice of the one window of a player that opens a table by itself, preferably a visible one.

import { local, session } from "../shared/storage.js";
import { windowName as self } from "../shared/window_name.js";

const CLAIMS = "room.claims";
const KNOWN = "room.known_at";
const LIFE_MS = 10_000;
const SEEN_FIRST_MS = 300;
const SETTLE_MS = 100;
// What happened while a window changed from page to page is still news for it.
const BETWEEN_PAGES_MS = 30_000;

/** @type {(ms: number) => Promise<void>} */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
/** @type {(table: number) => string} */
const mark = (table) => `room.opened.${table}`;

// A table opens by itself once; who then walks back to the lobby is left alone.
/** @type {(table: number) => boolean} */
export const opened = (table) => session.get(mark(table)) !== null;
/** @type {(table: number) => void} */
export const noteOpened = (table) => session.set(mark(table), "1");

// A new window, or one that was elsewhere for long, was opened for what it shows: no seat drawn
// before takes its page away. Asked once, with the first news of a page.
export function isNewWindow() {
  return Date.now() - Number(session.get(KNOWN) ?? 0) > BETWEEN_PAGES_MS;
}

export const noteKnown = () => session.set(KNOWN, String(Date.now()));

/** @returns {Record<string, {by: string, at: number}>} */
function claims() {
  /** @type {[string, {by: string, at: number}][]} */
  const kept = Object.entries(JSON.parse(local.get(CLAIMS) ?? "{}"));
  return Object.fromEntries(kept.filter(([, { at }]) => Math.abs(Date.now() - at) < LIFE_MS));
}

// Whether this window is the one to open the table: of several that ask, the last to write is it.
/** @type {(table: number) => Promise<boolean>} */
export async function claim(table) {
  if (document.hidden) await pause(SEEN_FIRST_MS);
  const found = claims();
  if (found[table] && found[table].by !== self) return false;
  local.set(CLAIMS, JSON.stringify({ ...found, [table]: { by: self, at: Date.now() } }));
  await pause(SETTLE_MS);
  return claims()[table]?.by === self;
}
