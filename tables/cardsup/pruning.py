"""End of cards-up streams: their rows, which have names of players, go a day after their game."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Cast, Substr

from accounts.retention.rows import AgingRows
from config import limits
from config.door.rates import Rate
from tables.cardsup import source
from tables.cardsup.facts import FIELD
from tables.cardsup.models import DelayedFacts, Retelling
from tables.models import Table

HOURLY = Rate("prune-cards-up", burst=1, per_minute=1 / 60)
"""Rate of one turn an hour for the whole room."""


def _kept() -> timedelta:
    """Return the time for which Redis keeps the events of these rows."""
    return timedelta(seconds=limits.CARDS_UP_STREAM_KEPT_S)


def _ms(at: datetime) -> int:
    return int(at.timestamp() * 1_000)


class EndedStreams(AgingRows):
    """Streams of games that were told to their end, all of a game at once.

    Of a game with an open table every stream stays: without its row it would be told anew.
    """

    __slots__ = ()

    def going(self, now: datetime) -> QuerySet[Any]:
        """Return the streams of games whose last event was told longer ago than they last."""
        of_game = Retelling.objects.filter(director=OuterRef("director"), game=OuterRef("game"))
        told_since = of_game.exclude(
            phase=Retelling.Phase.OVER, due_ms__lt=self.bound(now - self.lasts())
        )
        played = _open_tables(director=OuterRef("director"))
        return super().going(now).filter(~Exists(told_since), ~Exists(played))


class EndedFacts(AgingRows):
    """Facts told last of games without an open table."""

    __slots__ = ()

    def going(self, now: datetime) -> QuerySet[Any]:
        """Return the facts of games that are over, told longer ago than they last."""
        number = Cast(Substr("stream", len(FIELD) + 2), BigIntegerField())
        rows: QuerySet[Any] = super().going(now).annotate(game=number)
        played = _open_tables(director__in=list(source.every()))
        return rows.filter(~Exists(played))


STREAMS = EndedStreams(
    "cards-up-streams",
    Retelling,
    "due_ms",
    _kept,
    only=Q(phase=Retelling.Phase.OVER),
    bound=_ms,
)
FACTS = EndedFacts("cards-up-facts", DelayedFacts, "due_ms", _kept, only=Q(is_told=True), bound=_ms)
KINDS = (STREAMS, FACTS)


def prune_hourly() -> int:
    """Prune at most once an hour; return the number of deleted rows."""
    return prune() if HOURLY.take("room") == 0.0 else 0


def prune() -> int:
    """Delete rows past their time, PRUNED_AT_ONCE_MAX of a kind; return their number."""
    return sum(kind.prune() for kind in KINDS)


def _open_tables(**director: Any) -> QuerySet[Table]:
    tables = Table.objects.filter(game=OuterRef("game"), **director)
    return tables.exclude(status=Table.Status.CLOSED)
