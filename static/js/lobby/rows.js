// Rows of the lobby asked of the server: one request per tournament at a time, each once more when
// something happened meanwhile.

import { pageWords } from "../shared/api.js";
import { tick } from "../shared/clock.js";
import { focusIn } from "../shared/focus.js";
import { released } from "../shared/pressed.js";

// All lobbies hear of a change in the same instant; they ask for it one after the other.
const SPREAD_MS = 1500;
// A busy room may refuse one; it is asked for once more, as nothing else would bring it.
const REFUSED_MS = 4000;

export class LobbyRows {
  /**
   * @param {HTMLElement} body
   * @param {() => void} placed called when a row came or was replaced
   * @param {(row: HTMLTableRowElement) => Element | null} next what a new row goes before
   */
  constructor(body, placed, next = () => null) {
    this.body = body;
    this.placed = placed;
    this.next = next;
    /** @type {Map<number, ReturnType<typeof setTimeout>>} */
    this.due = new Map();
    /** @type {Map<number, "once" | "again">} */
    this.asked = new Map();
    /** @type {Set<number>} */
    this.refused = new Set();
  }

  // Whether the row is on its way, and may be older than what happened since.
  /** @param {number} id */
  asks(id) {
    return this.asked.has(id);
  }

  // Ask for the row some time soon, or at once for what the visitor did himself.
  /** @param {number} id */
  ask(id, atOnce = false) {
    if (this.asked.has(id)) {
      this.asked.set(id, "again");
      return;
    }
    if (this.due.has(id) && !atOnce) return;
    clearTimeout(this.due.get(id));
    const wait = atOnce ? 0 : SPREAD_MS * Math.random();
    this.due.set(
      id,
      setTimeout(() => this.#fetch(id), wait),
    );
  }

  /** @param {number} id */
  async #fetch(id) {
    this.due.delete(id);
    this.asked.set(id, "once");
    const words = await pageWords(`/tournaments/${id}/row/`);
    await released();
    const again = this.asked.get(id) === "again";
    this.asked.delete(id);
    const isFirst = !words && !this.refused.has(id);
    this.refused.delete(id);
    if (words) this.#place(words);
    if (again) this.ask(id);
    else if (isFirst) this.#askLater(id);
  }

  /** @param {number} id */
  #askLater(id) {
    this.refused.add(id);
    const wait = REFUSED_MS * (1 + Math.random());
    this.due.set(
      id,
      setTimeout(() => this.#fetch(id), wait),
    );
  }

  /** @param {string} words */
  #place(words) {
    const holder = document.createElement("template");
    holder.innerHTML = words;
    const row = holder.content.querySelector("tr");
    if (!row) return;
    const old = document.getElementById(row.id);
    const focus = old && focusIn(old);
    if (old) old.replaceWith(row);
    else this.body.insertBefore(row, this.next(row));
    window.htmx.process(row);
    tick(row);
    focus?.(row);
    this.placed();
  }
}
