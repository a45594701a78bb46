// A button that asks first: the first click or key asks, the second does it, once.

import { el } from "../../shared/dom.js";
import { gettext, interpolate } from "../../shared/i18n.js";

// So long its question stands: a tap much later means something else.
const SURE_MS = 5000;
// Clicks that follow each other faster are one gesture, a double tap or a held key, and answer nothing.
const GESTURE_MS = 600;

/** @type {(kind: string, words: string, act: () => unknown) => HTMLButtonElement} */
export function askedTwice(kind, words, act) {
  const button = el("button", { type: "button", class: kind }, words);
  let question = 0;
  let clickedAt = 0;
  const forget = () => {
    clearTimeout(question);
    if (button.disabled) return;
    delete button.dataset.sure;
    button.textContent = words;
  };
  button.addEventListener("click", async ({ timeStamp }) => {
    const isSame = timeStamp - clickedAt < GESTURE_MS;
    clickedAt = timeStamp;
    if (!button.dataset.sure) {
      button.dataset.sure = "1";
      button.textContent = interpolate(gettext("%(what)s: sure?"), { what: words });
      question = setTimeout(forget, SURE_MS);
      // Some browsers give no focus to what is tapped: without it nothing would be left.
      button.focus();
      return;
    }
    if (isSame) return;
    button.disabled = true;
    await act();
  });
  // Who goes on to something else has not said yes.
  button.addEventListener("blur", forget);
  return button;
}
