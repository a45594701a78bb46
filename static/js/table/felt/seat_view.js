// One seat at the table: name, chips, cards, clock ring, and what the player just did.

import { cardSigns, layCards, markFive } from "../../cards/faces.js";
import { strength } from "../../cards/hand_strength.js";
import { kickerWords, lowWords, madeWords } from "../../cards/hand_words.js";
import { attribute, el, place, show, text } from "../../shared/dom.js";
import { blinds, chips, decimal, money, playsForMoney, unit } from "../../shared/format.js";
import { gettext, interpolate } from "../../shared/i18n.js";
import { headOf } from "../../state/field.js";
import { noteWords } from "../../state/note_words.js";
import { actionWords, postKind } from "../../state/words.js";
import { faceWords, SeatFace } from "./seat_face.js";

const SVG = "http://www.w3.org/2000/svg";
// In stud the first two cards and the seventh are dealt face down.
const DOWN_FIRST = 2;
const UP_LAST = 6;
/** @type {Set<string>} */
const NONE = new Set();

/** @typedef {Wire.SeatSnapshot} Seat */

// No line: the waves of a network, struck out.
function brokenLine() {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", "M1.5 6.5a9.5 9.5 0 0 1 13 0M4.5 9.8a5 5 0 0 1 7 0M8 13v.01M2.5 2l11 12");
  svg.append(path);
  return svg;
}

export class SeatView {
  /** @param {number} number */
  constructor(number) {
    this.number = number;
    /** @type {(() => void) | null} */
    this.open = null;
    /** The cards for which `held` was reckoned. */
    this.heldFor = "";
    this.held = "";
    this.hand = el("div", { class: "hand" });
    this.name = el("b", { class: "name" });
    this.broken = el("span", { class: "broken", title: gettext("Disconnected") }, brokenLine());
    this.stack = el("span", { class: "stack" });
    this.head = el("span", { class: "head" });
    this.tag = el("span", { class: "tag" });
    this.gain = el("span", { class: "gain" });
    this.chance = el("span", { class: "chance", "aria-hidden": "true" });
    this.dealer = el("span", { class: "dealer", title: gettext("Dealer button") }, "D");
    this.mark = el("span", { class: "note-mark", "aria-hidden": "true" });
    // Over the whole plate: a finger finds it.
    this.menu = el("button", { type: "button", class: "seat-open", onclick: () => this.open?.() });
    this.face = new SeatFace();
    this.pod = el(
      "div",
      { class: "pod" },
      this.face.avatar,
      el(
        "div",
        { class: "who" },
        this.name,
        el("span", { class: "worth" }, this.stack, this.face.flag, this.face.bot),
        this.head,
      ),
      this.tag,
      this.dealer,
      this.broken,
      this.mark,
      this.menu,
    );
    this.free = el("span", { class: "free", "aria-hidden": "true" });
    // The room waits for the lost connection of this seat, which is to act.
    this.lost = false;
    this.node = el(
      "div",
      { class: "seat", role: "group" },
      this.hand,
      this.pod,
      this.gain,
      this.chance,
      this.free,
    );
  }

  /** @param {Felt.Spot} spot */
  at(spot) {
    place(this.node, "--x", `${spot.x}%`);
    place(this.node, "--y", `${spot.y}%`);
    attribute(this.node, "data-side", spot.x < 35 ? "left" : spot.x > 65 ? "right" : "middle");
    attribute(this.node, "data-half", spot.y < 40 ? "top" : "bottom");
    attribute(this.node, "data-low", spot.y > 72);
  }

  // What no bet is to lie on.
  get plates() {
    return [this.pod, this.tag, ...this.hand.children];
  }

  /** @type {(seat: Seat | undefined, table: Felt.Picture) => void} */
  update(seat, table) {
    show(this.pod, Boolean(seat));
    show(this.free, !seat);
    attribute(this.node, "data-free", !seat);
    if (!seat) {
      this.hand.replaceChildren();
      show(this.gain, false);
      show(this.chance, false);
      attribute(
        this.node,
        "aria-label",
        interpolate(gettext("Seat %(seat)s is free"), { seat: this.number }),
      );
      for (const name of ["data-turn", "data-folded", "data-won", "data-me"])
        attribute(this.node, name, false);
      return;
    }
    const { state, moment, me } = table;
    const turn = state.turn?.seat === this.number;
    const won = moment.won[this.number];
    attribute(this.node, "data-turn", turn);
    attribute(this.node, "data-me", me === this.number);
    attribute(this.node, "data-folded", seat.folded && !moment.ended);
    attribute(this.node, "data-won", Boolean(won));
    attribute(this.node, "data-absent", seat.absent);
    attribute(this.node, "data-waiting", seat.dealt === false && !seat.in_hand);
    attribute(this.node, "data-bank", turn && Boolean(state.turn?.on_bank));
    this.lost = Boolean(turn && state.turn?.disconnected);
    attribute(this.node, "data-lost", this.lost);
    text(this.name, seat.name);
    attribute(this.name, "title", seat.name);
    /** @type {(amount: number) => string} */
    const say = (amount) => (table.inBlinds ? blinds(amount, unit(state.stakes)) : chips(amount));
    text(this.stack, say(seat.chips));
    // Who folded in a rapid pool is in the next hand at another table.
    const isElsewhere = seat.session && (seat.folded || moment.ended);
    const gone = me !== this.number && !isElsewhere && table.disconnected.has(seat.entry);
    show(this.broken, gone);
    const head = headOf(table.field, seat.entry);
    const bounty = head ? interpolate(gettext("Bounty %(amount)s"), { amount: money(head) }) : "";
    text(this.head, head ? `◎ ${money(head)}` : "");
    attribute(this.head, "title", bounty);
    show(this.head, Boolean(head));
    show(this.dealer, state.button === this.number);
    this.#offers(seat, table);
    const face = table.faces.get(seat.user);
    this.face.update(seat, face);
    this.#cards(seat, table);
    const odds = this.#odds(table);
    const tag = this.#words(seat, table);
    text(this.tag, tag.words);
    attribute(this.tag, "data-kind", tag.kind);
    show(this.tag, Boolean(tag.words));
    text(this.gain, won ? `+${say(won)}` : "");
    show(this.gain, Boolean(won));
    attribute(
      this.node,
      "aria-label",
      [
        seat.name,
        interpolate(gettext("seat %(seat)s"), { seat: this.number }),
        playsForMoney
          ? chips(seat.chips)
          : interpolate(gettext("%(amount)s chips"), { amount: chips(seat.chips) }),
        seat.bet ? interpolate(gettext("bet %(amount)s"), { amount: chips(seat.bet) }) : "",
        bounty,
        faceWords(face),
        tag.words,
        odds,
        gone ? gettext("disconnected") : "",
        turn ? (me === this.number ? gettext("your turn") : gettext("to act")) : "",
      ]
        .filter(Boolean)
        .join(", "),
    );
  }

  // The menu of another player, where the page has one, and the mark of the reader's own note.
  /** @type {(seat: Seat, table: Felt.Picture) => void} */
  #offers(seat, { notes, openSeat, me }) {
    const note = notes?.get(seat.user);
    const offered = Boolean(openSeat) && me !== this.number;
    this.open = () => openSeat?.(seat);
    show(this.menu, offered);
    const named = interpolate(gettext("Menu of %(name)s"), { name: seat.name });
    const words = noteWords(note);
    const noted = words
      ? `${named}, ${interpolate(gettext("note: %(note)s"), { note: words })}`
      : "";
    attribute(this.menu, "aria-label", noted || named);
    attribute(this.menu, "title", words || null);
    attribute(this.mark, "data-colour", note?.colour ?? null);
    show(this.mark, offered && Boolean(note));
  }

  // The chance of this hand in an all-in, in words; "" without one.
  /** @param {Felt.Picture} table */
  #odds({ allIn }) {
    const part = allIn?.bySeat[this.number];
    show(this.chance, part !== undefined);
    if (!allIn || part === undefined) return "";
    const percent = Math.round(part * 100);
    text(this.chance, `${percent} %`);
    const margin = interpolate(gettext("a sample, ± %(points)s points"), {
      points: decimal(allIn.margin * 100),
    });
    attribute(this.chance, "title", allIn.margin ? margin : gettext("of the main pot"));
    return interpolate(gettext("%(percent)s percent to win"), { percent });
  }

  /** @type {(seat: Seat, table: Felt.Picture) => void} */
  #cards(seat, { me, moment, portrait, state, showdown }) {
    const mine = me === this.number;
    // In the hand the drawn card is named in words: here it would pass for a hole card.
    const drawn = seat.in_hand ? undefined : moment.drawn[this.number];
    const open = seat.cards.some((card) => card !== "??");
    const cards = drawn ? [drawn] : seat.in_hand && (!seat.folded || mine) ? seat.cards : [];
    layCards(this.hand, moment.mucked[this.number] && !mine ? [] : cards, {
      small: portrait && !mine,
    });
    attribute(this.hand, "data-open", open || Boolean(drawn));
    const shown = open && !drawn && (moment.revealed || Boolean(moment.made[this.number]));
    attribute(this.hand, "data-shown", shown && !seat.folded);
    markFive(this.hand, showdown.cards.size ? (showdown.bySeat[this.number] ?? NONE) : NONE);
    const beaten = shown && showdown.cards.size > 0 && !showdown.bySeat[this.number];
    attribute(this.hand, "data-beaten", beaten);
    attribute(this.hand, "data-many", cards.length > 2 ? String(cards.length) : null);
    const faceUp = state.variant?.startsWith("stud") ?? false;
    [...this.hand.children].forEach((card, index) =>
      attribute(card, "data-up", faceUp && !drawn && index >= DOWN_FIRST && index < UP_LAST),
    );
  }

  /** @type {(seat: Seat, table: Felt.Picture) => {words: string, kind: string}} */
  #words(seat, { state, moment, me, showdown }) {
    const made = moment.made[this.number];
    const action = moment.actions[this.number];
    if (made) {
      const high = kickerWords(madeWords(made), showdown.kickers[this.number]);
      const words = [high, lowWords(moment.low[this.number])].filter(Boolean);
      return { words: words.join(" · "), kind: "made" };
    }
    const drawn = moment.drawn[this.number];
    if (drawn && !seat.in_hand) return { words: "", kind: "" };
    if (seat.all_in && !moment.ended) return { words: gettext("All-in"), kind: "all_in" };
    if (this.lost) return { words: gettext("Connection lost"), kind: "lost" };
    if (drawn) {
      const words = interpolate(gettext("Drew %(card)s"), { card: cardSigns(drawn) });
      return { words, kind: "drawn" };
    }
    if (seat.absent) return { words: gettext("Away"), kind: "absent" };
    if (seat.dealt === false && !seat.in_hand) return { words: gettext("Waits"), kind: "waiting" };
    const held = me === this.number && !seat.folded && !moment.ended ? this.#held(seat, state) : "";
    if (held && (!action || state.turn?.seat === me)) return { words: held, kind: "held" };
    if (action) {
      const kind = postKind(state, { seat: this.number, kind: action.kind });
      return { words: actionWords({ ...action, kind }), kind };
    }
    return { words: "", kind: "" };
  }

  // What its own player holds so far, reckoned anew when a card came.
  /** @type {(seat: Seat, state: Wire.TableSnapshot) => string} */
  #held(seat, { variant, board }) {
    if (!seat.in_hand || !variant) return "";
    const key = [variant, ...seat.cards, ...board].join();
    if (this.heldFor !== key) {
      this.heldFor = key;
      this.held = madeWords(strength(variant, seat.cards, board));
    }
    return this.held;
  }

  // `left` of `total` ms; called on every frame while this seat is asked.
  /** @type {(left: number, total: number) => void} */
  clock(left, total) {
    this.face.clock(left, total, this.lost);
  }
}
