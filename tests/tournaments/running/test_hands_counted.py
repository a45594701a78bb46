"""Levels by hands continue at the final table from the hands played before it."""

from __future__ import annotations

import pytest

from tables.models import Table
from tournaments import locks, progress
from tournaments.models import Tournament


def opened(number: int, hands: int, status: str) -> None:
    Table.objects.create(
        director=locks.DIRECTOR,
        game=5,
        number=number,
        seats_max=6,
        hand=hands,
        granted_hand=hands,
        status=status,
    )


@pytest.mark.rule("L-01")
def test_hands_of_a_gathered_final_table_continue_the_count(db: None) -> None:
    tournament = Tournament(pk=5)
    assert progress.hands_played(tournament) == 0
    opened(1, 30, Table.Status.CLOSED)
    opened(2, 4, Table.Status.OPEN)
    assert progress.hands_played(tournament) == 30
    tournament.final_table = True
    assert progress.hands_played(tournament) == 34
