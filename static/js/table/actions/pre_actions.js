// Choices made before the turn comes: kept for one betting round and one price, dropped when either
// changes: what was meant before a card is not meant after it. A hand that is dealt in place of a
// void one has its number, in another epoch.

import { attribute, el, show, text } from "../../shared/dom.js";
import { chips } from "../../shared/format.js";
import { gettext } from "../../shared/i18n.js";
import { toCall } from "../../state/bet_sizes.js";
import { withAllIn } from "../../state/words.js";

/** @typedef {"fold" | "check_fold" | "check" | "call"} PreAction */
/** @typedef {{kind: PreAction, round: string, call: number}} Choice */
/** @typedef {{option: Wire.Option, round: string}} AskedTurn */

/** @type {(state: Wire.TableSnapshot) => string} */
export const roundOf = ({ epoch, hand, street }) => `${epoch}:${hand}:${street}`;

// What a choice becomes when the turn is asked, or null when it no longer fits.
/** @type {(choice: Choice | null, turn: AskedTurn) => string | null} */
export function answer(choice, turn) {
  if (!choice || choice.round !== turn.round) return null;
  const { option } = turn;
  if (choice.kind === "fold" || choice.kind === "check_fold") {
    if (option.check) return "check";
    return option.fold === false ? null : "fold";
  }
  if (choice.kind === "check") return option.check ? "check" : null;
  return !option.check && option.call === choice.call ? "call" : null;
}

export class PreActions {
  constructor() {
    /** @type {Choice | null} */
    this.choice = null;
    this.owed = 0;
    this.stack = 0;
    this.round = "";
    this.buttons = /** @type {Record<PreAction, HTMLButtonElement>} */ (
      Object.fromEntries(
        /** @type {PreAction[]} */ (["fold", "check_fold", "check", "call"]).map((kind) => [
          kind,
          el("button", {
            type: "button",
            class: "pre",
            "aria-pressed": "false",
            onclick: () => this.#toggle(kind),
          }),
        ]),
      )
    );
    this.node = el(
      "div",
      { class: "pre-actions", role: "group", "aria-label": gettext("When it is my turn") },
      ...Object.values(this.buttons),
    );
  }

  // `state` and the own `seat`; hidden while it is the own turn or nothing can be chosen.
  /** @type {(state: Wire.TableSnapshot, seat: Wire.SeatSnapshot | null) => void} */
  update(state, seat) {
    const playing = Boolean(
      seat && state.street && seat.in_hand && !seat.folded && !seat.all_in && !seat.absent,
    );
    this.round = roundOf(state);
    this.owed = playing && seat ? toCall(state, seat) : 0;
    this.stack = seat?.chips ?? 0;
    if (!playing || !this.#fits()) this.choice = null;
    show(this.node, playing && state.turn !== null && state.turn.seat !== seat?.seat);
    this.#paint();
  }

  // What the buttons stand for, "" while none is shown.
  get meaning() {
    return this.node.hidden ? "" : `pre:${this.round}:${this.owed}`;
  }

  #fits() {
    const { choice } = this;
    if (!choice) return true;
    if (choice.round !== this.round) return false;
    if (choice.kind === "call") return choice.call === this.owed;
    return choice.kind !== "check" || this.owed === 0;
  }

  /** @param {PreAction} kind */
  #toggle(kind) {
    this.choice = this.choice?.kind === kind ? null : { kind, round: this.round, call: this.owed };
    this.#paint();
  }

  #paint() {
    const { fold, check_fold: checkFold, check, call } = this.buttons;
    text(fold, gettext("Fold"));
    text(checkFold, gettext("Check/Fold"));
    text(check, gettext("Check"));
    text(call, withAllIn(`${gettext("Call")} ${chips(this.owed)}`, this.owed === this.stack));
    show(fold, this.owed > 0);
    show(check, this.owed === 0);
    show(call, this.owed > 0);
    for (const [kind, button] of Object.entries(this.buttons)) {
      attribute(button, "aria-pressed", String(this.choice?.kind === kind));
    }
  }

  // The turn is asked: what to do at once, if anything; a choice is used up either way.
  /** @param {AskedTurn} turn */
  take(turn) {
    const action = answer(this.choice, turn);
    this.choice = null;
    return action;
  }
}
