// Fold, check or call, bet or raise: buttons, slider, typed amount and presets of one turn.

import { attribute, el, keyed, show, text } from "../../shared/dom.js";
import { amountFrom, chips, chipsTyped, playsForMoney } from "../../shared/format.js";
import { gettext, interpolate } from "../../shared/i18n.js";
import { clamp, isAllIn, presets, range, step } from "../../state/bet_sizes.js";
import { presetWords, withAllIn } from "../../state/words.js";

const SLIDER_STEPS = 1000;

/** @typedef {{min: number, max: number}} Limits */

// The slider's feel: fine near the minimum, coarse near the stack.
/** @type {(position: number, limits: Limits) => number} */
const toAmount = (position, { min, max }) =>
  position >= SLIDER_STEPS ? max : min + (max - min) * (position / SLIDER_STEPS) ** 2;
/** @type {(amount: number, limits: Limits) => number} */
const toPosition = (amount, { min, max }) =>
  max === min ? SLIDER_STEPS : Math.round(SLIDER_STEPS * Math.sqrt((amount - min) / (max - min)));
/** @type {(amount: number, coin: number) => number} */
const inSteps = (amount, coin) => Math.round(amount / coin) * coin;

/**
 * @typedef {{key: string, option: Wire.Option, state: Wire.TableSnapshot, stack: number,
 *   bank_ms: number, on_bank: boolean}} ShownTurn a new key starts afresh
 */

export class ActionBar {
  /**
   * @param {(action: string, amount?: number) => void} act called at most once per turn
   * @param {() => void} timeBank
   */
  constructor(act, timeBank) {
    this.act = act;
    /** @type {string | null} */
    this.key = null;
    /** @type {number | null} */
    this.amount = null;
    /** @type {Wire.Option | null} */
    this.option = null;
    /** @type {Wire.TableSnapshot | null} */
    this.state = null;
    /** @type {{key: string, to: number}[]} */
    this.choices = [];
    this.step = 1;
    this.sent = false;
    this.letters = false;
    this.fold = this.#button("fold", () => this.#do("fold"));
    this.call = this.#button("call", () => this.#do(this.option?.check ? "check" : "call"));
    this.raise = this.#button("raise", () => this.confirm());
    this.bank = el(
      "button",
      { class: "plain bank", type: "button", onclick: timeBank },
      gettext("Time bank"),
      el("kbd", {}, "T"),
    );
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: SLIDER_STEPS,
      step: 1,
      "aria-label": gettext("Amount"),
      oninput: () => this.#slid(),
    });
    this.box = el("input", {
      type: "text",
      inputmode: playsForMoney ? "decimal" : "numeric",
      autocomplete: "off",
      class: "amount",
      "aria-label": playsForMoney ? gettext("Amount") : gettext("Amount in chips"),
      onbeforeinput: (event) => this.#refuse(event),
      oninput: () => this.#typed(),
      // What is not allowed stays, with its hint: made legal here, the press on Raise would send it.
      onblur: () => {
        this.letters = false;
        if (this.amount !== null) this.set(this.amount);
      },
    });
    this.less = el(
      "button",
      {
        type: "button",
        class: "step",
        "aria-label": gettext("Less"),
        onclick: () => this.nudge(-1),
      },
      "−",
    );
    this.more = el(
      "button",
      {
        type: "button",
        class: "step",
        "aria-label": gettext("More"),
        onclick: () => this.nudge(1),
      },
      "+",
    );
    this.presets = el("div", {
      class: "presets",
      role: "group",
      "aria-label": gettext("Bet-size presets"),
    });
    this.hint = el("span", { class: "hint", role: "status" });
    this.sizing = el(
      "div",
      { class: "sizing" },
      this.presets,
      el("div", { class: "dial" }, this.less, this.slider, this.more, this.box),
      this.hint,
    );
    this.node = el(
      "div",
      { class: "action-bar", role: "group", "aria-label": gettext("Your turn") },
      this.sizing,
      el("div", { class: "verbs" }, this.fold, this.call, this.raise),
    );
  }

  /** @type {(kind: "fold" | "call" | "raise", click: () => void) => HTMLButtonElement & {words: HTMLElement, sum: HTMLElement}} */
  #button(kind, click) {
    const button = el("button", { type: "button", class: `verb ${kind}`, onclick: click });
    const parts = { words: el("span", { class: "words" }), sum: el("span", { class: "sum" }) };
    button.append(
      el("kbd", { "aria-hidden": "true" }, { fold: "F", call: "C", raise: "R" }[kind]),
      parts.words,
      parts.sum,
    );
    return Object.assign(button, parts);
  }

  get limits() {
    return this.option ? range(this.option) : null;
  }

  // Whether the turn on the screen offers its time bank: not without one, nor while it runs.
  get hasBank() {
    return this.option !== null && !this.bank.hidden;
  }

  // Show the turn {key, option, state, stack, bank_ms, on_bank}; a new key starts afresh. Null hides: a
  // turn that comes back after a break of the line finds its amount as it was typed. What has the
  // focus stays while the turn `waits` for the line: lost to the page, the next digit or Enter
  // would be a key of the game.
  /** @type {(turn: ShownTurn | null, waits?: boolean) => void} */
  update(turn, waits = false) {
    const { activeElement } = document;
    const holds = waits && this.node.contains(activeElement);
    show(this.node, Boolean(turn) || holds);
    attribute(this.node, "data-waits", holds);
    const hasBank = turn ? turn.bank_ms > 0 && !turn.on_bank : waits && activeElement === this.bank;
    show(this.bank, hasBank);
    if (!turn) {
      this.option = null;
      return;
    }
    const fresh = turn.key !== this.key;
    const returns = !fresh && this.option === null;
    this.key = turn.key;
    this.option = turn.option;
    this.state = turn.state;
    this.step = step(turn.state);
    if (fresh) this.#begin();
    const { option } = turn;
    const { limits } = this;
    text(this.fold.words, gettext("Fold"));
    const opens = option.fold === false;
    show(this.fold, !opens);
    const calls = opens ? gettext("Bring in") : gettext("Call");
    const isLast = option.call === turn.stack;
    text(this.call.words, option.check ? gettext("Check") : withAllIn(calls, isLast));
    text(this.call.sum, option.check ? "" : chips(option.call ?? 0));
    show(this.raise, Boolean(limits));
    show(this.sizing, limits !== null && limits.max > limits.min);
    if (returns) this.#typed();
    this.#paint();
  }

  #begin() {
    this.sent = false;
    const limits = this.limits;
    this.amount = limits ? limits.min : null;
    if (!limits) return;
    this.box.value = chipsTyped(limits.min);
    this.slider.value = "0";
    const choices = this.state && this.option ? presets(this.state, this.option) : [];
    this.choices = choices;
    keyed(
      this.presets,
      choices.map(({ key }) => `${this.key}:${key}`),
      () => el("button", { type: "button", class: "preset" }),
    );
    choices.forEach(({ key, to }, index) => {
      const button = /** @type {HTMLButtonElement} */ (this.presets.children[index]);
      button.replaceChildren(presetWords(key));
      button.title = `${chips(to)} (${index + 1})`;
      button.onclick = () => this.preset(index);
    });
  }

  // True when there was an amount to set, as for all that keys may do here.
  /** @param {number} index */
  preset(index) {
    const choice = this.choices[index];
    if (!choice || !this.limits) return false;
    this.set(choice.to);
    return true;
  }

  /** @param {number} steps */
  nudge(steps) {
    if (!this.limits) return false;
    this.set((this.amount ?? this.limits.min) + steps * this.step);
    return true;
  }

  /** @param {number} amount */
  set(amount, from = "") {
    if (!this.limits) return;
    this.amount = clamp(amount, this.limits);
    this.box.value = chipsTyped(this.amount);
    if (from !== "slider") this.slider.value = String(toPosition(this.amount, this.limits));
    this.#paint();
  }

  #slid() {
    const limits = this.limits;
    if (!limits) return;
    const amount = toAmount(Number(this.slider.value), limits);
    // Nobody bets single cents: money moves in small blinds, but for the ends of the range.
    const coin = playsForMoney ? this.state?.stakes.small_blind || 1 : 1;
    this.set(amount > limits.min && amount < limits.max ? inSteps(amount, coin) : amount, "slider");
  }

  // Letters are no part of an amount, nor keys of the game as long as the box has the focus.
  /** @param {InputEvent} event */
  #refuse(event) {
    if (!/[^\d\s.,'_]/.test(event.data ?? "")) return;
    event.preventDefault();
    this.letters = true;
    this.#paint();
  }

  #typed() {
    this.letters = false;
    const typed = amountFrom(this.box.value);
    const limits = this.limits;
    if (!limits) return;
    this.amount = typed !== null && typed >= limits.min && typed <= limits.max ? typed : null;
    if (this.amount !== null) this.slider.value = String(toPosition(this.amount, limits));
    this.#paint();
  }

  #paint() {
    const limits = this.limits;
    for (const button of [this.fold, this.call]) button.disabled = this.sent;
    if (!limits) return;
    const legal = this.amount !== null;
    const words = limits.action === "bet" ? gettext("Bet") : gettext("Raise to");
    const { amount } = this;
    const isLast = amount !== null && this.state !== null && isAllIn(this.state, amount);
    text(this.raise.words, isLast ? gettext("All-in") : words);
    text(this.raise.sum, amount === null ? "–" : chips(amount));
    this.raise.disabled = this.sent || !legal;
    attribute(this.box, "aria-invalid", legal ? null : "true");
    attribute(this.slider, "aria-valuetext", amount === null ? null : chips(amount));
    text(this.hint, this.#hintWords(legal, limits));
    this.choices.forEach(({ to }, index) =>
      attribute(this.presets.children[index], "aria-pressed", String(to === this.amount)),
    );
  }

  /** @type {(legal: boolean, limits: Limits) => string} */
  #hintWords(legal, { min, max }) {
    if (this.letters)
      return gettext("Digits only. Esc leaves the amount; then the keys play again.");
    const facts = { min: chips(min), max: chips(max) };
    return legal ? "" : interpolate(gettext("From %(min)s to %(max)s"), facts);
  }

  focusAmount() {
    if (this.limits && !this.sizing.hidden) this.box.select();
    this.box.focus();
  }

  confirm() {
    if (!this.limits || this.amount === null) return;
    this.#do(this.limits.action, this.amount);
  }

  // The keys of the bar: "fold", "call", "confirm"; true when one was meant for it.
  /** @param {string} key */
  press(key) {
    if (!this.option || this.sent) return false;
    if (key === "fold" && this.option.fold !== false) this.#do("fold");
    if (key === "call") this.#do(this.option.check ? "check" : "call");
    if (key === "confirm") this.confirm();
    return true;
  }

  /** @type {(action: string, amount?: number) => void} */
  #do(action, amount) {
    if (this.sent || !this.option) return;
    this.sent = true;
    this.#paint();
    this.act(action, amount);
  }

  // The command was refused: the player may choose again, while that turn is still his.
  /** @param {string | null} key */
  again(key) {
    if (key !== this.key) return;
    this.sent = false;
    this.#paint();
  }
}
