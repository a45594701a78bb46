"""Retention of conduct: figures, log-ins and reports older than the setting are deleted daily."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from config.door.rates import Rate
from tables.conduct.models import (
    ConductCase,
    LoginNetwork,
    PairConduct,
    PlayerConduct,
    PlayerDay,
    PlayerReport,
    SharedBrowser,
)

DAILY = Rate("prune-conduct", burst=1, per_minute=1 / (24 * 60))
"""Rate of one turn a day for the whole room."""


def prune_conduct_daily() -> int:
    """Prune at most once a day; return the number of deleted rows."""
    return prune_conduct() if DAILY.take("room") == 0.0 else 0


def prune_conduct() -> int:
    """Delete what is older than CONDUCT_KEPT_DAYS; return the number of rows.

    Figures go by whole months, their days too. Open cases stay until they are decided.
    """
    ended = timezone.now() - timedelta(days=settings.CONDUCT_KEPT_DAYS)
    month = ended.year * 100 + ended.month
    old = (
        PlayerConduct.objects.filter(month__lt=month),
        PairConduct.objects.filter(month__lt=month),
        PlayerDay.objects.filter(day__lt=ended.date().replace(day=1)),
        SharedBrowser.objects.filter(last_at__lt=ended),
        LoginNetwork.objects.filter(last_at__lt=ended),
        PlayerReport.objects.filter(made_at__lt=ended),
        ConductCase.objects.filter(decided_at__lt=ended),
    )
    return sum(rows.delete()[0] for rows in old)
