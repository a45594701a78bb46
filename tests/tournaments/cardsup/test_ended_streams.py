"""Rows of cards-up streams go a day after their game, all of a game and none of one in play."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from config import limits
from tables.cardsup import pruning
from tables.cardsup.models import DelayedFacts, Retelling
from tables.models import Table
from tournaments.locks import DIRECTOR

pytestmark = pytest.mark.django_db

KEPT = timedelta(seconds=limits.CARDS_UP_STREAM_KEPT_S)
LONG_AGO, JUST_NOW = KEPT + timedelta(minutes=1), KEPT - timedelta(minutes=1)


def tell(game: int, *tables: str, last: str = "over", ago: timedelta = LONG_AGO) -> None:
    """Make the streams of a game with tables of these statuses; `last` is the phase of one."""
    now = timezone.now()
    long_ago_ms = int((now - LONG_AGO).timestamp() * 1_000)
    due_ms = int((now - ago).timestamp() * 1_000)
    for number, status in enumerate(tables, start=1):
        table = Table.objects.create(
            director=DIRECTOR, game=game, number=number, seats_max=6, status=status
        )
        Retelling.objects.create(
            stream=f"cardsup:{table.pk}", director=DIRECTOR, game=game, table=table,
            phase="over", due_ms=long_ago_ms, retold=b'{"seats":[{"name":"Ann"}]}',
        )  # fmt: skip
    Retelling.objects.create(
        stream=f"featured:{game}", director=DIRECTOR, game=game, is_featured=True,
        phase=last, due_ms=due_ms,
    )  # fmt: skip
    DelayedFacts.objects.create(
        stream=f"field:{game}", seq=7, at_ms=0, due_ms=due_ms, is_told=True, payload=b"{}"
    )


def games() -> tuple[set[int], set[str]]:
    """Games with a stream, and streams with facts."""
    streams = set(Retelling.objects.values_list("game", flat=True))
    return streams, set(DelayedFacts.objects.values_list("stream", flat=True))


def test_streams_and_facts_of_a_game_that_is_over_go() -> None:
    tell(1, "closed", "closed")
    tell(2, "closed", ago=JUST_NOW)
    tell(3, "closed", "open")
    assert pruning.prune() == 4
    assert games() == ({2, 3}, {"field:2", "field:3"}), "of a day, and of a game in play"
    assert pruning.prune() == 0


def test_streams_of_a_game_that_is_not_told_to_its_end_stay_together() -> None:
    tell(1, "closed", "closed", last="planned")
    assert [kind.going(timezone.now()).count() for kind in pruning.KINDS] == [0, 1]
    assert pruning.STREAMS.prune() == 0 and Retelling.objects.count() == 3


def test_facts_that_are_not_told_stay() -> None:
    tell(1, "closed")
    DelayedFacts.objects.update(is_told=False)
    assert pruning.FACTS.prune() == 0
