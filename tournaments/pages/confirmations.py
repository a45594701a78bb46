"""Sentences about requests that were carried out, told by pages and by the API."""

from __future__ import annotations

from django.utils.translation import gettext as _

from accounts import money
from tournaments.models import Entry, Offer, Ticket


def leaving(entry: Entry) -> str:
    """Return the sentence about an entry that leaves with its stack (A-04)."""
    said = _("You leave %(name)s after this hand; your stack is then in your account.")
    return said % {"name": entry.tournament.name}


def exchanged(ticket: Ticket) -> str:
    """Return the sentence about a ticket that became money (K-06)."""
    said = _("The ticket is exchanged: %(amount)s are in your account.")
    return said % {"amount": money.text(ticket.value)}


def answered(offer: Offer) -> str:
    """Return the sentence about an offer that was bought or declined (E-02, E-04, E-05)."""
    return {
        Offer.State.DONE: _("You have bought again."),
        Offer.State.ACCEPTED: _("You get your chips before the next hand."),
    }.get(Offer.State(offer.state), _("You have declined the offer."))
