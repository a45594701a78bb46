// The log of the table, newest at the bottom, read out politely by screen readers.

import { attribute, el, elements, text } from "../../shared/dom.js";
import { gettext } from "../../shared/i18n.js";
import { logLines } from "../../state/log_lines.js";

const LINES_MAX = 250;
const SILENT_MS = 500;
const STRONG = new Set(["hand_began", "pot_awarded", "level_began", "hand_voided"]);

// A rebuilt table says once in its epoch that a hand is void, by an event or by its snapshot.
/** @type {(state: Pick<Wire.TableSnapshot, "epoch" | "voided">) => string} */
const voidedIn = (state) => `${state.epoch}-${state.voided}`;

export class LogView {
  constructor() {
    this.lines = el("ol", {
      class: "lines",
      "aria-live": "polite",
      "aria-relevant": "additions",
      tabindex: "0",
      "aria-label": gettext("Hand log"),
    });
    const shows = { "aria-expanded": "false", onclick: () => this.toggle() };
    this.last = el("button", { type: "button", class: "log-last", ...shows }, gettext("Hand log"));
    this.node = el("aside", { class: "log" }, el("h2", {}, gettext("Hand log")), this.lines);
  }

  toggle(open = !this.node.hasAttribute("data-open")) {
    attribute(this.node, "data-open", open);
    attribute(this.last, "aria-expanded", String(open));
    if (open) this.lines.scrollTop = this.lines.scrollHeight;
  }

  // Close what lies over the table. The focus goes to the button, not to the page, where Enter would
  // be a key of the game.
  close() {
    if (!this.node.hasAttribute("data-open")) return;
    if (this.node.contains(document.activeElement)) this.last.focus({ preventScroll: true });
    this.toggle(false);
  }

  get count() {
    return this.lines.children.length;
  }

  // Take back all lines after the first `count`.
  /** @param {number} count */
  cut(count) {
    while (this.count > count) this.lines.lastElementChild?.remove();
    text(this.last, this.lines.lastElementChild?.textContent ?? gettext("Hand log"));
  }

  // The lines of a snapshot in the place of those of its hand; they are no news to be read out.
  /** @param {Wire.TableSnapshot} state */
  recall(state) {
    const lines = [...elements(this.lines, ":scope > li")];
    const first = lines.findIndex((line) => line.dataset.hand === String(state.hand));
    if (first >= 0) this.cut(first);
    attribute(this.lines, "aria-live", "off");
    // Seats that were all taken anew would give the last hand the names of others.
    const areOthers = state.seats.length > 0 && !state.seats.some((seat) => seat.in_hand);
    const log = areOthers ? [] : (state.log ?? []);
    // Each event with the course before it: cards shown after the award decided nothing.
    const tellVoid = () => {
      const isTold = this.lines.querySelector(`[data-voided="${voidedIn(state)}"]`);
      if (state.voided && !isTold) this.add(state, { type: "hand_voided", hand: state.voided });
    };
    // The hand that is dealt in place of a void one has its number.
    if (state.voided === state.hand) tellVoid();
    log.forEach((event, at) =>
      this.add({ ...state, log: log.slice(0, at) }, event, { hand: state.hand }),
    );
    tellVoid();
    for (const deck of state.opened ?? []) {
      if (!this.lines.querySelector(`[data-opened="${deck.seal}"]`)) this.add(state, deck);
    }
    clearTimeout(this.silence);
    this.silence = setTimeout(() => attribute(this.lines, "aria-live", "polite"), SILENT_MS);
  }

  // Put something behind the first line of a hand.
  /** @type {(hand: number, node: Node) => void} */
  mark(hand, node) {
    const lines = [...elements(this.lines, ":scope > li")];
    lines.find((line) => line.dataset.hand === String(hand))?.append(" ", node);
  }

  // Put something behind the line of an opened deck.
  /** @type {(seal: string, node: Node) => void} */
  markOpened(seal, node) {
    this.lines.querySelector(`[data-opened="${seal}"]`)?.append(" ", node);
  }

  // A `note` stands behind the words of the event.
  /**
   * @param {Wire.TableSnapshot} state
   * @param {any} event
   * @param {{hand?: number, note?: string}} line
   */
  add(state, event, { hand = event.hand ?? state.hand, note = "" } = {}) {
    const words = logLines(state, event);
    if (!words.length) return;
    const atEnd = this.lines.scrollHeight - this.lines.scrollTop - this.lines.clientHeight < 40;
    const kind = STRONG.has(event.type) ? "strong" : null;
    const voided = event.type === "hand_voided" ? voidedIn(state) : null;
    const opened = event.type === "deck_opened" ? event.seal : null;
    for (const told of words) {
      const line = note ? `${told} (${note})` : told;
      const marks = {
        class: kind,
        "data-hand": hand,
        "data-voided": voided,
        "data-opened": opened,
      };
      this.lines.append(el("li", marks, line));
      this.last.textContent = line;
    }
    while (this.lines.children.length > LINES_MAX) this.lines.firstElementChild?.remove();
    if (atEnd) this.lines.scrollTop = this.lines.scrollHeight;
  }
}
