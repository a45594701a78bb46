// Fields of the editor of a structure: a number, a choice, a button.

import { el } from "../shared/dom.js";

/**
 * @param {string} label
 * @param {number} value
 * @param {(value: number) => void} changed
 * @param {Record<string, string | number>} more
 * @returns {HTMLInputElement}
 */
export function count(label, value, changed, more = {}) {
  return el("input", {
    type: "number",
    min: 0,
    step: "1",
    inputmode: "numeric",
    value,
    "aria-label": label,
    ...more,
    oninput: (event) => changed(Number(event.target.value)),
  });
}

/** @type {(label: string, options: Record<string, string>, chosen: string, changed: (value: string) => void) => HTMLSelectElement} */
export function choice(label, options, chosen, changed) {
  return el(
    "select",
    { "aria-label": label, onchange: (event) => changed(event.target.value) },
    ...Object.entries(options).map(([value, words]) =>
      el("option", { value, selected: value === chosen }, words),
    ),
  );
}

/** @type {(words: string, field: HTMLElement) => HTMLElement} */
export function labelled(words, field) {
  return el("label", {}, el("span", {}, words), field);
}

// What the page asks of its server: the fields as a form, the answer or null.
/** @type {(address: string | undefined, fields: Record<string, string>) => Promise<Response | null>} */
export function ask(address, fields) {
  const field = /** @type {HTMLInputElement | null} */ (
    document.querySelector("[name=csrfmiddlewaretoken]")
  );
  const token = field?.value ?? "";
  return fetch(address ?? "", {
    method: "POST",
    headers: { "X-CSRFToken": token, "Content-Type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields),
  }).catch(() => null);
}
