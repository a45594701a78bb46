"""Settled hands that a law has not seen yet."""

from __future__ import annotations

from django.db.models import QuerySet

from tables.models import Hand


class NewHands:
    """Memory of the hands that were seen, each by its key.

    The highest key is no memory of them: a process that stands still before its COMMIT adds a hand
    with a lower key than those that others add meanwhile.
    """

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def of(self, hands: QuerySet[Hand]) -> QuerySet[Hand]:
        """Return those of the hands that were not seen before, in the order of their keys."""
        new = set(hands.values_list("pk", flat=True)) - self._seen
        self._seen |= new
        return hands.filter(pk__in=new).order_by("pk")
