"""Two organisers who make a season at one moment do not pass the bound together."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from config import limits
from tests.tournaments.seasons.cast import organiser, season
from tournaments.seasons.models import Season
from tournaments.seasons.refusals import TooManySeasons

PATIENCE_S = 60
AHEAD_S = 0.5
"""Time in which a season that waits for no lock is made."""


@pytest.mark.django_db(transaction=True)
def test_seasons_of_the_room_that_are_made_at_once_are_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "SEASONS_PER_CLUB_MAX", 1)
    actor = organiser()
    answers: list[object] = []

    def second() -> None:
        try:
            answers.append(season(actor=actor))
        except TooManySeasons as refused:
            answers.append(refused)
        finally:
            connection.close()

    thread = threading.Thread(target=second)
    with transaction.atomic():
        season(actor=actor)
        thread.start()
        thread.join(AHEAD_S)
    thread.join(PATIENCE_S)
    assert [type(answer) for answer in answers] == [TooManySeasons]
    assert Season.objects.count() == 1
