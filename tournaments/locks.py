"""The lock order of rows: the tournament, its tables, tickets and accounts, heads of streams.

Transactions take locks in this order, so that they cannot wait for each other in a circle:

1. the tournament,
2. its tables by ascending id; the target of a satellite (`target`), before step 3,
3. tickets, then all accounts of one booking in one order (`UnitOfWork.book`),
4. heads of streams by name, the lobby's last (`outbox.write`, the last statement).

`events/unit_of_work.py` takes the locks of 1, and those of 3 and 4 at the end of a transaction.

Locks are `FOR NO KEY UPDATE`: rows that refer to a locked one can still be inserted.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import OperationalError, connection, transaction
from psycopg.errors import LockNotAvailable

from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.models import Table
from tournaments.models import Tournament
from tournaments.refusals import NoSuchTournament

DIRECTOR = "tournament"
"""Name of the director in the rows of tournament tables."""

FREE_WITHIN_MS = 200
"""Longest wait of a tick for the row of its tournament."""


def tournament(tournament_id: int) -> Tournament:
    """Lock a tournament for this transaction; raises NoSuchTournament."""
    assert connection.in_atomic_block
    rows = _TOURNAMENT.rows(tournament_id)
    if not rows:
        raise NoSuchTournament
    return rows[0]


def free_tournament(tournament_id: int) -> Tournament | None:
    """Lock a tournament that is free within FREE_WITHIN_MS; return None else.

    Raises NoSuchTournament.
    """
    assert connection.in_atomic_block
    rows = _FREE_TOURNAMENT.rows(tournament_id)
    return rows[0] if rows else _tournament_in_turn(tournament_id)


def _tournament_in_turn(tournament_id: int) -> Tournament | None:
    """Wait for a tournament behind those who wait already, but not longer than FREE_WITHIN_MS.

    Who only looks whether a row is free never gets one that many want.
    """
    try:
        with transaction.atomic():  # a savepoint: the transaction outlives a wait in vain
            _set_longest_wait(f"'{FREE_WITHIN_MS}ms'")
            row = tournament(tournament_id)
            _set_longest_wait("DEFAULT")
    except OperationalError as refused:
        if not isinstance(refused.__cause__, LockNotAvailable):
            raise
        return None
    return row


def _set_longest_wait(time: str) -> None:
    """Let each lock of this transaction be waited for at most so long."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL lock_timeout TO {time}")


def target(satellite: Tournament) -> Tournament:
    """Lock the target of a locked satellite, before tickets and money.

    Targets never lock the satellites that lead to them, so two waits cannot form a circle (K-08).
    """
    assert satellite.target_id is not None, "the caller checked that the satellite has a target"
    return tournament(satellite.target_id)


def open_tables(tournament_id: int) -> list[Table]:
    """Lock all open tables of a locked tournament, in ascending order."""
    rows = Table.objects.select_for_update(no_key=True).filter(
        director=DIRECTOR, game=tournament_id, status=Table.Status.OPEN
    )
    return list(rows.order_by("pk"))


def some_open_tables(tournament_id: int, count: int) -> list[Table]:
    """Lock the first open tables of a locked tournament, at most so many, in ascending order."""
    rows = Table.objects.select_for_update(no_key=True).filter(
        director=DIRECTOR, game=tournament_id, status=Table.Status.OPEN
    )
    return list(rows.order_by("pk")[:count])


def table(table_id: int) -> Table:
    """Lock a table that exists for this transaction."""
    assert connection.in_atomic_block
    [row] = _TABLE.rows(table_id)
    return row


def tables(ids: Iterable[int]) -> dict[int, Table]:
    """Lock these tables in ascending order; return them by id."""
    rows = Table.objects.select_for_update(no_key=True).filter(pk__in=list(ids)).order_by("pk")
    return {table.pk: table for table in rows}


_TOURNAMENT = BuiltOnce(
    lambda pk: Tournament.objects.select_for_update(no_key=True).filter(pk=pk), ANY_KEY
)
_FREE_TOURNAMENT = BuiltOnce(
    lambda pk: Tournament.objects.select_for_update(no_key=True, skip_locked=True).filter(pk=pk),
    ANY_KEY,
)
_TABLE = BuiltOnce(lambda pk: Table.objects.select_for_update(no_key=True).filter(pk=pk), ANY_KEY)
