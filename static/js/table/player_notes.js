// The reader's private notes on players: kept by the room, shown at their seats, in every window.

import { csrfHeaders } from "../shared/csrf.js";
import { el, text } from "../shared/dom.js";
import { noAnswer } from "../shared/failures.js";
import { gettext } from "../shared/i18n.js";
import { NOTE_COLOURS } from "../state/note_words.js";

const TEXT_MAX = 500;

/** @typedef {import("../state/note_words.js").PlayerNote} PlayerNote */

export class PlayerNotes extends EventTarget {
  constructor() {
    super();
    /** @type {Map<number, PlayerNote>} */
    this.notes = new Map();
    // Other windows of this browser know a new note at once.
    this.others = new BroadcastChannel("room.notes");
    this.others.addEventListener("message", ({ data }) => this.#hold(data));
  }

  async load() {
    const answer = await fetch("/account/notes.json");
    if (!answer.ok) return;
    for (const note of (await answer.json()).notes) this.notes.set(note.user, note);
    this.dispatchEvent(new Event("changed"));
  }

  // The form for the note on one player, for the menu of a seat.
  /** @param {{user: number, name: string}} seat */
  form({ user, name }) {
    const address = `/players/${user}/note.json?name=${encodeURIComponent(name)}`;
    const note = this.notes.get(user) ?? { user, text: "", colour: "" };
    const status = el("p", { class: "status", role: "status" });
    return el(
      "form",
      { class: "note-form", onsubmit: (event) => this.#save(event, address, status) },
      el(
        "fieldset",
        {},
        el("legend", {}, gettext("Colour")),
        ...Object.entries(NOTE_COLOURS).map(([colour, words]) =>
          el(
            "label",
            { class: "note-colour", title: words },
            el("input", {
              type: "radio",
              name: "colour",
              value: colour,
              checked: colour === note.colour,
              "aria-label": words,
            }),
            el("span", { class: "note-mark", "data-colour": colour, "aria-hidden": "true" }),
          ),
        ),
      ),
      el(
        "label",
        {},
        gettext("Note, only for you"),
        el("textarea", { name: "text", rows: 3, maxlength: TEXT_MAX }, note.text),
      ),
      status,
      el(
        "div",
        { class: "buttons" },
        el("button", { class: "button main" }, gettext("Save the note")),
      ),
    );
  }

  /** @type {(event: SubmitEvent, address: string, status: HTMLElement) => Promise<void>} */
  async #save(event, address, status) {
    event.preventDefault();
    text(status, "");
    const form = /** @type {HTMLFormElement} */ (event.target);
    const given = /** @type {any} */ (new FormData(form));
    const answer = await fetch(address, {
      method: "POST",
      headers: { Accept: "application/json", ...csrfHeaders() },
      body: new URLSearchParams(given),
    }).catch(() => null);
    const told = await answer?.json().catch(() => null);
    if (!answer?.ok || !told) return text(status, told?.message ?? noAnswer());
    this.#hold(told);
    this.others.postMessage(told);
    form.closest("dialog")?.close();
  }

  /** @param {PlayerNote} note */
  #hold(note) {
    if (note.text || note.colour) this.notes.set(note.user, note);
    else this.notes.delete(note.user);
    this.dispatchEvent(new Event("changed"));
  }
}
