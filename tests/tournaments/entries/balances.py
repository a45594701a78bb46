"""Balances of users, and every value that a refused registration leaves unchanged."""

from __future__ import annotations

from accounts.ledger import transfers
from accounts.models import Transfer, User
from tournaments.models import Announcement, Entry, Tournament
from tournaments.prizes import money


def balance_of(user: User) -> int:
    """What a player has, in cents."""
    return transfers.balance(money.player(user))


def stored_values(tournament: Tournament) -> tuple[object, ...]:
    """Everything a refusal must leave as it was."""
    tournament.refresh_from_db()
    return (
        tournament.state,
        tournament.entrants,
        tournament.entries_made,
        Entry.objects.count(),
        Transfer.objects.count(),
        Announcement.objects.count(),
        transfers.balance(money.pool(tournament)),
        transfers.balance(money.fees()),
    )
