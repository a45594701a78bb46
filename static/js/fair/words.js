// Sentences of a proof's page: each check as it holds and as it fails, and why a player did not cut.

import { gettext } from "../shared/i18n.js";
import { LATE, NO_PLEDGE, OPENED, SILENT } from "./checks.js";

/** A check that holds, and one that does not.
 * @type {Record<string, [string, string]>} */
export const SENTENCES = {
  V01: [
    gettext("The seal is that of all 52 envelopes."),
    gettext("The seal is not that of these envelopes."),
  ],
  V02: [
    gettext("The published secret makes exactly these envelopes."),
    gettext("The published secret makes other envelopes."),
  ],
  V03: [
    gettext("Seal, seats and pledges were called together and signed by the room."),
    gettext(
      "The call is not that of this seal, these seats and pledges, or its signature is wrong.",
    ),
  ],
  V04: [
    gettext("Every opened seed is the one that was pledged."),
    gettext("A seed is not the one that was pledged."),
  ],
  V05: [
    gettext("All is as this browser noted it during the hand."),
    gettext("Something is not as this browser noted it during the hand."),
  ],
  V06: [
    gettext("The deck was sealed before the call, and called before the deal."),
    gettext("The deck was not sealed before the call, or not called before the deal."),
  ],
  V07: [
    gettext("The cut follows from the call and from all seeds that came in time."),
    gettext("The cut does not follow from the call and the seeds."),
  ],
  V08: [
    gettext("Every card you were shown lay in the sealed envelope at its place."),
    gettext("A card did not lie in the sealed envelope at its place."),
  ],
  V09: [
    gettext("Cards were dealt, burnt and turned in the order of the game."),
    gettext("Cards were not dealt in the order of the game."),
  ],
  V10: [
    gettext("All that was shown and all your own cards are opened."),
    gettext("A card that was shown is not opened, or was another one."),
  ],
  V11: [
    gettext("Nothing else is opened: folded cards and the rest stay sealed."),
    gettext("A card is opened to somebody who was not shown it."),
  ],
  V12: [
    gettext("The first button follows from the cut."),
    gettext("The first button does not follow from the cut."),
  ],
  V13: [
    gettext("The seal is in the public log, under a head that the room signed."),
    gettext("The public log does not hold this seal, or its head is not signed by the room."),
  ],
  V14: [
    gettext("The end of the hand, as you saw it, is in the public log after its seal."),
    gettext("The public log holds another end of this hand."),
  ],
  V15: [
    gettext("The log continues the head that this browser kept: nothing in it was rewritten."),
    gettext("The log does not continue the head that this browser kept: it was rewritten."),
  ],
};

/** Why there is nothing to check in a hand.
 * @type {Record<string, string>} */
export const NOTHING = {
  V02: gettext("The room's secret would open every card, so it stays with the room."),
  V03: gettext("The hand was never called."),
  V05: gettext("This browser has no notes of the hand to compare."),
  V07: gettext("The deck was never cut."),
  V12: gettext("No button was drawn in this hand."),
  V13: gettext(
    "The log has the seal within a minute; hands older than the log are in its first leaf.",
  ),
  V14: gettext("The log has the end of the hand within a minute."),
  V15: gettext("This browser has kept no head of the log before this one."),
};

/** @type {Record<number, string>} */
export const CUTS = {
  [NO_PLEDGE]: gettext("no pledge"),
  [SILENT]: gettext("silent"),
  [OPENED]: gettext("in time"),
  [LATE]: gettext("too late"),
};

/** Why the viewer did not cut this deck.
 * @type {Record<number, string>} */
export const WHY_NOT = {
  [NO_PLEDGE]: gettext("You did not cut this deck: you had just arrived."),
  [SILENT]: gettext("You did not cut this deck: your cut did not come."),
  [LATE]: gettext("You did not cut this deck: your cut came too late."),
};

export const SHIELDS = {
  grey: gettext("Sealed before the deal. Your browser is checking it."),
  mine: gettext(
    "Checked in this browser: your cards, the board and every hand shown came from the deck that was sealed before your cut.",
  ),
  seen: gettext(
    "Checked in this browser: the board and every hand shown came from the deck that was sealed before the players' cut.",
  ),
  unpledged: gettext(
    "Nobody cut this deck, so the room alone shuffled it; all else holds. The room had no pledge yet, as in a player's first hand at a table.",
  ),
  silent: gettext(
    "Nobody cut this deck, so the room alone shuffled it; all else holds. No cut came in time.",
  ),
  unanswered: gettext(
    "The log could not be compared with the head that this browser kept: the room did not answer. Try again in a moment.",
  ),
  unlogged: gettext(
    "The public log does not hold this hand, which ended over an hour ago; all else holds. Hands older than the log are in its first leaf.",
  ),
  red: gettext("This hand does not match its seal."),
};
