"""Open tables of a ring game: its first ones, and another when the last one fills."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Max

from tables.models import Table
from tables.ring.models import RapidWaiting, RingGame
from tables.workers import opening


def open_table(game: RingGame) -> Table:
    """Open one more table of a locked game; it is put into Redis after the commit."""
    rows = Table.objects.filter(director=game.director, game=game.pk)
    last = rows.aggregate(number=Max("number"))["number"] or 0
    table = Table.objects.create(
        director=game.director, game=game.pk, number=last + 1, seats_max=game.seats_max
    )
    if game.rapid:
        RapidWaiting.objects.create(table=table, game=game.pk)
    transaction.on_commit(lambda: opening.open_tables([table.pk]), robust=True)
    return table


def open_missing(game: RingGame) -> list[Table]:
    """Open the tables that a locked game lacks of its fewest."""
    rows = Table.objects.filter(director=game.director, game=game.pk, status=Table.Status.OPEN)
    return [open_table(game) for _ in range(game.tables_min - rows.count())]
