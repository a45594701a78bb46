"""Refusals of ring games to players and operators, each with a code and a sentence."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from accounts.money import text
from accounts.refusals import AccountRefusal
from tables.ring.engine.refusals import RingRuleRefusal


class RingRefusal(Exception):
    """A refused request; it has changed nothing."""

    code: str
    message_id: str

    def __init__(self, **allowed: object) -> None:
        super().__init__(self.message_id)
        self.allowed = allowed

    @property
    def message(self) -> str:
        """Sentence of the refusal in the reader's language."""
        return gettext(self.message_id)


class NoSuchRingGame(RingRefusal):
    """There is no such ring game, or it takes no players any more."""

    code = "no_such_game"
    message_id = _("This ring game takes no players.")


class NoSuchRingTable(RingRefusal):
    """The table is not one of the game's open tables."""

    code = "no_such_table"
    message_id = _("This is no open table of the game.")


class NoSuchSeat(RingRefusal):
    """The seat number is not one of the table's."""

    code = "no_such_seat"
    message_id = _("The table has no such seat.")


class SeatTakenAlready(RingRefusal):
    """Another player has the seat, or it is held for a player on the waiting list."""

    code = "seat_taken"
    message_id = _("This seat is taken.")


class NoFreeSeat(RingRefusal):
    """No table of the game has a free seat."""

    code = "no_free_seat"
    message_id = _("All seats are taken. You can join the waiting list.")


class SeatedAlready(RingRefusal):
    """The player has a seat at this table."""

    code = "seated_already"
    message_id = _("You have a seat at this table.")


class SeatFree(RingRefusal):
    """A waiting list is joined only while no seat is free."""

    code = "seat_free"
    message_id = _("A seat is free: sit down at once.")


class WaitingAlready(RingRefusal):
    """The player is on the waiting list of the game."""

    code = "waiting_already"
    message_id = _("You are on the waiting list.")


class NotWaiting(RingRefusal):
    """The player is not on the waiting list of the game."""

    code = "not_waiting"
    message_id = _("You are not on the waiting list.")


class OfferExpired(RingRefusal):
    """The offered seat was held for its time and is no longer."""

    code = "offer_expired"
    message_id = _("The offer of this seat has expired.")


class NotAtTable(RingRefusal):
    """The session is not the player's, or it has ended."""

    code = "not_at_table"
    message_id = _("You have no seat at this table.")


class LeavingAlready(RingRefusal):
    """A player who leaves at the next boundary buys no more chips."""

    code = "leaving"
    message_id = _("You leave the table after this hand.")


class NoStraddle(RingRefusal):
    """The game has no straddle (H-09)."""

    code = "no_straddle"
    message_id = _("This game has no straddle.")


class WrongRingPassword(RingRefusal):
    """The password of a private game is wrong."""

    code = "wrong_password"
    message_id = _("The password is wrong.")


REFUSALS = (RingRefusal, AccountRefusal, RingRuleRefusal)
"""All types of refusals of a request; each has `code` and `message`."""

_RULES = {
    "buy_in_exact": _("The buy-in of this table is %(least)s."),
    "buy_in_too_small": _("The buy-in is at least %(least)s and at most %(most)s."),
    "buy_in_too_large": _("The buy-in is at least %(least)s and at most %(most)s."),
    "return_too_small": _("You left with more: come back with at least %(least)s."),
    "stack_full": _("Your stack is at the maximum of this table."),
    "top_up_too_small": _("Add at least %(least)s and at most %(most)s."),
    "top_up_too_large": _("Add at least %(least)s and at most %(most)s."),
    "no_game": _("There is no game of that name."),
    "no_limit_of_game": _("That game is not played with this limit."),
    "seats_of_game": _("A table of this game has too few or too many seats."),
    "bad_spread": _("The largest bet is at least the smallest."),
    "bad_buy_in": _("The smallest buy-in is at least one big blind and at most the largest."),
    "bad_tables": _("The fewest tables are 1 or more, and not above the most."),
    "bad_blinds": _("Blinds and bets are positive, the big blind is the larger one."),
    "needs_bring_in": _("Stud needs a bring-in and a small bet, and has no blinds."),
    "needs_blinds": _("This game needs blinds."),
    "bad_ante": _("An ante has an amount and a payer."),
    "no_straddle": _("A game without blinds has no straddle."),
    "feeds_sum": _("The jackpots of a table take at most the whole rake."),
    "bad_share": _("A share lies between 0 and 100 percent."),
    "shares_sum": _("The shares of a jackpot add up to 100 percent."),
    "no_hand": _("There is no hand of that name."),
    "hand_twice": _("A hand has one share of the jackpot."),
    "bad_hours": _("Hours lie between 0:00 and 24:00."),
}
"""Sentences of rules by code; limits in them are money."""


def words_of(refusal: RingRefusal | AccountRefusal | RingRuleRefusal) -> str:
    """Return the sentence of a refusal in the reader's language, amounts as money."""
    if isinstance(refusal, RingRuleRefusal) and refusal.code in _RULES:
        allowed = {name: text(amount) for name, amount in refusal.allowed.items()}
        return gettext(_RULES[refusal.code]) % allowed
    return refusal.message
