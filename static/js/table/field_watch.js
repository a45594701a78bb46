// The stream of the tournament around a table: keeps the field and passes on its events.

import { showsEnd } from "../everywhere/end_panel.js";
import { gettext } from "../shared/i18n.js";
import { tell, toast } from "../shared/toasts.js";
import { fieldAfter, fieldFrom, reachesMoney } from "../state/field.js";
import { fieldWords, whyWords } from "../state/words.js";

// A snapshot is shared for a second: one asked for later has the event in it that needs it. And
// all tables ask for it, so not all at once.
const FRESH_AFTER_MS = 1100;
const FRESH_SPREAD_MS = 900;
// The player hears of these in his own notices.
const PERSONAL = new Set(["paused", "resumed", "cancelled", "room_message"]);
// These say why.
const REASONED = new Set(["paused", "cancelled"]);
// Those who play hear of these, too; the rest is for the eye.
const HEARD = new Set([
  ...["hand_for_hand_began", "hand_for_hand_ended", "final_table"],
  ...["break_began", "time_up", "round_began"],
]);

/** @typedef {import("../state/field.js").Field} Field */

export class FieldWatch {
  /**
   * @param {import("../shared/socket.js").Line} line
   * @param {string} tournament
   * @param {import("../state/table_model.js").TableModel} model
   * @param {{happened(event: Wire.TournamentEvent): void,
   *   opened(state: Wire.TournamentSnapshot): void}} told first and last
   */
  constructor(line, tournament, model, { happened, opened }) {
    this.line = line;
    this.tournament = Number(tournament);
    this.stream = `tournament:${tournament}`;
    this.model = model;
    this.happened = happened;
    this.opened = opened;
    /** @type {number | undefined} */
    this.due = undefined;
  }

  follow() {
    clearTimeout(this.due);
    this.due = undefined;
    this.line.follow(this.stream, {
      snapshot: (state) => this.#snapshot(state),
      events: (events) => this.#events(events),
      ranked: (rank) => this.#ranked(rank),
    });
  }

  // Ask for the rank of a stack: the room answers from stacks that it read for all.
  /** @param {number} chips */
  askRank(chips) {
    this.line.say({ type: "ask_rank", stream: this.stream, chips });
  }

  // The seat may be gone meanwhile, and so is its rank.
  /** @param {Wire.StackRank} told */
  #ranked({ rank, average }) {
    const { field, seat } = this.model;
    if (field && seat) this.model.tell({ ...field, my_rank: rank, average_chips: average });
  }

  /** @param {Wire.TournamentSnapshot} state */
  #snapshot(state) {
    const { field } = this.model;
    const { my_rank = null, my_place = null } = field ?? {};
    const fresh = { ...fieldFrom(state), my_rank, my_place };
    this.#money(field, fresh);
    this.model.tell(fresh);
    this.opened(state);
  }

  /** @param {Wire.TournamentEvent[]} events */
  #events(events) {
    let { field } = this.model;
    for (const event of events) {
      this.happened(event);
      const after = fieldAfter(field, event);
      this.#news(field, event);
      if (after === null) this.#followLater();
      else {
        this.#money(field, after);
        field = after;
      }
    }
    if (field) this.model.tell(field);
  }

  #followLater() {
    const wait = FRESH_AFTER_MS + FRESH_SPREAD_MS * Math.random();
    this.due ??= setTimeout(() => this.follow(), wait);
  }

  /** @type {(before: Field | null, after: Field) => void} */
  #money(before, after) {
    if (!reachesMoney(before, after)) return;
    this.#say(gettext("In the money: everybody left wins a prize"), { kind: "good" });
  }

  /** @type {(field: Field | null, event: any) => void} */
  #news(field, event) {
    const { seat } = this.model;
    if (seat && PERSONAL.has(event.type)) return;
    // The screen at the end says it, over the middle of the page.
    if (event.type === "finished" && showsEnd(this)) return;
    if (event.type === "level_began" && field?.on_break) this.#say(gettext("The break is over"));
    const words = fieldWords(event);
    if (!words) return;
    if (HEARD.has(event.type)) this.#say(words);
    else toast({ title: words, words: REASONED.has(event.type) ? whyWords(event.reason) : "" });
  }

  /** @type {(title: string, extra?: {kind?: string}) => void} */
  #say(title, extra = {}) {
    if (this.model.seat) tell(title, "", extra);
    else toast({ title, ...extra });
  }
}
