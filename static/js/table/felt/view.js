// The middle of the table: board, pots, bets in front of the seats, and the reason of a wait.

import { layCards, markFive } from "../../cards/faces.js";
import { now } from "../../shared/clock.js";
import { attribute, el, keyed, show, text } from "../../shared/dom.js";
import { blinds, chips, duration, unit } from "../../shared/format.js";
import { gettext, interpolate } from "../../shared/i18n.js";
import { potNow, raked, withoutRake } from "../../state/bet_sizes.js";
import { waitingWords, whyWords } from "../../state/words.js";
import { layBets } from "./bet_spots.js";
import { RunOutView } from "./run_out_view.js";

/** @type {[number, string][]} */
const CHIPS = [
  [25_000, "teal"],
  [5000, "orange"],
  [1000, "yellow"],
  [500, "violet"],
  [100, "black"],
  [25, "green"],
  [5, "red"],
  [1, "white"],
];
const DISCS_MAX = 4;
// The whole reason stands in the notice and on the page of the tournament.
const WHY_MAX = 120;

/** @typedef {Wire.TableSnapshot} TableState */
/** @typedef {Felt.Picture["moment"]} Moment */
/** @typedef {(amount: number) => string} Say */

/** @type {(why: string) => string} */
function shortened(why) {
  const words = whyWords(why);
  return words.length > WHY_MAX ? `${words.slice(0, WHY_MAX)}…` : words;
}

/** @type {(amount: number) => string[]} */
function colours(amount) {
  const discs = [];
  let rest = amount;
  for (const [value, colour] of CHIPS) {
    while (rest >= value && discs.length < DISCS_MAX) {
      discs.push(colour);
      rest -= value;
    }
  }
  return discs;
}

/** @typedef {HTMLElement & {pile(amount: number, label: string): void}} Heap */

/** @type {() => Heap} */
function heap() {
  const discs = el("span", { class: "discs", "aria-hidden": "true" });
  const words = el("span", { class: "sum" });
  const node = el("span", { class: "heap" }, discs, words);
  /** @type {Heap["pile"]} */
  const pile = (amount, label) => {
    keyed(
      discs,
      colours(amount).map((colour, index) => `${index}${colour}`),
      (key) => el("i", { "data-colour": key.slice(1) }),
    );
    text(words, label);
  };
  return Object.assign(node, { pile });
}

export class FeltView {
  constructor() {
    this.board = el("div", { class: "board", role: "group", "aria-label": gettext("Board") });
    this.total = el("div", { class: "total" });
    this.pots = el("div", { class: "pots" });
    // Only the reason is news; a clock that is read out every second would never stop.
    this.reason = el("span", { role: "status" });
    this.patience = el("span");
    this.waiting = el("div", { class: "waiting" }, this.reason, this.patience);
    // Each bet is told with its seat.
    this.bets = el("div", { class: "bets", "aria-hidden": "true" });
    this.runOut = new RunOutView();
    /** @type {(Felt.Place & {node: HTMLElement})[]} */
    this.spots = [];
    this.cards = el("div", { class: "common" }, this.board, this.runOut.node);
    this.node = el("div", { class: "middle" }, this.total, this.cards, this.pots, this.waiting);
  }

  /** @param {Felt.Picture} picture */
  update({ state, moment, field, places, inBlinds, showdown }) {
    /** @type {Say} */
    const say = (amount) => (inBlinds ? blinds(amount, unit(state.stakes)) : chips(amount));
    layCards(this.board, state.board);
    markFive(this.board, showdown.cards);
    this.runOut.update(state, moment);
    const total = potNow(state);
    const rake = raked(state);
    const words = [
      total ? interpolate(gettext("Pot %(amount)s"), { amount: say(total) }) : "",
      rake ? interpolate(gettext("Rake %(amount)s"), { amount: say(rake) }) : "",
    ].filter(Boolean);
    text(this.total, words.join(" · "));
    attribute(this.total, "data-empty", !words.length);
    this.#pots(state, rake, say);
    this.#bets(state, places, say);
    this.#wait(state, moment, field);
  }

  /** @type {(state: TableState, rake: number, say: Say) => void} */
  #pots(state, rake, say) {
    const amounts = withoutRake(state.pots, rake);
    const several = state.pots.length > 1;
    keyed(
      this.pots,
      state.pots.map((_, index) => index),
      heap,
    );
    amounts.forEach((amount, index) => {
      const name =
        index === 0
          ? gettext("Main pot")
          : interpolate(gettext("Side pot %(number)s"), { number: index });
      const node = /** @type {Heap} */ (this.pots.children[index]);
      node.pile(amount, several ? `${name} ${say(amount)}` : say(amount));
    });
  }

  /** @type {(state: TableState, places: Map<number, Felt.Place>, say: Say) => void} */
  #bets(state, places, say) {
    const betting = state.seats.filter((seat) => seat.bet > 0 && places.has(seat.seat));
    keyed(
      this.bets,
      betting.map((seat) => seat.seat),
      () => {
        const node = heap();
        node.classList.add("bet");
        return node;
      },
    );
    this.spots = betting.map((seat, index) => {
      const node = /** @type {Heap} */ (this.bets.children[index]);
      node.pile(seat.bet, say(seat.bet));
      return { node, .../** @type {Felt.Place} */ (places.get(seat.seat)) };
    });
  }

  // Once the seats are where they are: the bets go where they cover nothing.
  /** @type {(area: Element, seats: Element[], own: Element[]) => void} */
  settle(area, seats, own) {
    // Before the first card its place is free.
    const cards = this.board.children.length ? this.cards : this.board;
    layBets(area, this.spots, [cards, this.total, this.pots], seats, own);
  }

  /** @type {(state: TableState, moment: Moment, field: Felt.Picture["field"]) => void} */
  #wait(state, moment, field) {
    const reason = state.waiting ? waitingWords(state.waiting) : "";
    const why = state.waiting === "paused" && field?.why ? `: ${shortened(field.why)}` : "";
    const words = state.closed ? gettext("This table is closed") : `${reason}${why}`;
    // A break may be given more time, which no event of the table tells.
    const inBreak = state.waiting === "break" && field?.on_break;
    const ends = inBreak ? field.level_ends_ms : moment.until_ms;
    const until = reason && !why && !state.closed ? ends : null;
    const left = until ? until - now() : 0;
    text(this.reason, words);
    text(this.patience, left > 0 ? ` · ${duration(left)}` : "");
    show(this.waiting, Boolean(words));
  }
}
