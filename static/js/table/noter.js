// Notes of the hands of this browser's player: seal, call, own cards and the public course, as told.

import * as b from "../fair/bytes.js";
import { courseOf, FIELDS } from "../fair/course.js";
import { note } from "../fair/notes.js";
import { slowestTripMs } from "../shared/clock.js";
import { boundTo } from "./cutter.js";

const MARGIN_MS = 100;

/** @typedef {{seat: number, entry: number, session?: number | null}} OwnSeat */
/** @typedef {Wire.TableSnapshot} TableState */

// Own cards lie over the public stream: the course has them as all others were told them.
/** @type {(event: any, own: OwnSeat) => any} */
function asAllSaw(event, own) {
  if (event.type !== "hole_cards_dealt" || event.seat !== own.seat) return event;
  const down = event.cards.length - event.up;
  return {
    ...event,
    cards: event.cards.map((/** @type {string} */ card, /** @type {number} */ at) =>
      at < down ? "??" : card,
    ),
  };
}

export class Noter {
  /** @param {import("../shared/socket.js").Line} connection */
  constructor(connection) {
    this.connection = connection;
    /** @type {any[] | null} */
    this.events = null;
    /** @type {string[]} */
    this.hole = [];
    /** @type {{hand: number, seal: string, deal_ms: number, socket: any, waits: boolean} | null} */
    this.called = null;
  }

  // The course of a hand is noted only if all of it was heard.
  forget() {
    this.events = null;
    this.hole = [];
    this.called = null;
  }

  // A snapshot stands for events that were not heard.
  /** @type {(state: TableState, own: OwnSeat) => void} */
  shown(state, own) {
    this.forget();
    if (state.cutting) this.#called(state.cutting, state, own);
  }

  // An event, with the state that it came to.
  /** @type {(event: any, state: TableState, own: OwnSeat) => void} */
  heard(event, state, own) {
    if (event.type === "cut_called") this.#called(event, state, own);
    if (event.type === "deck_cut") this.#cut(event, state, own);
    if (event.type === "hand_voided") this.forget();
    if (!(event.type in FIELDS)) return;
    const isDrawn = this.events?.length === 1 && this.events[0].type === "button_drawn";
    if (event.type === "button_drawn" || (event.type === "hand_began" && !isDrawn))
      [this.events, this.hole] = [[], []];
    if (!this.events) return;
    const isOwn = event.type === "hole_cards_dealt" && event.seat === own.seat;
    if (isOwn) this.hole.push(...event.cards);
    this.events.push(asAllSaw(event, own));
    if (event.type === "hand_ended") this.#ended(event.hand, state);
  }

  /** @type {(hand: number, state: TableState) => {room: string, table: number, epoch: number, hand: number} | null} */
  #at(hand, { table, epoch }) {
    const room = this.connection.welcome?.room;
    return room ? { room, table, epoch, hand } : null;
  }

  /** @type {(called: Wire.CutCalled, state: TableState, own: OwnSeat) => void} */
  #called({ hand, seal, call, signature, deal_ms }, state, own) {
    const at = this.#at(hand, state);
    const waits = !state.seats.find(({ seat }) => seat === own.seat)?.absent;
    this.called = { hand, seal, deal_ms, socket: this.connection.socket, waits };
    if (at) note(at, { seal, call, signature, entry: boundTo(own) });
  }

  // A cut counts as sent in time only when no slow line can have held it up, and the room waited for
  // it: it deals without the seed of a player who is away, with no time to spare for its own work.
  /** @type {(cut: Wire.DeckCut, state: TableState, own: OwnSeat) => void} */
  #cut({ hand, cuts }, state, { seat }) {
    const [at, called, trip] = [this.#at(hand, state), this.called, slowestTripMs()];
    const [, , pledge] = cuts.find(([place]) => place === seat) ?? [];
    if (!at) return;
    note(at, ({ sent_ms, pledge: own }) => {
      if (!called || called.hand !== hand) return { in_time: false, pledge: pledge ? own : null };
      const stood = called.waits && called.socket === this.connection.socket;
      const isSure = stood && trip !== null && sent_ms + trip + MARGIN_MS <= called.deal_ms;
      return { in_time: Boolean(pledge && isSure), pledge: pledge ? own : null };
    });
  }

  /** @type {(hand: number, state: TableState) => Promise<void>} */
  async #ended(hand, state) {
    const [at, events, hole, called] = [this.#at(hand, state), this.events, this.hole, this.called];
    this.events = null;
    if (!at || !events || !called || called.hand !== hand) return;
    const { room, table, epoch } = at;
    const name = b.joined(b.bytesOf(room), b.u64(table), b.u64(epoch), b.u32(hand));
    const course = b.digits(await courseOf(events, name, b.bytesOf(called.seal)));
    note(at, { course, ...(hole.length ? { hole } : {}) });
  }
}
