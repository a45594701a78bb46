"""Running tournaments with several entries of each player."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from accounts.users import bots
from tables.models import Seat, Table
from tests.tournaments.cast import open_offer
from tournaments.entries import registration
from tournaments.models import Entry, Move, Tournament
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


def free_seat(table: Table) -> int:
    taken = Seat.objects.filter(table=table).values_list("seat", flat=True)
    return next(seat for seat in range(1, 6) if seat not in taken)


def send(seat: Seat, to: Table) -> None:
    """Send the entry at a seat on the way to another table."""
    entry = Entry.objects.get(pk=seat.entry)
    Move.objects.create(
        tournament=entry.tournament,
        entry=entry,
        reason="balance",
        state="left",
        from_table=seat.table,
        from_seat=seat.seat,
        to_table=to,
        to_seat=free_seat(to),
        chips=seat.chips,
        version=1,
    )
    seat.delete()
