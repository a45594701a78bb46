"""Rows of webhooks that age: deliveries, and cursors of tournaments that are over."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Cast, Concat

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
        events, hands = _named("tournament:", ended), _named("hands:", tables)
        return WebhookCursor.objects.filter(Q(stream__in=events) | Q(stream__in=hands))


def _named(prefix: str, rows: QuerySet[Any]) -> QuerySet[Any]:
    key = Cast("pk", CharField())
    named: QuerySet[Any] = rows.annotate(named=Concat(Value(prefix), key))
    return named.values("named")


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
