"""Consent of players to streams that show their cards after a delay."""

from __future__ import annotations

from accounts.models import User
from tournaments.models import Tournament
from tournaments.models.options.cards_up import Consent
from tournaments.refusals import ConsentNeeded


def answered(tournament: Tournament, user: User, *, consents: bool) -> bool:
    """Return whether the cards of a new entry are shown; no answer counts as a refusal.

    Raises ConsentNeeded where the tournament takes only players who consent. Bots are not asked.
    """
    if tournament.cards_up_consent == Consent.NOT_ASKED or user.is_bot:
        return True
    if not consents and tournament.cards_up_consent == Consent.NEEDED:
        raise ConsentNeeded
    return consents
