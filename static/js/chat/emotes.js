// The emotes: their symbols, their names in the reader's language, and the buttons that send one.

import { attribute, el, show } from "../shared/dom.js";
import { gettext } from "../shared/i18n.js";

/** @typedef {Wire.SendEmote["emote"]} EmoteKey */

/** @type {Record<EmoteKey, {symbol: string, words: string}>} */
const EMOTES = {
  nice_hand: { symbol: "👏", words: gettext("Nice hand") },
  well_played: { symbol: "👍", words: gettext("Well played") },
  good_luck: { symbol: "🍀", words: gettext("Good luck") },
  thanks: { symbol: "🙏", words: gettext("Thanks") },
  hello: { symbol: "👋", words: gettext("Hello") },
  sorry: { symbol: "😬", words: gettext("Sorry") },
  wow: { symbol: "😮", words: gettext("Wow") },
  laughing: { symbol: "😂", words: gettext("Ha ha") },
};

// The words of a message's emote; of one that this page does not know, none.
/** @type {(message: {emote?: string | null}) => string} */
export const emoteWords = ({ emote }) => EMOTES[/** @type {EmoteKey} */ (emote ?? "")]?.words ?? "";

export class EmoteButtons {
  /** @param {{send: (key: string) => void, turn: (isOn: boolean) => void}} acts */
  constructor(acts) {
    this.acts = acts;
    this.toggle = el(
      "button",
      {
        type: "button",
        class: "plain emotes-toggle",
        "aria-label": gettext("Emotes"),
        title: gettext("Emotes"),
        "aria-expanded": "false",
        "aria-controls": "chat-emotes",
        onclick: () => (this.isOpen ? this.close() : this.open()),
      },
      "☺",
    );
    this.choices = el(
      "div",
      { class: "emotes-choices" },
      ...Object.entries(EMOTES).map(([key, { symbol, words }], index) =>
        el(
          "button",
          {
            type: "button",
            class: "plain",
            "aria-keyshortcuts": String(index + 1),
            title: String(index + 1),
            onclick: () => this.#choose(key),
          },
          el("span", { "aria-hidden": "true" }, symbol),
          ` ${words}`,
        ),
      ),
    );
    this.shown = /** @type {HTMLInputElement} */ (
      el("input", { type: "checkbox", onchange: () => acts.turn(this.shown.checked) })
    );
    this.node = el(
      "div",
      {
        id: "chat-emotes",
        class: "emotes",
        role: "group",
        "aria-label": gettext("Emotes"),
        hidden: true,
        onkeydown: (event) => this.#key(event),
      },
      this.choices,
      el("label", {}, this.shown, ` ${gettext("Show emotes")}`),
    );
  }

  get isOpen() {
    return !this.node.hidden;
  }

  /** @param {boolean} isOn */
  draw(isOn) {
    this.shown.checked = isOn;
    show(this.choices, isOn);
  }

  open() {
    this.#show(true);
    const first = this.choices.hidden ? this.shown : this.choices.firstElementChild;
    /** @type {HTMLElement} */ (first).focus();
  }

  close() {
    this.#show(false);
  }

  /** @param {boolean} isOpen */
  #show(isOpen) {
    show(this.node, isOpen);
    attribute(this.toggle, "aria-expanded", String(isOpen));
  }

  // The keys are the game's again once an emote is sent.
  /** @param {string} key */
  #choose(key) {
    this.close();
    /** @type {HTMLElement | null} */ (document.activeElement)?.blur();
    this.acts.send(key);
  }

  // What is pressed among the emotes is no key of the game.
  /** @param {KeyboardEvent} event */
  #key(event) {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      this.close();
      this.toggle.focus();
      return;
    }
    const buttons = /** @type {HTMLElement[]} */ ([...this.choices.children]);
    const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step && at >= 0) buttons[(at + step + buttons.length) % buttons.length].focus();
    if (/^[1-8]$/.test(event.key) && !this.choices.hidden) {
      event.preventDefault();
      if (!event.repeat) buttons[Number(event.key) - 1].click();
    }
  }
}
