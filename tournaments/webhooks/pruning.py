"""Rows of webhooks that age: deliveries, and cursors of tournaments that are over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import BigIntegerField, Exists, F, Func, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast

from accounts.retention.rows import AgingRows
from tables.models import Table
from tournaments.engine import lifecycle
from tournaments.locks import DIRECTOR
from tournaments.models import Tournament, WebhookCursor, WebhookDelivery

KEPT = timedelta(days=7)
"""Age at which accepted deliveries and the cursors of ended tournaments are deleted."""
DEAD_KEPT = timedelta(days=90)
"""Age at which dead letters are deleted; until then the admin can send them again."""


class EndedCursors(AgingRows):
    """Cursors of tournaments, and of the hands of their tables, that are told of no more."""

    __slots__ = ()

    def going(self, now: datetime) -> QuerySet[WebhookCursor]:
        """Return the cursors of tournaments that ended longer ago than they last."""
        ended = Tournament.objects.filter(
            state__in=lifecycle.ENDED, finished_at__lt=now - self.lasts()
        )
        tables = Table.objects.filter(director=DIRECTOR, game__in=ended.values("pk"))
        # Each cursor, and there are few, looks up its own: with the years there are ever more
        # tournaments that ended.
        rows: QuerySet[WebhookCursor] = WebhookCursor.objects.annotate(key=_KEY)
        return rows.filter(_named("tournament:", ended) | _named("hands:", tables))


_KEY = Cast(
    Func(F("stream"), Value(":"), Value(2), function="split_part"), output_field=BigIntegerField()
)
"""Key of the tournament or table that the stream of a cursor is named after."""


def _named(prefix: str, rows: QuerySet[Any]) -> Q:
    return Q(stream__startswith=prefix) & Q(Exists(rows.filter(pk=OuterRef("key"))))


ACCEPTED = AgingRows(
    "webhook-deliveries",
    WebhookDelivery,
    "ended_at",
    lambda: KEPT,
    only=Q(state=WebhookDelivery.State.ACCEPTED),
)
DEAD = AgingRows(
    "webhook-dead-letters",
    WebhookDelivery,
    "ended_at",
    lambda: DEAD_KEPT,
    only=Q(state=WebhookDelivery.State.DEAD),
)
CURSORS = EndedCursors("webhook-cursors", WebhookCursor, "stream", lambda: KEPT)
KINDS = (ACCEPTED, DEAD, CURSORS)


def prune() -> int:
    """Delete rows past their time, PRUNED_AT_ONCE_MAX of a kind; return their number."""
    return sum(kind.prune() for kind in KINDS)
