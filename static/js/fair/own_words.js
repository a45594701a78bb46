// The player's own words for the seeds of this browser: mixed into them, kept here, never sent.

import { attribute } from "../shared/dom.js";
import { gettext, interpolate } from "../shared/i18n.js";

const KEPT = "room.own_seed";
const WORDS_MAX = 200;
const LOT_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
const LOT_GROUPS = 5;
const LOT_GROUP_LENGTH = 4;
// Control characters, changes of direction, and halves of characters: they look like nothing.
const UNREADABLE = /[\p{Cc}\p{Cs}\p{Co}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f]/u;

/** Words as they are mixed in: composed characters, single spaces (Unicode's form C).
 * @type {(text: string) => string} */
export const plainWords = (text) => text.normalize("NFC").replace(/\s+/gu, " ").trim();

/** Why words cannot be kept, in the reader's language; "" for good ones, also for none.
 * @type {(text: string) => string} */
export function wrongWords(text) {
  const words = plainWords(text);
  if ([...words].length > WORDS_MAX)
    return interpolate(gettext("At most %(most)s characters."), { most: WORDS_MAX });
  return UNREADABLE.test(words) ? gettext("These words have characters that cannot be shown.") : "";
}

/** The words that are mixed into the next seed; "" where there are none, or none that are right.
 * @type {() => string} */
export function ownWords() {
  try {
    const words = plainWords(localStorage.getItem(KEPT) ?? "");
    return wrongWords(words) ? "" : words;
  } catch {
    return "";
  }
}

/** Keeps right words in this browser; false where it keeps nothing.
 * @type {(text: string) => boolean} */
export function keepWords(text) {
  const words = plainWords(text);
  try {
    if (words) localStorage.setItem(KEPT, words);
    else localStorage.removeItem(KEPT);
  } catch {
    return false;
  }
  return ownWords() === words;
}

/** A lot of letters and digits, drawn by this browser.
 * @type {() => string} */
export function lotOfWords() {
  const drawn = crypto.getRandomValues(new Uint8Array(LOT_GROUPS * LOT_GROUP_LENGTH));
  const letters = [...drawn].map((byte) => LOT_LETTERS[byte % LOT_LETTERS.length]);
  const groups = Array.from({ length: LOT_GROUPS }, (_, at) =>
    letters.slice(at * LOT_GROUP_LENGTH, (at + 1) * LOT_GROUP_LENGTH).join(""),
  );
  return groups.join(" ");
}

/** A box for the words: kept when it is left, wrong ones are said and change nothing.
 * @type {(input: HTMLInputElement, say?: (words: string) => void) => void} */
export function offerOwnWords(input, say = () => {}) {
  input.value = ownWords();
  input.addEventListener("change", () => {
    const wrong = wrongWords(input.value);
    input.setCustomValidity(wrong);
    attribute(input, "aria-invalid", wrong ? "true" : null);
    if (wrong) {
      input.reportValidity();
      say(wrong);
      return;
    }
    if (!keepWords(input.value)) {
      input.value = "";
      say(gettext("This browser keeps nothing for the room: no words are mixed in."));
      return;
    }
    input.value = ownWords();
    say(
      input.value
        ? gettext("Kept in this browser. They count from your next pledge on.")
        : gettext("No words are mixed in any more."),
    );
  });
}
