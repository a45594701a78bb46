"""Running tournaments with several entries of each player."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from accounts.users import bots
from tests.tournaments.cast import open_offer
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.running import operations


def multi(players: int, entries: int, **fields: Any) -> Tournament:
    """A running tournament in which every player has this many entries."""
    wanted: dict[str, Any] = {
        "start": "scheduled",
        "starts_at": timezone.now(),
        "players_max": 80,
        "seats_per_table": 4,
        "entries_max": entries,
        "several_at_once": entries > 1,
    }
    made = open_offer(**(wanted | fields))
    for bot in bots.create(players):
        for _ in range(entries):
            registration.register(bot, made)
    return operations.start(made.pk)
