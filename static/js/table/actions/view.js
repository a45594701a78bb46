// The action panel below the table: actions of the turn, advance actions, and settings of the seat.

import { el, show, text } from "../../shared/dom.js";
import { gettext } from "../../shared/i18n.js";
import { refusalWords } from "../../shared/refusals.js";
import { toast } from "../../shared/toasts.js";
import { ActionBar } from "./action_bar.js";
import { PreActions, roundOf } from "./pre_actions.js";
import { ShowCards } from "./show_cards.js";
import { ShowdownChoice } from "./showdown_choice.js";
import { Steady } from "./steady.js";

/** @typedef {Wire.TableSnapshot} TableState */
/** @typedef {Wire.SeatSnapshot} Seat */

/** @type {(kind: string, click: () => unknown, words: string) => HTMLButtonElement} */
const button = (kind, click, words) =>
  el("button", { type: "button", class: kind, onclick: click }, words);

export class ActionPanel {
  /** @type {TableState | null} */
  state = null;
  /** The turn that was asked last, and the one whose time bank was asked for. */
  asked = "";
  banked = "";
  /** @type {{table: number, epoch: number, hand: number, turn: number} | null} */
  named = null;

  /**
   * @param {number} table
   * @param {(message: Record<string, unknown>) => Promise<any>} command the room's answer
   */
  constructor(table, command) {
    this.table = table;
    this.command = command;
    this.actions = new ActionBar(
      (action, amount) => this.#act(action, amount),
      () => this.bank(),
    );
    this.pre = new PreActions();
    this.away = button(
      "button gold away",
      () => this.#ask({ type: "come_back", table }),
      gettext("I'm back"),
    );
    this.leave = button("plain", () => this.#ask({ type: "sit_out", table }), gettext("Sit out"));
    this.showing = new ShowCards((cards) => this.#showCards(cards));
    this.showdown = new ShowdownChoice((choice, quiet) =>
      this.#ask({ type: "showdown", table, choice }, quiet),
    );
    this.status = el("p", { class: "status", role: "status" });
    this.node = el(
      "div",
      { class: "action-panel" },
      this.status,
      this.away,
      this.showing.node,
      this.pre.node,
      this.actions.node,
    );
    this.steady = new Steady(this.node);
    show(this.leave, false);
  }

  // Small buttons that stand in the line above the panel.
  get tools() {
    return [this.actions.bank, this.showdown.node, this.leave];
  }

  // Whether it is the own turn, as it is shown now.
  /** @type {(table: Felt.Picture, seat: Seat | null, stale: boolean) => boolean} */
  update({ state, moment }, seat, stale) {
    this.state = state;
    const isAsked = Boolean(seat && state.turn?.seat === seat.seat);
    const mine = isAsked && !stale;
    const focused = document.activeElement;
    // A window that only watches waits for nothing.
    const waits = isAsked && !this.node.closest("[data-watches]");
    this.#turn(mine ? seat : null, state, waits);
    this.pre.update(state, stale ? null : seat);
    this.#keepFocus(focused, mine);
    this.steady.shows((mine ? this.actions.key : this.pre.meaning) ?? "");
    // Only the window that plays tells the seat, and again after every new seat or epoch.
    if (!stale) this.showdown.update(seat ? `${state.epoch}:${seat.seat}:${seat.entry}` : null);
    show(this.away, Boolean(seat?.absent));
    show(this.leave, Boolean(seat && !seat.absent));
    const over = seat && moment.ended && mayShow(seat, moment);
    this.showing.update(over ? seat.cards : [], seat ? moment.shown[seat.seat] : undefined);
    text(this.status, statusWords(state, seat, mine));
    show(this.status, Boolean(this.status.textContent));
    return mine;
  }

  // The focus of an advance action that goes: lost to the page, Enter would be a raise.
  /** @type {(focused: Element | null, mine: boolean) => void} */
  #keepFocus(focused, mine) {
    if (!focused || !this.pre.node.contains(focused) || focused.checkVisibility()) return;
    const node = mine ? this.actions.node : this.pre.node;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
    node.addEventListener("blur", () => node.removeAttribute("tabindex"), { once: true });
  }

  // The own turn, or none without a seat, as while an own turn `waits` for the line.
  /** @type {(seat: Seat | null, state: TableState, waits: boolean) => void} */
  #turn(seat, state, waits) {
    if (!seat || !state.turn) {
      this.actions.update(null, waits);
      return;
    }
    const { table } = this;
    const { turn, option, on_bank } = state.turn;
    const key = `${state.epoch}:${state.hand}:${turn}`;
    const early = key === this.asked ? null : this.pre.take({ option, round: roundOf(state) });
    this.asked = key;
    // A click answers the turn that was on the screen, whatever came since.
    this.named = { table, epoch: state.epoch, hand: state.hand, turn };
    const { chips: stack, bank_ms } = seat;
    this.actions.update({ key, option, state, stack, bank_ms, on_bank });
    if (early) this.actions.press(early === "fold" ? "fold" : "call");
  }

  /** @type {(action: string, amount?: number) => Promise<void>} */
  async #act(action, amount) {
    const { key } = this.actions;
    /** @type {Record<string, any>} */
    const message = { type: "act", ...this.named, action };
    if (amount !== undefined) message.amount = amount;
    if (await this.#ask(message)) return;
    this.actions.again(key);
  }

  // True when the command took effect; a refusal is told, unless nobody asked for this.
  /** @type {(message: Record<string, unknown>, quiet?: boolean) => Promise<boolean>} */
  async #ask(message, quiet = false) {
    const answer = await this.command(message);
    if (answer.type !== "refused") return true;
    if (quiet) return false;
    toast({ title: gettext("Not possible"), words: refusalWords(answer), kind: "error" });
    return false;
  }

  // Once in a turn: the button goes only when the answer comes.
  async bank() {
    if (!this.actions.hasBank || this.banked === this.asked) return;
    this.banked = this.asked;
    if (!(await this.#ask({ type: "time_bank", ...this.named }))) this.banked = "";
  }

  /** @param {string} cards */
  #showCards(cards) {
    if (!this.state) return;
    const { epoch, hand } = this.state;
    this.#ask({ type: "show", table: this.table, epoch, hand, cards });
  }

  // What the keyboard may do; false leaves the key to the browser.
  /** @returns {Record<string, () => unknown>} */
  keys() {
    const { actions } = this;
    const presets = [1, 2, 3, 4, 5].map((number) => [
      `preset${number}`,
      () => actions.preset(number - 1),
    ]);
    return {
      ...Object.fromEntries(presets),
      fold: () => actions.press("fold"),
      call: () => actions.press("call"),
      confirm: () => actions.press("confirm"),
      raise: () => actions.focusAmount(),
      cancel: () => /** @type {HTMLElement | null} */ (document.activeElement)?.blur(),
      more: () => actions.nudge(1),
      less: () => actions.nudge(-1),
      bank: () => actions.hasBank && this.bank(),
      showdown: () => !this.showdown.node.hidden && this.showdown.next(),
      help: () =>
        /** @type {HTMLDialogElement | null} */ (
          document.getElementById("table-help")
        )?.showModal(),
    };
  }
}

// Cards folded before the showdown stay hidden (S-03).
/** @type {(seat: Seat, moment: Felt.Picture["moment"]) => boolean} */
const mayShow = (seat, moment) => seat.in_hand && !seat.folded && !moment.revealed;

/** @type {(state: TableState, seat: Seat | null, mine: boolean) => string} */
function statusWords(state, seat, mine) {
  if (state.closed || mine) return "";
  if (!seat) return gettext("You are watching. Hole cards stay hidden.");
  if (seat.dealt === false && !seat.in_hand) {
    return seat.absent
      ? gettext("You sit out: hands are dealt without you.")
      : gettext("You are not dealt in yet.");
  }
  if (seat.absent) return gettext("You are away: your hands are folded.");
  if (state.street && state.turn && !seat.in_hand) return gettext("You join with the next hand.");
  return "";
}
