"""Status line of a room: tournaments, tables, players, hands, level."""

from __future__ import annotations

from django.db import Error as DatabaseError
from django.db import close_old_connections
from django.db.models import Sum

from tables.models import Table
from tournaments import progress
from tournaments.models import Tournament
from tournaments.models.tournament import State

PLAYING = (State.RUNNING, State.PAUSED, State.FROZEN)


def line() -> str:
    """Return the status of the room in one line; name PostgreSQL when it is away."""
    try:
        return _line()
    except DatabaseError:
        return "PostgreSQL does not answer; tables wait at the end of their hands"
    finally:
        close_old_connections()


def _line() -> str:
    tables = Table.objects.filter(status=Table.Status.OPEN).count()
    hands = Table.objects.aggregate(all=Sum("hand"))["all"] or 0
    running = list(Tournament.objects.filter(state__in=PLAYING).order_by("-left"))
    left = sum(tournament.left for tournament in running)
    text = f"tables {tables}  players left {left}  hands {hands}"
    return f"{text}  {_biggest(running[0])}" if running else f"{text}  no tournament runs"


def _biggest(tournament: Tournament) -> str:
    number, level = progress.level(tournament)
    is_break = progress.break_until_ms(tournament) is not None
    where = "break" if is_break else f"level {number} ({level.small_blind}/{level.big_blind})"
    return f"{tournament.name}: {where}, {tournament.state}"
