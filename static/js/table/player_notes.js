// The reader's private notes on players: kept by the room, shown at their seats, in every window.

import { readJson } from "../shared/api.js";
import { csrfHeaders } from "../shared/csrf.js";
import { el, text } from "../shared/dom.js";
import { noAnswer, notRead } from "../shared/failures.js";
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

  // Read all notes; false when the room told none.
  async load() {
    const told = await readJson("/account/notes.json");
    if (!told) return false;
    this.notes.clear();
    for (const note of told.notes) this.notes.set(note.user, note);
    this.dispatchEvent(new Event("changed"));
    return true;
  }

  // The form for the note on one player, for the menu of a seat. The note may have been written
  // elsewhere since this page read it: nothing is typed or saved over it before it is read again.
  /** @param {{user: number, name: string}} seat */
  form({ user, name }) {
    const address = `/players/${user}/note.json?name=${encodeURIComponent(name)}`;
    const note = this.notes.get(user) ?? { user, text: "", colour: "" };
    const status = el("p", { class: "status", role: "status" });
    const area = el("textarea", { name: "text", rows: 3, maxlength: TEXT_MAX }, note.text);
    const save = el("button", { class: "button main" }, gettext("Save the note"));
    const form = el(
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
      el("label", {}, gettext("Note, only for you"), area),
      status,
      el("div", { class: "buttons" }, save),
    );
    area.readOnly = true;
    save.disabled = true;
    this.load().then((isRead) => {
      if (!isRead) return text(status, notRead());
      const { text: words = "", colour = "" } = this.notes.get(user) ?? {};
      area.value = words;
      const marks = /** @type {RadioNodeList} */ (form.elements.namedItem("colour"));
      if (marks.value === note.colour) marks.value = colour;
      area.readOnly = false;
      save.disabled = false;
    });
    return form;
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
