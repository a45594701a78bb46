"""A tournament played to its end, and the count of its hands."""

from __future__ import annotations

from tables.conduct.counting import count_waiting
from tables.models import Hand
from tests.tournaments.cast import Arena, started


def count_all() -> int:
    """Count all hands that wait; return their number."""
    counted = 0
    while more := count_waiting():
        counted += more
    return counted


def played() -> int:
    """Play a tournament to its end; return its number of hands."""
    made = started(4, seats_per_table=2)
    Arena(made.pk, seed=4).run()
    return Hand.objects.count()
