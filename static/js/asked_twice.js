// A button that asks first: the first click or key asks, the second does it, once.

import { el } from "./dom.js";
import { gettext, interpolate } from "./i18n.js";

export function askedTwice(kind, words, act) {
  const button = el("button", { type: "button", class: kind }, words);
  button.addEventListener("click", async () => {
    if (!button.dataset.sure) {
      button.dataset.sure = "1";
      button.textContent = interpolate(gettext("%(what)s: sure?"), { what: words });
      return;
    }
    button.disabled = true;
    await act();
  });
  // Who goes on to something else has not said yes.
  button.addEventListener("blur", () => {
    if (button.disabled) return;
    delete button.dataset.sure;
    button.textContent = words;
  });
  return button;
}
