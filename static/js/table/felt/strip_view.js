// The row above the table: level, blinds, time left, my rank or final place, the field.

import { now } from "../../shared/clock.js";
import { el, show, text } from "../../shared/dom.js";
import { bets, chips, duration, forcedBets, ordinal, playsForMoney } from "../../shared/format.js";
import { gettext, interpolate, ngettext } from "../../shared/i18n.js";
import { gameWords } from "../../state/words.js";

/** @type {(label: string) => HTMLElement & {label: HTMLElement, say(words: string): void}} */
function fact(label) {
  const name = el("span", { class: "label" }, label);
  const value = el("b");
  const node = el("span", { class: "fact" }, name, value);
  /** @type {(words: string) => void} */
  const say = (words) => {
    show(node, Boolean(words));
    text(value, words);
  };
  return Object.assign(node, { label: name, say });
}

// What is left of a level or break. One by hands ends with the table that has played most, whose
// hands the room tells; the clock may stand meanwhile, hand for hand.
/** @type {(field: Pick<Field, "hands_left" | "tables" | "level_ends_ms" | "paused">) => string} */
export function levelLeft({ hands_left: hands, tables, level_ends_ms: endsMs, paused }) {
  if (hands) {
    const words =
      tables > 1
        ? ngettext("at most %(hands)s hand", "at most %(hands)s hands", hands)
        : ngettext("%(hands)s hand", "%(hands)s hands", hands);
    return interpolate(words, { hands });
  }
  if (paused) return gettext("stopped");
  return endsMs ? duration(endsMs - now()) : "";
}

// The place of a player in a tournament that is over tells how many there were.
/** @type {(field: Field) => boolean} */
const placed = ({ over, my_place: place }) => Boolean(over && place);

// The end makes the rank before it wrong: only the place counts then.
/** @type {(field: Field, isSeated: boolean) => string} */
function myRank(field, isSeated) {
  const { over, my_rank: rank, my_place: place, players_left: left, entrants } = field;
  if (!over) return isSeated && rank ? ordinal(rank) : "";
  if (!place) return "";
  const words = gettext("%(place)s of %(all)s");
  return interpolate(words, { place: ordinal(place), all: chips(entrants ?? left) });
}

/** @typedef {import("../../state/field.js").Field} Field */

export class StripView {
  /** @type {Field | null} */
  field = null;

  constructor() {
    this.level = fact(gettext("Level"));
    this.blinds = fact(gettext("Blinds"));
    this.game = fact(gettext("Game"));
    this.bets = fact(gettext("Bets"));
    this.left = fact(gettext("Next level"));
    this.rank = fact(gettext("My rank"));
    this.players = fact(gettext("Players"));
    this.average = fact(gettext("Average"));
    this.node = el(
      "div",
      { class: "strip" },
      this.level,
      this.blinds,
      this.game,
      this.bets,
      this.left,
      this.rank,
      this.players,
      this.average,
    );
  }

  /** @param {Felt.Picture} picture */
  update({ state, field, me }) {
    this.field = field;
    const { stakes } = state;
    this.level.say(state.level && !playsForMoney ? String(state.level) : "");
    this.blinds.say(forcedBets(stakes, state.limit ?? ""));
    // Hold'em is what everybody expects; any other game says what it is.
    this.game.say(state.variant === "holdem" ? "" : gameWords(state.variant));
    this.bets.say(stakes.big_blind ? bets(stakes, state.limit ?? "") : "");
    text(this.blinds.label, stakes.big_blind ? gettext("Blinds") : gettext("Bets"));
    text(this.rank.label, field?.over ? gettext("My place") : gettext("My rank"));
    this.rank.say(field ? myRank(field, Boolean(me)) : "");
    this.players.say(field?.players_left && !placed(field) ? this.#players(field) : "");
    this.average.say(field?.average_chips && !field.over ? chips(field.average_chips) : "");
    this.tick();
  }

  // Once it is over nobody is left: there were so many.
  /** @param {Field} field */
  #players({ players_left: left, entrants, over }) {
    if (over) return chips(entrants ?? left);
    return entrants
      ? interpolate(gettext("%(left)s of %(all)s"), { left: chips(left), all: chips(entrants) })
      : chips(left);
  }

  // Once a second: the clock of the level.
  tick() {
    const { field } = this;
    text(this.left.label, field?.on_break ? gettext("Break ends in") : gettext("Next level"));
    this.left.say(field && !field.over ? levelLeft(field) : "");
  }
}
