"""Running tournaments with late registration, and users without an entry."""

from __future__ import annotations

from django.utils import timezone

from accounts.models import User
from accounts.users import bots
from tests.tournaments.cast import started
from tournaments.models import Entry, Tournament
from tournaments.running import tick

MINUTE_MS = 60_000


def late(players: int, **fields: object) -> Tournament:
    """A running tournament with late registration, through level 2 by default."""
    wanted: dict[str, object] = {
        "start": "scheduled",
        "starts_at": timezone.now(),
        "players_max": 60,
        "late_ends": "at_level",
        "late_value": 2,
    }
    return started(players, **(wanted | fields))


def users_without_entry(count: int) -> list[User]:
    """Users without an entry."""
    known = set(Entry.objects.values_list("user", flat=True))
    everybody = bots.create(len(known) + count)
    return [user for user in everybody if user.pk not in known][:count]


def pass_time(tournament: Tournament, minutes: int) -> None:
    """Advance the clock of a tournament by minutes without an outage, and tick."""
    row = Tournament.objects.get(pk=tournament.pk)
    row.started_ms = (row.started_ms or 0) - minutes * MINUTE_MS
    row.save(update_fields=["started_ms"])
    tick.tick(tournament.pk)
