// Which of a player's windows opens a table by itself: one of them, and rather one that is seen.

const CLAIMS = "room.claims";
const WINDOW = "room.window";
const LIFE_MS = 10_000;
const SEEN_FIRST_MS = 300;
const SETTLE_MS = 100;
// This window's name, the same on its next page: a claim outlives the page that made it.
const self = sessionStorage.getItem(WINDOW) ?? Math.random().toString(36).slice(2);
sessionStorage.setItem(WINDOW, self);

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const mark = (table) => `room.opened.${table}`;

// A table opens by itself once; who then walks back to the lobby is left alone.
export const opened = (table) => sessionStorage.getItem(mark(table)) !== null;
export const noteOpened = (table) => sessionStorage.setItem(mark(table), "1");

function claims() {
  const kept = Object.entries(JSON.parse(localStorage.getItem(CLAIMS) ?? "{}"));
  return Object.fromEntries(kept.filter(([, { at }]) => Math.abs(Date.now() - at) < LIFE_MS));
}

// Whether this window is the one to open the table: of several that ask, the last to write is it.
export async function claim(table) {
  if (document.hidden) await pause(SEEN_FIRST_MS);
  const found = claims();
  if (found[table] && found[table].by !== self) return false;
  localStorage.setItem(CLAIMS, JSON.stringify({ ...found, [table]: { by: self, at: Date.now() } }));
  await pause(SETTLE_MS);
  return claims()[table]?.by === self;
}
