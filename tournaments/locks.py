"""The one order in which rows are locked: the tournament first, then its tables, then money."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection

from tables.models import Table
from tournaments.models import Tournament
from tournaments.refusals import NoSuchTournament

DIRECTOR = "tournament"
"""Under this name tournaments answer for their tables."""


def tournament(tournament_id: int) -> Tournament:
    """The tournament, locked for this transaction; its children may still be written by others."""
    assert connection.in_atomic_block
    rows = Tournament.objects.select_for_update(no_key=True)
    found = rows.filter(pk=tournament_id).first()
    if found is None:
        raise NoSuchTournament
    return found


def target(satellite: Tournament) -> Tournament:
    """The tournament a locked satellite leads to, locked after it and before tickets and money.

    It is never waited for in a circle: no tournament locks those that lead to it (K-08).
    """
    assert satellite.target_id is not None, "a satellite leads somewhere"
    return tournament(satellite.target_id)


def open_tables(tournament_id: int) -> list[Table]:
    """All open tables of a locked tournament, locked in one order."""
    rows = Table.objects.select_for_update(no_key=True).filter(
        director=DIRECTOR, game=tournament_id, status=Table.Status.OPEN
    )
    return list(rows.order_by("pk"))


def tables(ids: Iterable[int]) -> dict[int, Table]:
    """Some tables of a locked tournament, locked in one order."""
    rows = Table.objects.select_for_update(no_key=True).filter(pk__in=list(ids)).order_by("pk")
    return {table.pk: table for table in rows}
