// Short notices in the corner, with a sound, and in the title of a page that nobody looks at.

import { el } from "./dom.js";
import { gettext } from "./i18n.js";
import { titleNews } from "./page_title.js";
import { sound } from "./sounds.js";

const STAYS_MS = 7000;
const AGAIN_MS = 1000;
const TOASTS_MAX = 4;
const IN_USE = ":hover, :focus-within";

function corner() {
  return (
    document.getElementById("toasts") ??
    document.body.appendChild(
      el("div", {
        id: "toasts",
        class: "toasts",
        role: "status",
        "aria-live": "polite",
        "aria-atomic": "false",
      }),
    )
  );
}

/**
 * @param {{title: string, words?: string, kind?: string, stays?: number,
 *   link?: {href: string, words: string} | null}} notice stays: ms, 0 for ever
 */
export function toast({ title, words = "", kind = "", link = null, stays = STAYS_MS }) {
  const close = el(
    "button",
    {
      type: "button",
      class: "plain",
      "aria-label": gettext("Close"),
      onclick: () => node.remove(),
    },
    "✕",
  );
  const what = el("div", { class: "what" }, el("b", {}, title), words);
  if (link) what.append(" ", el("a", { href: link.href }, link.words));
  const lasts = stays ? null : "lasts";
  /** @type {HTMLElement} */
  const node = el("div", { class: "toast", "data-kind": kind, "data-lasts": lasts }, what, close);
  const holder = corner();
  makeRoom(holder, stays);
  holder.append(node);
  if (stays) setTimeout(() => goes(node, stays), stays);
  return node;
}

// What the answer before led here with, on a page without a place for it.
export function toastMessages() {
  /** @type {NodeListOf<HTMLElement>} */
  const messages = document.querySelectorAll(".page-message");
  for (const { textContent, dataset } of messages)
    toast({ title: textContent ?? "", kind: dataset.kind });
}

// None goes while one of them is in use: the one that is pressed would move; nor one that lies
// below another on a phone, which shows one at a time.
/** @type {(node: HTMLElement, stays: number) => void} */
function goes(node, stays) {
  if (!node.getClientRects().length && node.isConnected) setTimeout(() => goes(node, stays), stays);
  else if (node.parentElement?.matches(IN_USE)) setTimeout(() => goes(node, stays), AGAIN_MS);
  else node.remove();
}

// The oldest makes way, one that would go anyway before one that stays, and for one that goes
// none that stays.
/** @type {(holder: Element, stays: number) => void} */
function makeRoom(holder, stays) {
  while (holder.children.length >= TOASTS_MAX) {
    const nodes = /** @type {HTMLElement[]} */ ([...holder.children]);
    const free = nodes.filter((node) => !node.matches(IN_USE));
    const first = free.find((node) => !("lasts" in node.dataset)) ?? (stays ? null : free[0]);
    if (!first) return;
    first.remove();
  }
}

// What a player is not to miss.
/**
 * @param {string} title
 * @param {string} words
 * @param {{tone?: string, kind?: string, stays?: number, link?: {href: string, words: string}}} options
 */
export function tell(title, words = "", { tone = "notice", ...extra } = {}) {
  toast({ title, words, ...extra });
  sound(tone);
  if (document.hidden) titleNews(title);
}
