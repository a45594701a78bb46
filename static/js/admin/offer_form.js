// The form of a new tournament: only what the chosen format has, local times, a live preview.

import { elements, text } from "../shared/dom.js";
import { logInFirst, takeDraft } from "./offer_draft.js";

const PREVIEW_AFTER_MS = 400;
const HALF_HOUR_MS = 30 * 60_000;

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** @type {(words: string) => number} */
const number = (words) => Number.parseFloat(String(words).replace(",", "."));

// Whether a field has one of the values that another one needs; a hidden one has none.
/** @type {(form: HTMLFormElement, name: string, wanted: unknown[]) => boolean} */
function has(form, name, wanted) {
  const field = /** @type {HTMLInputElement | null} */ (form.elements.namedItem(name));
  if (!field || field.closest("[data-left-out]")) return false;
  if (field.type === "checkbox") return wanted.includes(field.checked);
  return wanted.some((value) => (value === ">0" ? number(field.value) > 0 : value === field.value));
}

/** @type {(field: Element) => Element} */
const rowOf = (field) => field.closest(".form-row, .field") ?? field;

/** @param {HTMLFormElement} form */
export function sift(form) {
  const needing = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[data-needs]")]);
  // An option may need one that needs another: as many rounds as there are options are enough.
  for (let round = 0, changed = true; changed && round < needing.length; round += 1) {
    changed = false;
    for (const field of needing) {
      const row = rowOf(field);
      /** @type {[string, unknown[]][]} */
      const needs = Object.entries(JSON.parse(field.dataset.needs ?? "{}"));
      const wrong = row.querySelector(".errorlist") !== null;
      const out = !wrong && !needs.every(([name, wanted]) => has(form, name, wanted));
      if (row.hasAttribute("data-left-out") === out) continue;
      changed = true;
      row.toggleAttribute("data-left-out", out);
      // What is not asked for is not sent, and stays as it is without a word.
      field.disabled = out && !(field.type === "checkbox" && field.defaultChecked);
    }
  }
  for (const group of elements(form, "[data-group]")) {
    const rows = [...group.querySelectorAll(".field")];
    group.hidden = rows.length > 0 && rows.every((row) => row.hasAttribute("data-left-out"));
  }
}

/** @param {HTMLFormElement} form */
function localTimes(form) {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  /** @type {(name: string) => Field | null} */
  const named = (name) => /** @type {Field | null} */ (form.elements.namedItem(name));
  const [hidden, field] = [named("start_zone"), named("starts_at")];
  if (!hidden || !field) return;
  hidden.value = zone;
  const help = document.getElementById("id_starts_at_helptext");
  if (help) help.textContent = `${help.textContent?.trim()} (${zone})`;
  if (field.value || !form.hasAttribute("data-fresh")) return;
  const soon = new Date(Math.ceil((Date.now() + HALF_HOUR_MS) / HALF_HOUR_MS) * HALF_HOUR_MS);
  /** @type {(part: number) => string} */
  const two = (part) => String(part).padStart(2, "0");
  field.value =
    `${soon.getFullYear()}-${two(soon.getMonth() + 1)}-${two(soon.getDate())}` +
    `T${two(soon.getHours())}:${two(soon.getMinutes())}`;
}

// What is read out of a preview: when it ends, or what is wrong; never all of its levels.
/** @param {Element} panel */
function readOut(panel) {
  const heard = document.querySelector("[data-preview-heard]");
  const words = panel.querySelector(".forecast") ?? panel;
  if (heard) text(heard, words.textContent ?? "");
}

/** @type {(form: HTMLFormElement, panel: Element) => void} */
function follow(form, panel) {
  let timer = 0;
  let asks = 0;
  let last = "";
  const look = async () => {
    const mine = ++asks;
    const answer = await fetch(form.dataset.preview ?? "", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(/** @type {any} */ (new FormData(form))),
    }).catch(() => null);
    if (answer?.redirected) return logInFirst(form, answer.url);
    const shown = answer?.ok ? await answer.text().catch(() => null) : null;
    // The answer to an older question may come after that to a newer one.
    if (shown === null || mine !== asks || shown === last) return;
    last = shown;
    panel.innerHTML = shown;
    readOut(panel);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(look, PREVIEW_AFTER_MS);
  };
  form.addEventListener("input", later);
  form.addEventListener("change", later);
  // Whose session ended meanwhile is asked to log in before anything more is typed.
  document.addEventListener("visibilitychange", () => document.hidden || later());
  look();
}

/** @param {HTMLFormElement} form */
function begin(form) {
  localTimes(form);
  if (form.hasAttribute("data-fresh")) takeDraft(form);
  sift(form);
  form.addEventListener("input", () => sift(form));
  form.addEventListener("change", () => sift(form));
  const panel = document.querySelector("[data-offer-preview]");
  if (panel && form.dataset.preview) follow(form, panel);
}

const first = /** @type {HTMLInputElement | null} */ (document.querySelector("form [data-needs]"));
if (first?.form) begin(first.form);
