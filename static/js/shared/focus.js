// The reader's place in a part of the page that is replaced by a newer one.

import { elements } from "./dom.js";

const NAMED = ["id", "name", "href", "hx-get", "hx-post"];

/** @type {(node: Element, name: string) => string} */
const by = (node, name) =>
  `${node.localName}[${name}="${CSS.escape(node.getAttribute(name) ?? "")}"]`;

// A selector of what `node` is called within its part, or null when nothing tells it from others.
// The button of a form is called by what that sends to.
/** @type {(node: Element) => string | null} */
function called(node) {
  const name = NAMED.find((attribute) => node.getAttribute(attribute));
  if (name) return by(node, name);
  const form = node.closest("form[action]");
  return form ? `${by(form, "action")} ${node.localName}` : null;
}

// What finds the focus again in the newer part: an element -> its namesake gets the focus, of
// several the one with the same number.
/** @type {(part: Element) => (newer: Element) => void} */
export function focusIn(part) {
  const node = document.activeElement;
  const selector = node && part.contains(node) ? called(node) : null;
  const index = node && selector ? [...part.querySelectorAll(selector)].indexOf(node) : -1;
  return (newer) => {
    const found = selector ? [...elements(newer, selector)] : [];
    const namesake = found[index] ?? found.at(-1);
    if (namesake && document.activeElement !== namesake) namesake.focus({ preventScroll: true });
  };
}

const SIDEWAYS = ".tabs, .scroll";

// What scrolls a newer part sideways to where this one stands.
/** @type {(part: Element) => (newer: Element) => void} */
export function scrollIn(part) {
  const places = [...part.querySelectorAll(SIDEWAYS)].map((strip) => strip.scrollLeft);
  return (newer) =>
    newer.querySelectorAll(SIDEWAYS).forEach((strip, index) => {
      if (places[index]) strip.scrollLeft = places[index];
    });
}

// Whether text of `part` is selected: it would be lost with it.
/** @type {(part: Node) => boolean} */
export function selectedIn(part) {
  const selection = getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(part, true);
}

// Leads to the first field that was refused: it may lie far below the head of its form.
export function toFault() {
  /** @type {HTMLElement | null} */
  const field = document.querySelector("main [aria-invalid='true']");
  field?.scrollIntoView({ block: "center" });
  field?.focus({ preventScroll: true });
}
