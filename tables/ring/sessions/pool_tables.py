"""Tables of a rapid pool that wait for players: wake one, or open another (R-03)."""

from __future__ import annotations

from tables.models import Table
from tables.ring.models import RapidWaiting, RingGame
from tables.ring.sessions import locks, opening


def call(game: RingGame) -> None:
    """Let a waiting table look after the pool once this transaction is committed.

    Another table is opened when all are in a hand, up to the most of the game.
    """
    waiting = RapidWaiting.objects.filter(game=game.pk).order_by("table")
    table = waiting.values_list("table", flat=True).first()
    if table is not None:
        locks.wake_after_commit(table)
        return
    # Whoever holds the game is at a boundary of the pool, and looks after everybody who is due.
    rows = RingGame.objects.select_for_update(no_key=True, skip_locked=True, of=("self",))
    if not rows.filter(pk=game.pk, state=RingGame.State.OPEN).exists():
        return
    tables = Table.objects.filter(director=game.director, game=game.pk, status=Table.Status.OPEN)
    if tables.count() < game.tables_max:
        opening.open_table(game)


def begin_waiting(table: Table) -> None:
    """Note that a locked table waits for players."""
    RapidWaiting.objects.get_or_create(table=table, defaults={"game": table.game})


def stop_waiting(table: Table) -> None:
    """Note that a locked table is in a hand, or closed."""
    RapidWaiting.objects.filter(table=table).delete()
