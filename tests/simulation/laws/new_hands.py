"""Settled hands that a law has not seen yet."""

from __future__ import annotations

from django.db.models import QuerySet

from tables.models import Hand


class NewHands:
    """Memory of the hands that were seen, each by its key and its digest.

    The highest key is no memory of them: a process that stands still before its COMMIT adds a hand
    with a lower key than those that others add meanwhile. A key alone is none either: a PostgreSQL
    that lost hands may give their keys to others.
    """

    def __init__(self) -> None:
        self._seen: dict[int, str] = {}

    def of(self, hands: QuerySet[Hand]) -> QuerySet[Hand]:
        """Return those of the hands that were not seen before, in the order of their keys."""
        rows = hands.values_list("pk", "digest")
        new = {pk: digest for pk, digest in rows if self._seen.get(pk) != digest}
        self._seen |= new
        return hands.filter(pk__in=new).order_by("pk")

    def left(self, hands: QuerySet[Hand]) -> QuerySet[Hand]:
        """Return those of the hands that were seen before, in the order of their keys."""
        rows = hands.values_list("pk", "digest")
        seen = [pk for pk, digest in rows if self._seen.get(pk) == digest]
        return hands.filter(pk__in=seen).order_by("pk")
