// The choice to show or muck beaten hands: kept in this browser, sent to every seat of its player.

import { el, show, text } from "../../shared/dom.js";
import { gettext } from "../../shared/i18n.js";
import { local } from "../../shared/storage.js";

const KEPT = "room.showdown";
const CHOICES = ["auto", "muck", "show"];

/** @type {() => Record<string, string>} */
const words = () => ({
  auto: gettext("show if required"),
  muck: gettext("muck"),
  show: gettext("show"),
});

/** @type {() => Record<string, string>} */
const meaning = () => ({
  auto: gettext("A beaten hand is shown only while no better one was shown."),
  muck: gettext("A beaten hand is never shown; a hand that wins always is."),
  show: gettext("Your hand is always shown."),
});

export class ShowdownChoice {
  /**
   * @param {(choice: string, quiet: boolean) => Promise<boolean>} send true when the room took it;
   *   `quiet` when nobody asked for it
   */
  constructor(send) {
    this.send = send;
    /** @type {string | null} */
    this.told = null;
    const kept = local.get(KEPT) ?? "";
    this.choice = CHOICES.includes(kept) ? kept : "auto";
    this.words = el("span", { class: "choice" });
    this.node = el(
      "button",
      { type: "button", class: "plain showdown", onclick: () => this.next() },
      el("span", { class: "label" }, gettext("Losing hands at showdown:"), " "),
      this.words,
    );
    this.#paint();
    show(this.node, false);
  }

  // `place` names the seat as the room counts it, null without one: a seat taken anew knows nothing.
  /** @param {string | null} place */
  update(place) {
    show(this.node, place !== null);
    if (place === this.told) return;
    this.told = place;
    if (place !== null) this.#tell(place);
  }

  /** @param {string} place */
  async #tell(place) {
    const taken = await this.send(this.choice, true);
    if (!taken && this.told === place) this.told = null;
  }

  next() {
    return this.#choose(CHOICES[(CHOICES.indexOf(this.choice) + 1) % CHOICES.length]);
  }

  /** @param {string} choice */
  async #choose(choice) {
    const before = this.choice;
    this.#keep(choice);
    if (!(await this.send(choice, false)) && this.choice === choice) this.#keep(before);
  }

  /** @param {string} choice */
  #keep(choice) {
    this.choice = choice;
    local.set(KEPT, choice);
    this.#paint();
  }

  #paint() {
    text(this.words, words()[this.choice]);
    this.node.title = `${meaning()[this.choice]} (M)`;
    this.node.dataset.choice = this.choice;
  }
}
