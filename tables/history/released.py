"""Selection of finished hands whose result was told; others are known to nobody yet."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils import timezone

from tables.models import Hand, Table
from tables.records import hand_months


def is_released(hand: Hand, now: datetime) -> bool:
    """Return whether a hand is one of `released_hands`, for a row that was read already."""
    return hand.released_at is None or hand.released_at <= now


def hands_of_table(table: Table, now: datetime | None = None) -> QuerySet[Hand]:
    """Return the released hands of a table; few partitions are read."""
    return released_hands(now).filter(hand_months.of_table(table))


def hands_of_game(director: str, game: int, now: datetime | None = None) -> QuerySet[Hand]:
    """Return the released hands of a game; few partitions are read."""
    return released_hands(now).filter(hand_months.of_game(director, game))


def released_hands(now: datetime | None = None) -> QuerySet[Hand]:
    """Return the hands that were shown to their end, with their tables, in order of play."""
    told = Q(released_at__isnull=True) | Q(released_at__lte=now or timezone.now())
    return Hand.objects.filter(told).select_related("table").order_by("table__number", "number")
