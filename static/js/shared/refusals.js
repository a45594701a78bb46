// A refusal's code as a sentence in the visitor's language; unknown codes keep the server's words.

import { chips } from "./format.js";
import { gettext, interpolate } from "./i18n.js";

const SENTENCES = () => ({
  line_lost: gettext("The connection is interrupted; nothing was sent."),
  no_answer: gettext("The room did not answer in time; look at the table before you act again."),
  not_seated: gettext("You have no seat at this table."),
  stale_command: gettext("That turn is over; nothing was done."),
  no_hand: gettext("No hand is being played right now."),
  amount_missing: gettext("A bet or a raise needs an amount."),
  no_time_bank: gettext("Your time bank is empty or already running."),
  not_in_hand: gettext("You are not in this hand."),
  not_your_turn: gettext("It is not your turn."),
  hand_over: gettext("The hand is over."),
  hand_not_over: gettext("You can show your cards only when the hand is over."),
  nothing_to_show: gettext("There is nothing left to show."),
  cannot_show: gettext("You folded: your cards stay hidden."),
  cannot_fold: gettext("You must open: pay the bring-in or complete the bet."),
  amount_not_allowed: gettext("Only the smaller or the larger amount is possible."),
  cannot_check: gettext("You cannot check: there is a bet to call."),
  nothing_to_call: gettext("There is nothing to call."),
  cannot_bet: gettext("You cannot bet now."),
  cannot_raise: gettext("You cannot raise now."),
  amount_too_small: gettext("That is below the minimum."),
  amount_too_large: gettext("That is above the maximum."),
});

export function refusalWords({ code, message, allowed }) {
  const sentence = SENTENCES()[code] ?? message ?? code;
  const known = Object.fromEntries(
    Object.entries(allowed ?? {}).map(([name, value]) => [
      name,
      typeof value === "number" ? chips(value) : value,
    ]),
  );
  return interpolate(sentence, known);
}
