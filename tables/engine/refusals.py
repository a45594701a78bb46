"""Refusals of an action: a code, a sentence for the player, and the allowed values."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class ActionRefusal(Refusal):
    """Base of the refusals of actions; a refused action changed nothing."""


class NotInHand(ActionRefusal):
    """The seat holds no live hand."""

    code = "not_in_hand"
    sentence = _("You are not in this hand.")


class NotYourTurn(ActionRefusal):
    """Another seat is asked."""

    code = "not_your_turn"
    sentence = _("It is not your turn.")


class HandOver(ActionRefusal):
    """The hand has ended."""

    code = "hand_over"
    sentence = _("The hand is over.")


class HandNotOver(ActionRefusal):
    """Cards may be shown only after the hand (S-02)."""

    code = "hand_not_over"
    sentence = _("You can show your cards only when the hand is over.")


class NothingToShow(ActionRefusal):
    """The cards to show have been seen already, or the seat has none."""

    code = "nothing_to_show"
    sentence = _("There is nothing left to show.")


class CannotShow(ActionRefusal):
    """Cards folded before the showdown are never shown to anybody else (S-03)."""

    code = "cannot_show"
    sentence = _("You folded: your cards stay hidden.")


class CannotFold(ActionRefusal):
    """The seat must bring in (D-02)."""

    code = "cannot_fold"
    sentence = _("You must open: pay the bring-in or complete the bet.")


class CannotCheck(ActionRefusal):
    """There is a bet to answer."""

    code = "cannot_check"
    sentence = _("You cannot check: there is a bet to call.")


class NothingToCall(ActionRefusal):
    """Nothing is owed."""

    code = "nothing_to_call"
    sentence = _("There is nothing to call.")


class CannotBet(ActionRefusal):
    """The betting of this street is open already, or nobody is left to answer a bet."""

    code = "cannot_bet"
    sentence = _("You cannot bet now.")


class CannotRaise(ActionRefusal):
    """There is nothing to raise, or the betting was not reopened to this seat (H-05)."""

    code = "cannot_raise"
    sentence = _("You cannot raise now.")


class AmountTooSmall(ActionRefusal):
    """Below the minimum of B-01..B-04."""

    code = "amount_too_small"
    sentence = _("That is below the minimum.")


class AmountNotAllowed(ActionRefusal):
    """Between two amounts of which one must be chosen (B-03)."""

    code = "amount_not_allowed"
    sentence = _("Only the smaller or the larger amount is possible.")


class AmountTooLarge(ActionRefusal):
    """Above the maximum of B-01..B-05."""

    code = "amount_too_large"
    sentence = _("That is above the maximum.")
