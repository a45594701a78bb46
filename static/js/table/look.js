// The look, changed at once at a table and kept by the room: theme, felt, deck and size.

import { drawDeck } from "../cards/faces.js";
import { csrfHeaders } from "../shared/csrf.js";

const PARTS = ["felt", "deck", "size"];

/** @param {HTMLFormElement | null} form */
export function offerLook(form) {
  let sent = Promise.resolve();
  form?.addEventListener("change", () => {
    const given = /** @type {any} */ (new FormData(form));
    document.documentElement.dataset.theme = String(given.get("theme"));
    for (const part of PARTS) document.body.dataset[part] = String(given.get(part));
    drawDeck();
    // One after the other: the last choice is the one that is kept.
    sent = sent.then(() => keep(given));
  });
}

/** @type {(given: any) => Promise<void>} */
async function keep(given) {
  await fetch("/look/kept/", {
    method: "POST",
    headers: csrfHeaders(),
    body: new URLSearchParams(given),
  }).catch(() => null);
}
