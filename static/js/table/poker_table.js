// The element `<poker-table data-table data-user>`: a table to play at or, without a seat, to
// watch.

import { AllIn } from "../cards/all_in.js";
import { showdownOf } from "../cards/best_five.js";
import { fetchDrawings } from "../cards/faces.js";
import { now } from "../shared/clock.js";
import { attribute, el, keyed, place, show, text } from "../shared/dom.js";
import { blinds, chips, playsForMoney, unit } from "../shared/format.js";
import { gettext } from "../shared/i18n.js";
import { local } from "../shared/storage.js";
import { TableModel } from "../state/table_model.js";
import { bindKeys } from "./actions/keys.js";
import { Steady } from "./actions/steady.js";
import { ActionPanel } from "./actions/view.js";
import { Announcer, chancesWords } from "./felt/announcer.js";
import { cue } from "./felt/cues.js";
import { LogView } from "./felt/log_view.js";
import { flyPot } from "./felt/pot_flight.js";
import { SeatView } from "./felt/seat_view.js";
import { seating } from "./felt/seating.js";
import { StripView } from "./felt/strip_view.js";
import { FeltView } from "./felt/view.js";

const COMPACT_BELOW = 430;
const UPRIGHT = 0.9;
const IN_BLINDS = "room.in_blinds";

export class PokerTable extends HTMLElement {
  /** @type {TableModel} */ model;
  /** @type {LogView} */ log;
  /** @type {FeltView} */ felt;
  /** @type {StripView} */ strip;
  /** @type {ActionPanel} */ panel;
  /** @type {Steady} */ steady;
  /** @type {Announcer} */ told;
  /** @type {AllIn} */ allIn;
  /** @type {HTMLElement} */ area;
  /** @type {HTMLElement} */ notice;
  /** @type {HTMLElement} */ seats;
  /** @type {HTMLElement} */ unit;
  /** @type {Map<number, SeatView>} */ views;
  /** @type {ResizeObserver} */ sizes;
  /** @type {() => void} */ unbind;
  /** @type {() => void} */ turned;
  /** @type {(message: object) => Promise<any>} */ command;
  // What the page adds at the seats of others: the reader's notes, and a menu.
  /** @type {Map<number, import("../state/note_words.js").PlayerNote>} */ notes = new Map();
  /** @type {((seat: any) => void) | null} */ openSeat = null;
  number = 0;
  inBlinds = false;
  /** @type {Map<number, import("./felt/seat_face.js").Face>} */ faces = new Map();
  frame = 0;
  timer = 0;

  connectedCallback() {
    const { table, user } = this.dataset;
    this.number = Number(table);
    this.watching = !user;
    this.model = new TableModel(Number(user) || null);
    this.inBlinds = local.get(IN_BLINDS) === "1";
    this.views = new Map();
    this.#build();
    this.model.addEventListener("change", () => this.#schedule());
    this.model.addEventListener("happened", ({ detail }) => this.#happened(detail));
    this.model.addEventListener("snapshot", () => {
      if (this.model.state) this.log.recall(this.model.state);
      this.#tellTurn();
    });
    this.unbind = this.watching ? () => {} : bindKeys(this.panel.keys());
    this.sizes = new ResizeObserver(() => this.#schedule());
    this.sizes.observe(this.area);
    this.ticking = setInterval(() => this.#tick(), 1000);
    fetchDrawings();
    this.turned = () => this.#draw();
    document.addEventListener("visibilitychange", this.turned);
    this.dispatchEvent(new Event("built", { bubbles: true }));
  }

  disconnectedCallback() {
    this.unbind();
    this.sizes.disconnect();
    clearInterval(this.ticking);
    document.removeEventListener("visibilitychange", this.turned);
  }

  // The page gives the line: (message) -> promise of result or refused.
  /** @param {(message: object) => Promise<any>} command */
  set send(command) {
    this.command = command;
  }

  #build() {
    this.strip = new StripView();
    this.felt = new FeltView();
    this.log = new LogView();
    this.told = new Announcer();
    this.allIn = new AllIn(({ bySeat }) => {
      this.told.say(chancesWords(bySeat, this.model.state?.seats ?? []));
      this.#schedule();
    });
    this.panel = new ActionPanel(this.number, (message) => this.command(message));
    // Until the first state comes: the shape of a table.
    const ghosts = [...seating(6, 1, false, 1.7).values()].map(({ seat: { x, y } }) => {
      const ghost = el("span", { class: "ghost" });
      place(ghost, "--x", `${x}%`);
      place(ghost, "--y", `${y}%`);
      return ghost;
    });
    this.seats = el("div", { class: "seats" }, ...ghosts);
    this.notice = el("div", { class: "notice", role: "alert", hidden: true });
    this.area = el(
      "div",
      { class: "area" },
      el("div", { class: "felt", "aria-hidden": "true" }),
      this.felt.node,
      this.felt.bets,
      this.seats,
      this.notice,
      this.told.node,
    );
    attribute(this, "data-loading", true);
    attribute(this, "aria-busy", "true");
    this.unit = el("button", { type: "button", class: "plain", onclick: () => this.#unit() });
    const tools = [...this.panel.tools, this.unit];
    this.steady = new Steady(...tools);
    this.replaceChildren(
      this.strip.node,
      el("div", { class: "room" }, this.area, this.log.node),
      el("div", { class: "tools" }, this.log.last, ...tools),
      this.panel.node,
    );
  }

  // Words over the table that stay until others come; a button beside them when there is a way out.
  /**
   * @param {string} words
   * @param {string} button
   * @param {(() => void) | null} click
   */
  note(words, button = "", click = null) {
    const way = button
      ? el("button", { type: "button", class: "button gold", onclick: click }, button)
      : "";
    this.notice.replaceChildren(words, way);
    show(this.notice, Boolean(words));
  }

  // A hidden window is given no frames; a choice made in advance is sent from there all the same.
  #schedule() {
    if (this.frame || this.timer) return;
    if (document.hidden) this.timer = setTimeout(() => this.#draw(), 0);
    else this.frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    cancelAnimationFrame(this.frame);
    clearTimeout(this.timer);
    [this.frame, this.timer] = [0, 0];
    const { state, moment, field, disconnected, seat, stale } = this.model;
    if (!state) return;
    const { width, height } = this.area.getBoundingClientRect();
    const portrait = width < 620 && height > width * UPRIGHT;
    const compact = !portrait && (height < COMPACT_BELOW || width < 620);
    const bottom = seat?.seat ?? Math.ceil(state.seats_max / 2);
    const places = seating(state.seats_max, bottom, portrait, width / Math.max(1, height));
    this.places = places;
    const table = {
      state,
      moment,
      field,
      disconnected,
      portrait,
      compact,
      places,
      me: seat?.seat ?? null,
      inBlinds: this.inBlinds,
      showdown: showdownOf(state, moment),
      allIn: this.allIn.update(state, moment),
      notes: this.notes,
      faces: this.faces,
      openSeat: this.openSeat,
    };
    if (this.hasAttribute("data-loading")) this.seats.replaceChildren();
    attribute(this, "data-loading", false);
    attribute(this, "aria-busy", null);
    attribute(this, "data-portrait", portrait);
    attribute(this, "data-compact", compact);
    attribute(this, "data-stale", stale);
    attribute(this, "data-seatless", !seat);
    attribute(this, "data-seats", state.seats_max);
    this.strip.update(table);
    this.felt.update(table);
    keyed(
      this.seats,
      [...places.keys()].sort((a, b) => a - b),
      (key) => {
        const view = new SeatView(Number(key));
        this.views.set(Number(key), view);
        return view.node;
      },
    );
    for (const [number, { seat: spot }] of places) {
      const view = this.views.get(number);
      view?.at(spot);
      view?.update(
        state.seats.find((other) => other.seat === number),
        table,
      );
    }
    const around = [...this.views.values()].flatMap((view) => view.plates);
    this.felt.settle(this.area, around, [
      ...(this.views.get(seat?.seat ?? 0)?.hand.children ?? []),
    ]);
    attribute(this, "data-my-turn", this.panel.update(table, this.watching ? null : seat, stale));
    // One that comes or goes moves the others.
    this.steady.shows(this.panel.tools.map((tool) => tool.hidden).join());
    const unit = playsForMoney ? gettext("As money") : gettext("In chips");
    text(this.unit, this.inBlinds ? unit : gettext("In BB"));
    if (state.turn) this.#runClock();
  }

  /** @param {{event: Wire.TableEvent, before: Wire.TableSnapshot}} detail */
  #happened({ event, before }) {
    this.log.add(before, event);
    this.#tellTurn();
    if (event.type === "pot_awarded")
      for (const { seat, amount } of event.winners)
        flyPot(this.area, this.places?.get(seat)?.seat, this.#say(before, amount));
    cue(event, this.model.seat?.seat ?? null);
  }

  /** @type {(state: Wire.TableSnapshot, amount: number) => string} */
  #say({ stakes }, amount) {
    return this.inBlinds ? blinds(amount, unit(stakes)) : chips(amount);
  }

  #tellTurn() {
    if (this.model.state) this.told.hear(this.model.state, this.model.seat);
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

  #unit() {
    this.inBlinds = !this.inBlinds;
    local.set(IN_BLINDS, this.inBlinds ? "1" : "0");
    this.#schedule();
  }
}

customElements.define("poker-table", PokerTable);
