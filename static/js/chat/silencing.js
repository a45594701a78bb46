// The question of a moderator: for how long the author of a message is silenced, and why.

import { el } from "../shared/dom.js";
import { gettext, interpolate } from "../shared/i18n.js";

const REASON_MAX = 200;
/** @type {[number, string][]} */
const MINUTES = [
  [10, gettext("10 minutes")],
  [60, gettext("1 hour")],
  [24 * 60, gettext("1 day")],
  [7 * 24 * 60, gettext("7 days")],
];

/**
 * Asks; `silence(minutes, reason)` is called when the moderator means it.
 * @param {string} name
 * @param {(minutes: number, reason: string) => void} silence
 */
export function askSilence(name, silence) {
  const minutes = /** @type {HTMLSelectElement} */ (
    el("select", {}, ...MINUTES.map(([value, words]) => el("option", { value }, words)))
  );
  const reason = /** @type {HTMLInputElement} */ (
    el("input", { type: "text", maxlength: REASON_MAX, required: true, autocomplete: "off" })
  );
  const dialog = /** @type {HTMLDialogElement} */ (
    el(
      "dialog",
      { class: "silence", "aria-labelledby": "silence-title" },
      el("h2", { id: "silence-title" }, interpolate(gettext("Silence %(name)s"), { name })),
      el(
        "form",
        {
          method: "dialog",
          onsubmit: () => silence(Number(minutes.value), reason.value.trim()),
        },
        el("p", {}, el("label", {}, gettext("For"), " ", minutes)),
        el("p", {}, el("label", {}, gettext("Reason, which the player reads"), " ", reason)),
        el(
          "div",
          { class: "buttons" },
          el("button", { class: "button warn" }, gettext("Silence")),
          el(
            "button",
            { type: "button", class: "button", onclick: () => dialog.close() },
            gettext("Cancel"),
          ),
        ),
      ),
    )
  );
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
