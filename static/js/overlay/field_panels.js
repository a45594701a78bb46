// Panels around the featured table, as it was when its hand was played: clock, counts, payouts,
// chips and the last ones out.

import { tick } from "../shared/clock.js";
import { attribute, el, show, text } from "../shared/dom.js";
import { chips, count, forcedBets, money, ordinal } from "../shared/format.js";
import { gettext, interpolate } from "../shared/i18n.js";

/** @type {(part: HTMLElement) => HTMLElement} */
const panelOf = (part) => /** @type {HTMLElement} */ (part.parentElement);

/** @type {(left: string, right: string) => HTMLElement} */
const row = (left, right) => el("li", {}, el("span", {}, left), el("b", {}, right));

export class FieldPanels {
  /** @param {HTMLElement} stage */
  constructor(stage) {
    /** @type {(name: string) => HTMLElement} */
    const part = (name) =>
      /** @type {HTMLElement} */ (stage.querySelector(`[data-part="${name}"]`));
    this.stage = stage;
    this.level = part("level");
    this.time = part("time");
    this.stakes = part("stakes");
    this.pause = part("pause");
    this.field = part("field");
    this.payouts = part("payouts");
    this.leaders = part("leaders");
    this.out = part("out");
  }

  /** @param {Wire.FieldFacts} facts */
  update(facts) {
    const { due_ms: due } = facts;
    // Once it is over there is neither a level nor anybody at the tables.
    const isPlayed = facts.level !== null;
    show(panelOf(this.level), isPlayed);
    show(this.field, isPlayed);
    const pausing = facts.break_ends_in_ms;
    const level = interpolate(gettext("Level %(level)s"), { level: facts.level ?? "" });
    text(this.level, pausing === null ? level : gettext("Break"));
    const ends = pausing ?? facts.level_ends_in_ms;
    attribute(this.time, "data-countdown", ends === null ? null : due + ends);
    show(this.time, ends !== null);
    text(this.stakes, facts.stakes ? forcedBets(facts.stakes) : "");
    attribute(
      this.pause,
      "data-countdown",
      facts.break_in_ms === null ? null : due + facts.break_in_ms,
    );
    show(panelOf(this.pause), facts.break_in_ms !== null);
    text(
      this.field,
      interpolate(gettext("%(left)s of %(entrants)s left, average %(average)s"), {
        left: count(facts.left),
        entrants: count(facts.entrants),
        average: chips(facts.average),
      }),
    );
    this.payouts.replaceChildren(
      ...facts.payouts.map(({ first, last, prize }) =>
        row(first === last ? ordinal(first) : `${ordinal(first)}–${ordinal(last)}`, money(prize)),
      ),
    );
    show(panelOf(this.leaders), facts.leaders.length > 0);
    this.leaders.replaceChildren(...facts.leaders.map((one) => row(one.name, chips(one.chips))));
    const gone = facts.out.map(({ name, place, prize }) =>
      [place ? ordinal(place) : "", name, prize ? money(prize) : ""].filter(Boolean).join(" "),
    );
    text(this.out, gone.join("   ·   "));
    tick(this.stage);
  }
}
