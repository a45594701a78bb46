// The title of the page: the turns that wait for its reader first, then news, then its own name.

const plainTitle = document.title;
const turns = new Map();
let news = "";

function write() {
  const [turn] = turns.values();
  document.title = [turn ?? news, plainTitle].filter(Boolean).join(" – ");
}

/**
 * A turn of the player at a table, in words; "" once it is over.
 * @type {(table: number, words: string) => void}
 */
export function titleTurn(table, words) {
  if (words) turns.set(table, `● ${words}`);
  else turns.delete(table);
  write();
}

/**
 * News for a window that nobody looks at; "" once it was seen.
 * @type {(words: string) => void}
 */
export function titleNews(words) {
  news = words;
  write();
}

document.addEventListener("visibilitychange", () => document.hidden || titleNews(""));
