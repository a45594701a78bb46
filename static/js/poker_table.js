// <poker-table data-table data-user>: a table on the screen, to play or, without a seat, to watch.

import { ActionBar } from "./action_bar.js";
import { cue } from "./cues.js";
import { now } from "./clock.js";
import { attribute, el, keyed, show, text } from "./dom.js";
import { FeltView } from "./felt_view.js";
import { gettext } from "./i18n.js";
import { bindKeys } from "./keys.js";
import { LogView } from "./log_view.js";
import { PreActions } from "./pre_actions.js";
import { refusalWords } from "./refusals.js";
import { SeatView } from "./seat_view.js";
import { seating } from "./seating.js";
import { StripView } from "./strip_view.js";
import { TableModel } from "./table_model.js";
import { toast } from "./toasts.js";

const IN_BLINDS = "room.in_blinds";

export class PokerTable extends HTMLElement {
  connectedCallback() {
    const { table, user } = this.dataset;
    this.number = Number(table);
    this.watching = !user;
    this.model = new TableModel(Number(user) || null);
    this.inBlinds = localStorage.getItem(IN_BLINDS) === "1";
    this.views = new Map();
    this.#build();
    this.model.addEventListener("change", () => this.#schedule());
    this.model.addEventListener("happened", ({ detail }) => this.#happened(detail));
    this.unbind = this.watching ? () => {} : bindKeys(this.#keys());
    this.sizes = new ResizeObserver(() => this.#schedule());
    this.sizes.observe(this.area);
    this.ticking = setInterval(() => this.#tick(), 1000);
    this.dispatchEvent(new Event("built", { bubbles: true }));
  }

  disconnectedCallback() {
    this.unbind();
    this.sizes.disconnect();
    clearInterval(this.ticking);
  }

  // The page gives the line: (message) -> promise of result or refused.
  set send(command) {
    this.command = command;
  }

  #build() {
    this.strip = new StripView();
    this.felt = new FeltView();
    this.log = new LogView();
    this.actions = new ActionBar((action, amount) => this.#act(action, amount), () => this.#bank());
    this.pre = new PreActions();
    this.seats = el("div", { class: "seats" });
    this.notice = el("div", { class: "notice", role: "alert", hidden: true });
    this.area = el("div", { class: "area" }, el("div", { class: "felt", "aria-hidden": "true" }),
      this.felt.node, this.felt.bets, this.seats, this.notice);
    this.away = el("button", { type: "button", class: "button gold away", onclick: () => this.#presence("come_back") }, gettext("I'm back"));
    this.leave = el("button", { type: "button", class: "plain", onclick: () => this.#presence("sit_out") }, gettext("Sit out"));
    this.unit = el("button", { type: "button", class: "plain", onclick: () => this.#unit() });
    this.showing = el("button", { type: "button", class: "button small", onclick: () => this.#showCards() }, gettext("Show my cards"));
    this.status = el("p", { class: "status", role: "status" });
    const tools = el("div", { class: "tools" }, this.log.last, this.actions.bank, this.showing, this.leave, this.unit);
    const desk = el("div", { class: "desk" }, this.status, this.away, this.pre.node, this.actions.node);
    this.replaceChildren(this.strip.node, el("div", { class: "room" }, this.area, this.log.node), tools, desk);
    show(this.leave, false);
  }

  // Words over the table that stay until others come; a button beside them when there is a way out.
  note(words, button = "", click = null) {
    const way = button ? el("button", { type: "button", class: "button gold", onclick: click }, button) : "";
    this.notice.replaceChildren(words, way);
    show(this.notice, Boolean(words));
  }

  #schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = null;
      this.#render();
    });
  }

  #render() {
    const { state, moment, field, seat, stale } = this.model;
    if (!state) return;
    const { width, height } = this.area.getBoundingClientRect();
    const portrait = width < 620;
    const bottom = seat?.seat ?? Math.ceil(state.seats_max / 2);
    const places = seating(state.seats_max, bottom, portrait, width / Math.max(1, height));
    const table = { state, moment, field, portrait, places, me: seat?.seat ?? null, inBlinds: this.inBlinds };
    attribute(this, "data-portrait", portrait);
    attribute(this, "data-stale", stale);
    attribute(this, "data-seatless", !seat);
    attribute(this, "data-seats", state.seats_max);
    this.strip.update(table);
    this.felt.update(table);
    keyed(this.seats, [...places.keys()].sort((a, b) => a - b), (key) => {
      const view = new SeatView(Number(key));
      this.views.set(Number(key), view);
      return view.node;
    });
    for (const [number, { seat: spot }] of places) {
      this.views.get(number).at(spot);
      this.views.get(number).update(state.seats.find((other) => other.seat === number), table);
    }
    this.#renderDesk(table, seat);
    if (state.turn) this.#runClock();
  }

  #renderDesk({ state, moment }, seat) {
    const mine = Boolean(seat && state.turn?.seat === seat.seat && !this.model.stale);
    const key = mine ? `${state.epoch}:${state.hand}:${state.turn.turn}` : null;
    const early = mine && key !== this.asked ? this.pre.take({ ...state.turn, hand: state.hand }) : null;
    if (mine) this.asked = key;
    this.actions.update(mine ? { key, option: state.turn.option, state, bank_ms: seat.bank_ms, on_bank: state.turn.on_bank } : null);
    if (early) this.actions.press(early === "fold" ? "fold" : "call");
    this.pre.update(state, this.model.stale ? null : seat);
    attribute(this, "data-my-turn", mine);
    show(this.away, Boolean(seat?.absent));
    show(this.leave, Boolean(seat && !seat.absent));
    const mayShow = Boolean(seat && moment.ended && seat.in_hand && seat.cards.length && !moment.made[seat.seat] && !moment.revealed);
    show(this.showing, mayShow);
    text(this.unit, this.inBlinds ? gettext("In chips") : gettext("In BB"));
    text(this.status, this.#statusWords(state, seat, mine));
    show(this.status, Boolean(this.status.textContent));
  }

  #statusWords(state, seat, mine) {
    if (state.closed || mine) return "";
    if (!seat) return gettext("You are watching. Hole cards stay hidden.");
    if (seat.absent) return gettext("You are away: your hands are folded.");
    if (state.street && state.turn && !seat.in_hand) return gettext("You join with the next hand.");
    return "";
  }

  #happened({ event, before }) {
    this.log.add(before, event);
    cue(event, this.model.seat?.seat ?? null);
  }

  #tick() {
    this.strip.tick();
    if (this.model.state?.waiting) this.#schedule();
  }

  #runClock() {
    if (this.running) return;
    const frame = () => {
      const { turn, moment } = this.model;
      if (!turn || !this.isConnected) {
        this.running = false;
        return;
      }
      this.views.get(turn.seat)?.clock(turn.deadline_ms - now(), moment.total_ms ?? 15_000);
      requestAnimationFrame(frame);
    };
    this.running = true;
    requestAnimationFrame(frame);
  }

  #named() {
    const { epoch, hand, turn } = this.model.state;
    return { table: this.number, epoch, hand, turn: turn?.turn ?? 0 };
  }

  async #act(action, amount) {
    const message = { type: "act", ...this.#named(), action };
    if (amount !== undefined) message.amount = amount;
    const answer = await this.command(message);
    if (answer.type !== "refused") return;
    toast({ title: gettext("Not possible"), words: refusalWords(answer), kind: "error" });
    this.actions.again();
  }

  async #ask(message) {
    const answer = await this.command(message);
    if (answer.type === "refused") toast({ title: gettext("Not possible"), words: refusalWords(answer), kind: "error" });
  }

  #bank() {
    return this.#ask({ type: "time_bank", ...this.#named() });
  }

  #presence(type) {
    return this.#ask({ type, table: this.number });
  }

  #showCards() {
    const { epoch, hand } = this.model.state;
    return this.#ask({ type: "show", table: this.number, epoch, hand, cards: "both" });
  }

  #unit() {
    this.inBlinds = !this.inBlinds;
    localStorage.setItem(IN_BLINDS, this.inBlinds ? "1" : "0");
    this.#schedule();
  }

  #keys() {
    const presets = Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`preset${n}`, () => this.actions.preset(n - 1)]));
    return {
      ...presets,
      fold: () => this.actions.press("fold"),
      call: () => this.actions.press("call"),
      confirm: () => this.actions.press("confirm"),
      raise: () => this.actions.focusAmount(),
      cancel: () => document.activeElement?.blur(),
      more: () => this.actions.nudge(1),
      less: () => this.actions.nudge(-1),
      bank: () => this.#bank(),
      help: () => document.getElementById("table-help")?.showModal(),
    };
  }
}

customElements.define("poker-table", PokerTable);
