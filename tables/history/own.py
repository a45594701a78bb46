"""Finished hands of one player, once they are released."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from django.db.models import F, QuerySet

from tables.history.released import released_hands
from tables.models import Hand
from tables.records import hand_months

_SPANS = (2, 6, 24)
"""Months of each look for a player's newest hands; one more looks at all before."""

Look = Callable[[int, int], list[Hand]]
"""Newest hands of a page with keys from the first to below the second, newest first."""


def own_hands(user: int, now: datetime | None = None) -> QuerySet[Hand]:
    """Return the released hands in which a user was dealt in, with their tables."""
    return released_hands(now).filter(users__contains=[user])


def within(rows: QuerySet[Hand], first: int, end: int) -> QuerySet[Hand]:
    """Return a player's hands with keys from `first` to below `end`, newest first.

    PostgreSQL finds them by the index of players. In the order of the keys themselves it would read
    the hands of everybody, from the newest on, until a page is full.
    """
    return rows.filter(pk__gte=first, pk__lt=end).order_by((F("pk") + 0).desc())


def newest(look: Look, end: int, most: int) -> list[Hand]:
    """Return the newest hands with keys below `end`, at most so many, newest first.

    Who plays often fills a page from the last months; who played long ago is looked for in more and
    more months at once.
    """
    found: list[Hand] = []
    for first, below in _windows(end):
        found += look(first, below)
        if len(found) >= most:
            break
    return found[:most]


def _windows(end: int) -> Iterator[tuple[int, int]]:
    for months in _SPANS:
        first = hand_months.key_before(end, months)
        yield first, end
        if not first:
            return  # nothing is before key 0, and a month before it would be read as a later one
        end = first
    yield 0, end
