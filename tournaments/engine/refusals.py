"""Refusals by the rules of entries, re-buys and tickets, each with a code and a sentence."""

from __future__ import annotations

from config.refusals import Refusal, RuleRefusal
from config.refusals import marked as _


class AlreadyRegistered(Refusal):
    """The player has a live entry already (T-10, E-02)."""

    code = "already_registered"
    sentence = _("You are registered for this tournament already.")


class RebuysOver(Refusal):
    """The re-buy period is over, by hand-for-hand at the latest (E-04, E-07)."""

    code = "rebuys_closed"
    sentence = _("The re-buy period is over.")


class NoMoreRebuys(Refusal):
    """The player has used up the maximum of re-buys (E-04)."""

    code = "no_more_rebuys"
    sentence = _("You have used all your re-buys.")


class TooManyChips(Refusal):
    """The stack is too large for a re-buy (E-04)."""

    code = "too_many_chips"
    sentence = _("You have too many chips to buy again.")


class RegistrationClosed(Refusal):
    """Registration is not open yet, or closed (T-01, T-04)."""

    code = "registration_closed"
    sentence = _("Registration for this tournament is not open.")


class NoMoreEntries(Refusal):
    """The player has used up the maximum of entries (E-02, E-03)."""

    code = "no_more_entries"
    sentence = _("You have used all your entries to this tournament: %(entries_max)s.")

    def __init__(self, entries_max: int) -> None:
        super().__init__(entries_max=entries_max)


class EntryBarred(Refusal):
    """The player was disqualified from the tournament (T-15)."""

    code = "disqualified"
    sentence = _("You were disqualified from this tournament and cannot enter it again.")


class TicketRefused(RuleRefusal):
    """The ticket, or money, does not pay here; `code` is the reason (K-01, K-02, K-06)."""

    def __init__(self, code: str) -> None:
        super().__init__(code, TICKET_REFUSALS[code])


TICKET_REFUSALS = {
    "no_tickets": _("This tournament takes no tickets."),
    "no_price": _("This tournament costs nothing: it takes no tickets."),
    "tickets_only": _("This tournament can only be entered with a ticket."),
    "other_scope": _("This ticket is for other tournaments."),
    "ticket_too_small": _("This ticket does not cover the price."),
    "foreign_ticket": _("This ticket belongs to somebody else."),
    "ticket_gone": _("This ticket was used or is no longer valid."),
    "ticket_too_early": _("This ticket is not valid yet."),
    "ticket_expired": _("This ticket has expired."),
    "not_exchangeable": _("This ticket cannot be exchanged for money."),
    "no_such_ticket": _("There is no such ticket."),
    "no_fitting_ticket": _("You have no ticket that pays for this tournament."),
}
"""Sentence of each reason why a ticket does not pay."""


class LastLevel(Refusal):
    """The last level is in play, which no other follows (L-05)."""

    code = "last_level"
    sentence = _("The last level lasts to the end of the tournament.")


class LevelOver(Refusal):
    """The level or break that an organiser saw when the step was chosen is over (L-05)."""

    code = "level_over"
    sentence = _("Another level or break has begun meanwhile: look at the clock first.")


class LevelByHands(Refusal):
    """The level in play ends after a number of hands (L-01)."""

    code = "level_by_hands"
    sentence = _("This level ends after a number of hands, so there is no time to add.")
