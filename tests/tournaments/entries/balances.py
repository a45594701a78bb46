"""Balances of users, and every value that a refused registration leaves unchanged."""

from __future__ import annotations

from accounts.ledger import transfers
from accounts.models import Transfer, User
from tournaments.models import Announcement, Entry, Tournament
from tournaments.prizes import money


def balance_of(user: User) -> int:
    """Balance of a player's account, in cents."""
    return transfers.balance(money.player(user))


def stored_values(tournament: Tournament) -> tuple[object, ...]:
    """Every value that a refused registration must leave unchanged."""
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
