"""Figures of ring tables over their last hands: average pot and hands per hour (R-01)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

import msgspec
from django.db.models import Count, F, Max, Min, Q, Sum
from django.utils import timezone

from config import limits
from tables.models import Hand
from tables.records import hand_months

HOUR_S = 3_600


class RingFigures(msgspec.Struct, frozen=True):
    """Pots of the last hands and the pace of the last hour; money in minor units."""

    hands: int = 0
    pots: int = 0
    hands_per_hour: int = 0

    @property
    def average_pot(self) -> int:
        """Mean pot of the last hands, 0 before the first."""
        return self.pots // self.hands if self.hands else 0


def of_tables(tables: Collection[int]) -> dict[int, RingFigures]:
    """Return the figures of tables that have played, by table.

    Hands count once their result was told, the last RING_FIGURES_HANDS of a table at most.
    """
    now = timezone.now()
    rows = (
        Hand.objects.filter(
            Q(released_at__isnull=True) | Q(released_at__lte=now),
            hand_months.of_tables(tables),
            number__gt=F("table__hand") - limits.RING_FIGURES_HANDS,
        )
        .order_by()
        .values("table")
        .annotate(
            hands=Count("pk"),
            pots=Sum("pot"),
            recent=Count("pk", filter=Q(finished_at__gte=now - timedelta(seconds=HOUR_S))),
            first=Min("finished_at", filter=Q(finished_at__gte=now - timedelta(seconds=HOUR_S))),
            last=Max("finished_at"),
        )
    )
    return {
        row["table"]: RingFigures(
            row["hands"], row["pots"], _pace(row["recent"], row["first"], row["last"])
        )
        for row in rows
    }


def together(figures: Iterable[RingFigures]) -> RingFigures:
    """Return the figures of several tables: all pots, and the mean pace of a table that plays."""
    every = list(figures)
    paces = [one.hands_per_hour for one in every if one.hands_per_hour]
    pace = round(sum(paces) / len(paces)) if paces else 0
    return RingFigures(sum(one.hands for one in every), sum(one.pots for one in every), pace)


def _pace(hands: int, first: datetime | None, last: datetime | None) -> int:
    """Return hands per hour between the first and the last of `hands`."""
    if hands < 2 or first is None or last is None or last <= first:
        return 0
    return round((hands - 1) * HOUR_S / (last - first).total_seconds())
