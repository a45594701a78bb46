// The prizes of an offer in the admin: what the form says now, counted by the server.

import { el, elements } from "../shared/dom.js";

/** @param {HTMLInputElement} field */
export function preview(field) {
  const shown = el("div", { class: "offer-prizes", "aria-live": "polite" });
  const button = el("button", { type: "button", class: "button" }, field.dataset.words);
  button.addEventListener("click", async () => {
    button.disabled = true;
    const answer = await fetch(field.dataset.prizes ?? "", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(/** @type {any} */ (new FormData(field.form ?? undefined))),
    }).catch(() => null);
    // Whose session is over is led to the log-in: that page is no preview.
    if (answer?.ok && !answer.redirected) shown.innerHTML = await answer.text();
    button.disabled = false;
  });
  field.after(" ", button, shown);
}

for (const field of elements(document, "input[data-prizes]"))
  preview(/** @type {HTMLInputElement} */ (field));
