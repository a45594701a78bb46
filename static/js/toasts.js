// Short notices in the corner, with a sound, and in the title of a page that nobody looks at.

import { el } from "./dom.js";
import { gettext } from "./i18n.js";
import { sound } from "./sounds.js";

const STAYS_MS = 7000;
const TOASTS_MAX = 4;
const plainTitle = document.title;

function corner() {
  return (
    document.getElementById("toasts") ??
    document.body.appendChild(
      el("div", { id: "toasts", class: "toasts", role: "status", "aria-live": "polite" }),
    )
  );
}

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
  const node = el("div", { class: "toast", "data-kind": kind }, what, close);
  const holder = corner();
  holder.append(node);
  while (holder.children.length > TOASTS_MAX) holder.firstElementChild.remove();
  if (stays) setTimeout(() => node.remove(), stays);
  return node;
}

export function titleSays(words) {
  document.title = words ? `${words} – ${plainTitle}` : plainTitle;
}

// What a player is not to miss.
export function tell(title, words = "", { tone = "notice", ...extra } = {}) {
  toast({ title, words, ...extra });
  sound(tone);
  if (document.hidden) titleSays(title);
}

document.addEventListener("visibilitychange", () => document.hidden || titleSays(""));
