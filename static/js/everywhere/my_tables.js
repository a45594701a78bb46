// The strip of the player's tables on every page: tournament, clock and whose turn it is.

import { attribute, el, keyed, show, text } from "../shared/dom.js";
import { gettext, interpolate } from "../shared/i18n.js";
import { titleTurn } from "../shared/page_title.js";
import { toast } from "../shared/toasts.js";
import { TableModel } from "../state/table_model.js";
import { waitingWords } from "../state/words.js";
import { soundTurnOnce } from "./turn_sound.js";

// What the connection says while the room answers.
const ANSWERS = new Set(["open", "answers"]);
// Where the space bar is a key of the page itself: a question, and a replay, which it plays.
const OWN_SPACE = "dialog[open], poker-table[data-replay]:not([data-featured])";
const TYPED = "textarea, select, button, summary, [contenteditable], input:not([type=range])";

/** @typedef {import("../shared/socket.js").Line} Line */

/**
 * A seat of the player, with the names of its tournament and its table.
 * @typedef {{tournament: number, name: string, table: number, number: number}} Place
 */

/** @type {(table: number) => string} */
const address = (table) => `/tables/${table}/`;
/** @type {(seat: Place) => string} */
const placeWords = ({ name, number }) =>
  interpolate(gettext("%(name)s, table %(number)s"), { name, number });

// One table of the player that this page does not show, followed without taking it over.
class OwnTable {
  /** @type {HTMLElement | null} */
  notice = null;
  /** @type {string | null} */
  told = null;

  /**
   * @param {Place} seat
   * @param {Line} line
   * @param {number} user
   * @param {() => void} changed
   */
  constructor(seat, line, user, changed) {
    this.seat = seat;
    this.line = line;
    this.stream = `table:${seat.table}`;
    this.model = new TableModel(user);
    this.seated = false;
    this.model.addEventListener("change", changed);
    line.follow(
      this.stream,
      {
        snapshot: (state) => this.model.snapshot(state),
        events: (events) => {
          this.model.stale = false;
          this.model.events(events);
        },
        disconnected: (entries) => this.model.lines(entries),
        refused: () => {
          this.seated = true;
          changed();
        },
      },
      { watch: true },
    );
  }

  // The seat is gone, after it had been seen: the player is out, moved, or the table is closed.
  get isOver() {
    const { state, seat } = this.model;
    this.seated ||= Boolean(seat);
    return this.seated && (!seat || Boolean(state?.closed));
  }

  // What was the own turn when the connection was lost may be over.
  get turn() {
    const { turn, seat, stale } = this.model;
    return !stale && turn && seat && turn.seat === seat.seat ? turn : null;
  }

  /** @param {boolean} isStale whether the room does not answer */
  set stale(isStale) {
    this.model.stale = isStale;
  }

  get turnKey() {
    const { state } = this.model;
    if (!state) return "";
    return `${this.seat.table}:${state.epoch}:${state.hand}:${this.turn?.turn}`;
  }

  // Whose turn it is, or what the table waits for.
  get words() {
    const { state, seat, turn, disconnected } = this.model;
    if (!state) return "";
    if (this.turn) return gettext("Your turn");
    if (seat?.absent) return gettext("away");
    if (seat && disconnected.has(seat.entry)) return gettext("open in no window");
    if (turn && turn.seat !== seat?.seat)
      return state.seats.find((other) => other.seat === turn.seat)?.name ?? "";
    return state.waiting ? waitingWords(state.waiting) : "";
  }

  // Told once, for as long as the turn lasts.
  tell() {
    const key = this.turn && this.turnKey;
    if (this.told === key) return;
    this.hush();
    this.told = key;
    if (!key) return;
    titleTurn(this.seat.table, `${gettext("Your turn")}: ${placeWords(this.seat)}`);
    soundTurnOnce(key);
    this.notice = toast({
      title: gettext("Your turn"),
      words: placeWords(this.seat),
      kind: "turn",
      link: { href: address(this.seat.table), words: gettext("To my table") },
      stays: 0,
    });
  }

  hush() {
    this.notice?.remove();
    this.notice = null;
    titleTurn(this.seat.table, "");
  }

  leave() {
    this.hush();
    this.line.leave(this.stream);
  }
}

// The table that this page shows: it tells of itself.
class ShownTable {
  isOver = false;
  stale = false;
  words = "";
  /** @type {Wire.TurnSnapshot | null} */
  turn = null;

  /** @param {Place} seat */
  constructor(seat) {
    this.seat = seat;
  }

  tell() {}

  leave() {}
}

/** @typedef {HTMLElement & {place: HTMLElement, says: HTMLElement, clock: HTMLElement}} Item */

export class MyTables {
  /**
   * @param {Line} line
   * @param {string} user
   * @param {number} here the table that the page itself shows, 0 for none
   */
  constructor(line, user, here) {
    this.line = line;
    this.user = Number(user);
    this.here = here;
    /** @type {Map<number, OwnTable | ShownTable>} */
    this.tables = new Map();
    this.node = document.getElementById("my-tables");
    line.addEventListener("line", ({ detail }) => this.#heard(detail.state));
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  // All seats of the player, as a snapshot of his stream says.
  /** @param {Place[]} seats */
  know(seats) {
    const wanted = new Set(seats.map((seat) => seat.table));
    for (const table of this.tables.keys()) if (!wanted.has(table)) this.#remove(table);
    for (const seat of seats) this.#add(seat);
    this.#draw();
  }

  /** @param {Wire.UserEvent} event */
  hear(event) {
    if (event.type === "seated") this.#add(event);
    if (event.type === "moved") this.#add({ ...event, table: event.to_table });
    this.#draw();
  }

  // A table of a connection that is open again is stale until its events come.
  /** @param {string} state of the connection */
  #heard(state) {
    const answers = ANSWERS.has(state);
    if (this.node) attribute(this.node, "data-stale", !answers);
    if (state !== "open") for (const own of this.tables.values()) own.stale = !answers;
    this.#draw();
  }

  /** @param {Place} seat */
  #add(seat) {
    if (this.tables.has(seat.table)) return;
    const own =
      seat.table === this.here
        ? new ShownTable(seat)
        : new OwnTable(seat, this.line, this.user, () => this.#draw());
    this.tables.set(seat.table, own);
  }

  /** @param {number} table */
  #remove(table) {
    this.tables.get(table)?.leave();
    this.tables.delete(table);
  }

  #draw() {
    for (const [table, own] of [...this.tables]) if (own.isOver) this.#remove(table);
    for (const own of this.tables.values()) own.tell();
    if (!this.node) return;
    const inOrder = [...this.tables.values()].sort(
      (a, b) => a.seat.tournament - b.seat.tournament || a.seat.number - b.seat.number,
    );
    show(
      this.node,
      inOrder.some((own) => own.seat.table !== this.here),
    );
    keyed(
      this.node,
      inOrder.map((own) => own.seat.table),
      (table) => this.#item(Number(table)),
    );
    const items = /** @type {Item[]} */ ([...this.node.children]);
    inOrder.forEach((own, index) => this.#update(items[index], own));
  }

  /** @type {(table: number) => Item} */
  #item(table) {
    const current = table === this.here && "page";
    const item = Object.assign(
      el("a", { class: "my-table", href: address(table), "aria-current": current }),
      {
        place: el("b"),
        says: el("span", { class: "says" }),
        clock: el("span", { class: "clock" }),
      },
    );
    item.append(item.place, " ", item.says, " ", item.clock);
    return item;
  }

  /** @type {(item: Item, own: OwnTable | ShownTable) => void} */
  #update(item, own) {
    text(item.place, placeWords(own.seat));
    text(item.says, own.words);
    const comes = Boolean(own.turn) && !("turn" in item.dataset);
    attribute(item, "data-turn", Boolean(own.turn));
    if (comes) this.#pan(item);
    const deadline = own instanceof OwnTable ? own.model.turn?.deadline_ms : undefined;
    attribute(item.clock, "data-countdown", deadline ?? null);
    if (!deadline) text(item.clock, "");
  }

  // The strip alone: a page that is read further down stays where it is.
  /** @param {Item} item */
  #pan(item) {
    const strip = /** @type {HTMLElement} */ (this.node);
    const [one, all] = [item.getBoundingClientRect(), strip.getBoundingClientRect()];
    strip.scrollLeft += Math.min(0, one.left - all.left) + Math.max(0, one.right - all.right);
  }

  // The space bar goes to the table whose clock ends first of those that wait for the player.
  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.key !== " " || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {Element} */ (event.target);
    if (target.closest(TYPED) || document.querySelector(OWN_SPACE)) return;
    const waiting = [...this.tables.values()].flatMap(({ seat, turn }) =>
      turn ? [{ table: seat.table, until: turn.deadline_ms }] : [],
    );
    waiting.sort((a, b) => a.until - b.until);
    if (!waiting.length) return;
    event.preventDefault();
    location.assign(address(waiting[0].table));
  }
}
