// Words for actions, games, reasons to wait, and news of a tournament.

import { decimal } from "../shared/format.js";
import { gettext, interpolate } from "../shared/i18n.js";

/** @type {(action: {kind: string, all_in?: boolean}) => string} */
export function actionWords(action) {
  if (action.all_in) return gettext("All-in");
  /** @type {Record<string, string>} */
  const words = {
    folded: gettext("Fold"),
    checked: gettext("Check"),
    called: gettext("Call"),
    bet: gettext("Bet"),
    raised: gettext("Raise"),
    ante: gettext("Ante"),
    small_blind: gettext("Small blind"),
    big_blind: gettext("Big blind"),
    straddle: gettext("Straddle"),
    bring_in: gettext("Bring-in"),
    dead: gettext("Dead post"),
    penalty: gettext("Penalty"),
    live: gettext("Live post"),
  };
  return words[action.kind] ?? "";
}

// An action, and that it takes the last chips of its stack.
/** @type {(words: string, isAllIn: boolean) => string} */
export const withAllIn = (words, isAllIn) => (isAllIn ? `${words} – ${gettext("all-in")}` : words);

// The game by its name; five-card Omaha says how many cards count of hand and board (O-02).
/** @type {(variant: string | null) => string} */
export function gameWords(variant) {
  /** @type {Record<string, string>} */
  const words = {
    holdem: gettext("Hold'em"),
    omaha: gettext("Omaha"),
    omaha5: gettext("5-Card Omaha (2+3)"),
    omaha5_house: gettext("5-Card Omaha (3+2)"),
    omaha_hilo: gettext("Omaha Hi-Lo"),
    omaha5_hilo: gettext("5-Card Omaha Hi-Lo (2+3)"),
    stud: gettext("Seven Card Stud"),
    stud_hilo: gettext("Seven Card Stud Hi-Lo"),
  };
  return words[variant ?? ""] ?? "";
}

/** @type {(reason: string | null) => string} */
export function waitingWords(reason) {
  /** @type {Record<string, string>} */
  const words = {
    players: gettext("Waiting for players"),
    balancing: gettext("Tables are being balanced"),
    hand_for_hand: gettext("Hand for hand: waiting for the other tables"),
    paused: gettext("The tournament is paused"),
    break: gettext("Break"),
    final_table: gettext("The final table is being drawn"),
    rebuy: gettext("Waiting for a re-buy"),
    settling: gettext("The hand is being settled"),
    starting: gettext("The tournament is about to start"),
    time_up: gettext("Time is up: the other tables finish their hand"),
    deal: gettext("The players vote on a deal"),
    next_round: gettext("Table won: the next round starts when all tables are done"),
  };
  return words[reason ?? ""] ?? "";
}

// Why the room stopped or cancelled a tournament: its own reasons in words, others as written.
/** @type {(reason: string | null | undefined) => string} */
export function whyWords(reason) {
  const words = new Map([
    ["frozen", gettext("A fault is being mended; all tables go on together.")],
    ["too few players", gettext("Too few players were registered.")],
    ["not opened", gettext("Registration was not opened in time.")],
  ]);
  return words.get(reason ?? "") ?? reason ?? "";
}

/** @type {(key: string) => string} */
export function presetWords(key) {
  /** @type {Record<string, string>} */
  const words = {
    min: gettext("Min"),
    x22: `${decimal(2.2)}×`,
    x25: `${decimal(2.5)}×`,
    x3: "3×",
    half: "½",
    two_thirds: "⅔",
    pot: gettext("Pot"),
    most: gettext("Max"),
    all_in: gettext("All-in"),
  };
  return words[key];
}

// A blind that another seat than that of the blind pays is a post to come in, or a missed blind.
/** @type {(state: Wire.TableSnapshot, post: {seat: number, kind: string}) => string} */
export function postKind(state, { seat, kind }) {
  const isBlind = kind === "small_blind" || kind === "big_blind";
  return isBlind && state[kind] !== seat ? "live" : kind;
}

// News of the tournament that a table should hear of; "" for the rest.
/** @type {(event: any) => string} */
export function fieldWords(event) {
  /** @type {Record<string, string>} */
  const words = {
    break_began: gettext("The break begins after this hand"),
    level_prolonged: gettext("More time: the organiser put the clock back"),
    hand_for_hand_began: gettext("Hand for hand: all tables start each hand together"),
    hand_for_hand_ended: gettext("The tables play at their own pace again"),
    final_table: gettext("Final table"),
    entries_closed: gettext("Late registration is over"),
    rebuys_closed: gettext("The re-buy period is over"),
    time_up: gettext("Time is up: this hand is the last one"),
    round_began: interpolate(gettext("Round %(number)s of %(rounds)s begins"), {
      number: event.number ?? "",
      rounds: event.rounds ?? "",
    }),
    deal_proposed: interpolate(gettext("%(name)s proposes a deal: vote after this hand"), {
      name: event.name ?? "",
    }),
    deal_opened: gettext("Everybody left votes on a deal"),
    deal_voted: event.yes
      ? interpolate(gettext("%(name)s agrees to the deal: %(votes)s of %(needed)s votes"), event)
      : "",
    deal_refused:
      event.reason === "no"
        ? interpolate(gettext("%(name)s says no: no deal"), { name: event.name ?? "" })
        : gettext("No deal: the table plays on"),
    deal_agreed: gettext("Everybody agrees: the deal is paid"),
    paused: gettext("Paused after the hand"),
    resumed: gettext("The tournament goes on"),
    finished:
      event.left > 1
        ? gettext("The tournament is over: those left are paid")
        : interpolate(gettext("%(name)s wins the tournament"), { name: event.name ?? "" }),
    cancelled: gettext("The tournament is cancelled"),
    room_message: event.text ?? "",
  };
  return words[event.type] ?? "";
}
