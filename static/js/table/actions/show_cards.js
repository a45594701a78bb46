// After the hand: the own cards for everybody to see, all of them or one of two.

import { cardName, cardSigns } from "../../cards/faces.js";
import { attribute, el, show, text } from "../../shared/dom.js";
import { gettext, interpolate } from "../../shared/i18n.js";

export class ShowCards {
  /**
   * @param {(cards: string) => void} send "both" stands for all of them, "first" and "second" for
   *   one
   */
  constructor(send) {
    /** @type {(cards: string, ...words: string[]) => HTMLButtonElement} */
    const button = (cards, ...words) =>
      el("button", { type: "button", class: "button small", onclick: () => send(cards) }, ...words);
    this.all = button("both", gettext("Show my cards"));
    this.single = [button("first"), button("second")];
    this.node = el(
      "div",
      { class: "show-cards", role: "group", "aria-label": gettext("Show my cards") },
      this.all,
      ...this.single,
    );
  }

  // The own cards that may be shown, none when there is nothing to offer; `open` says which of
  // them all have seen. One alone is offered of two that nobody has seen.
  /** @type {(cards: string[], open?: boolean[]) => void} */
  update(cards, open = []) {
    show(
      this.node,
      cards.some((_, place) => !open[place]),
    );
    const apart = cards.length === 2 && !open.some(Boolean);
    this.single.forEach((button, place) => {
      show(button, apart);
      if (!apart) return;
      const signs = cardSigns(cards[place]);
      const only = interpolate(gettext("Show only %(card)s"), { card: cardName(cards[place]) });
      text(button, signs);
      // The name holds what is seen, for those who speak to their browser.
      attribute(button, "aria-label", `${only} (${signs})`);
    });
  }
}
