// Draft of a form whose reader's session is over: kept in this window, and typed again once the log-in
// has led back.

import { session } from "../shared/storage.js";

const KEY = "room.offer_draft";
const KEPT_MS = 30 * 60_000;
const NOT_TYPED = new Set(["hidden", "password", "submit", "button", "file"]);

/** @typedef {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} Field */

/** @type {(form: HTMLFormElement) => Field[]} */
const typed = (form) =>
  /** @type {Field[]} */ ([...form.elements]).filter(
    ({ name, type }) => name && !NOT_TYPED.has(type),
  );

/** @type {(field: Field) => string | boolean} */
const readField = (field) =>
  field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type)
    ? field.checked
    : field.value;

const page = () => location.pathname + location.search;

/** @param {HTMLFormElement} form */
function keep(form) {
  const values = typed(form).map((field) => [field.name, readField(field)]);
  session.set(KEY, JSON.stringify({ page: page(), at: Date.now(), values }));
}

// Type again what was kept for this page, which is the same form; passwords are not kept.
/** @param {HTMLFormElement} form */
export function takeDraft(form) {
  const kept = JSON.parse(session.get(KEY) ?? "null");
  session.remove(KEY);
  if (kept?.page !== page() || Date.now() - kept.at > KEPT_MS) return;
  for (const [index, field] of typed(form).entries()) {
    const [name, value] = kept.values[index] ?? [];
    if (name !== field.name) continue;
    if (field instanceof HTMLInputElement && typeof value === "boolean") field.checked = value;
    else field.value = value;
  }
}

// An answer that is the page of the log-in: go there, and back to this page.
/** @type {(form: HTMLFormElement, address: string) => void} */
export function logInFirst(form, address) {
  keep(form);
  const login = new URL(address);
  login.searchParams.set("next", page());
  location.assign(login);
}
