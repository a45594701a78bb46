"""Kinds of transfers and their names on statements."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

WELCOME = "welcome"
CREDIT = "credit"
PROMOTIONS = "promotions"
CLUB_GIFT = "club_gift"
CLUB_FUND = "club_fund"

_WORDS = {
    WELCOME: _("Play money to start with"),
    CREDIT: _("Credit from the room"),
    PROMOTIONS: _("Money for promotions"),
    CLUB_GIFT: _("Gift to a club"),
    CLUB_FUND: _("Money for a club"),
    "registration": _("Buy-in and fee"),
    "rebuy": _("Re-buy"),
    "add_on": _("Add-on"),
    "refund": _("Refund"),
    "prize": _("Prize"),
    "cash_out": _("Stack paid out"),
    "bounty": _("Bounty"),
    "ticket": _("Ticket"),
    "ticket_exchange": _("Ticket exchanged"),
    "ticket_end": _("Ticket ended"),
    "overlay": _("Added by the room"),
    "spin": _("Drawn in a spin"),
    "overlay_back": _("Returned to the room"),
    "set_aside": _("Set aside for a tournament"),
    "set_aside_back": _("Not needed any more"),
    "bounty_made_up": _("Bounties made up for"),
    "ring_buy_in": _("Buy-in at a ring table"),
    "ring_cash_out": _("Stack back from a ring table"),
    "ring_rake": _("Rake"),
    "ring_jackpot": _("Jackpot"),
}

KINDS = tuple(_WORDS)
"""All kinds, in the order of statements' names above."""


def words(kind: str) -> str:
    """Return the name of a kind of transfer on statements, in the reader's language."""
    return str(_WORDS.get(kind, kind.replace("_", " ").capitalize()))
