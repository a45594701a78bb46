// A finished hand to go through: its steps, and the table as it was after each of them.

import { glance, NOTHING } from "../state/moment.js";
import { reduce } from "../state/reducer.js";

// The deal is one step, and so is whatever somebody did with what led to it.
const DEAL = new Set(["hand_began", "posted", "hole_cards_dealt"]);
const DEEDS = new Set([
  ...["folded", "checked", "called", "bet", "raised", "hands_revealed", "street_dealt"],
  ...["cards_shown", "mucked", "pot_awarded", "hand_ended"],
]);

/** @typedef {Wire.TableSnapshot} TableState */
/** @typedef {{event: number, made_by: string, used_ms: number}} Decision */
/** @typedef {{event: Wire.TableEvent, before: TableState, decision: Decision | undefined}} Happened */

/**
 * A finished hand as its page tells it: `looked_up` are hole cards by seat that were never shown.
 * @typedef {{start: TableState, events: Wire.TableEvent[], looked_up: [number, string[]][],
 *   decisions: Decision[]}} HandTold
 */

/** @type {(event: {type: string}, next?: {type: string}) => boolean} */
const ends = (event, next) =>
  !next || DEEDS.has(event.type) || (DEAL.has(event.type) && !DEAL.has(next.type));

// How many events have happened after each step.
/** @type {(events: {type: string}[]) => number[]} */
export function stepsOf(events) {
  const counts = events.map((_, index) => index + 1);
  return counts.filter((count) => ends(events[count - 1], events[count]));
}

// Hands that were never shown, turned up for who may look them up: as far as they were dealt.
/** @type {(state: TableState, hands: [number, string[]][]) => TableState} */
function turnedUp(state, hands) {
  const known = new Map(hands);
  const seats = state.seats.map((seat) => ({
    ...seat,
    cards: known.get(seat.seat)?.slice(0, seat.cards.length) ?? seat.cards,
  }));
  return { ...state, seats };
}

export class Replay {
  /** @param {HandTold} told */
  constructor({ start, events, looked_up: lookedUp, decisions }) {
    this.start = start;
    this.events = events;
    this.lookedUp = lookedUp;
    this.decisions = new Map(decisions.map((decision) => [decision.event, decision]));
    this.steps = stepsOf(events);
    this.all = false;
  }

  get last() {
    return this.steps.length - 1;
  }

  // What happened in a step, each event with the table before it, and with the decision it was.
  /** @type {(step: number) => Happened[]} */
  happened(step) {
    const from = this.steps[step - 1] ?? 0;
    let state = this.#after(from);
    return this.events.slice(from, this.steps[step]).map((event, index) => {
      const before = state;
      state = reduce(state, event);
      return { event, before, decision: this.decisions.get(from + index) };
    });
  }

  // The table and the moment after a step.
  /** @type {(step: number) => {state: TableState, moment: import("../state/moment.js").Moment}} */
  at(step) {
    const told = this.events.slice(0, this.steps[step]);
    const state = this.#after(told.length);
    const moment = told.reduce((now, event) => glance(now, event, 0), NOTHING);
    if (!this.all) return { state, moment };
    return { state: turnedUp(state, this.lookedUp), moment: { ...moment, mucked: {} } };
  }

  /** @type {(count: number) => TableState} */
  #after(count) {
    return this.events.slice(0, count).reduce(reduce, this.start);
  }
}
