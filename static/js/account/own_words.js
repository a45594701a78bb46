// The page of the own words: a box, a button that draws a lot, and one that empties it.

import { lotOfWords, offerOwnWords } from "../fair/own_words.js";

const part = /** @type {HTMLElement} */ (document.getElementById("own-words"));
const input = /** @type {HTMLInputElement} */ (part.querySelector("input"));
const note = /** @type {HTMLElement} */ (part.querySelector("[role=status]"));

/** @type {(words: string) => void} */
function say(words) {
  note.textContent = words;
  note.hidden = !words;
}

/** @type {(words: string) => void} */
function write(words) {
  input.value = words;
  input.dispatchEvent(new Event("change"));
}

offerOwnWords(input, say);
part.querySelector("fieldset")?.removeAttribute("disabled");
// Enter and the button leave the box, which keeps the words: the form is never sent, so that they
// never leave this browser.
part.querySelector("form")?.addEventListener("submit", (event) => event.preventDefault());
part.querySelector("[data-words=lot]")?.addEventListener("click", () => write(lotOfWords()));
part.querySelector("[data-words=none]")?.addEventListener("click", () => write(""));
