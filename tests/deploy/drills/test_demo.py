"""Demo of a fresh room: what people find there from the start."""

from __future__ import annotations

import pytest
from redis import Redis

from deploy.cluster.demo import offer_demo
from tables.models import Table
from tables.ring.engine.jackpots import JACKPOTS
from tables.ring.models import Jackpot, RingGame
from tables.ring.models.jackpot import builtins_of
from tables.ring.money import DIRECTORS
from tournaments.models import Tournament


@pytest.mark.rule("R-01", "R-03", "J-01")
def test_a_fresh_room_has_ring_tables_a_rapid_pool_and_a_jackpot_table(house: Redis) -> None:
    for kind, terms in JACKPOTS.items():  # earlier tests emptied what migrations wrote
        Jackpot.objects.update_or_create(
            kind=kind, defaults={"stored_terms": builtins_of(terms), "enabled": True}
        )
    offer_demo(4)
    games = {game.name: game for game in RingGame.objects.filter(state=RingGame.State.OPEN)}
    plain = [game for game in games.values() if not (game.rapid or game.jackpots.exists())]
    assert {(game.variant, game.limit) for game in plain} == {
        ("holdem", "no_limit"),
        ("omaha", "pot_limit"),
    }
    [pool] = [game for game in games.values() if game.rapid]
    [lucky] = [game for game in games.values() if game.jackpots.exists()]
    assert {row.kind for row in lucky.jackpots.all()} == {"bad_beat", "monte_carlo", "smart"}
    tables = Table.objects.filter(director__in=DIRECTORS, status=Table.Status.OPEN)
    assert {table.game for table in tables} == {game.pk for game in games.values()}
    assert pool.pk in {table.game for table in tables}


def test_a_demo_that_is_open_already_opens_nothing_more(house: Redis) -> None:
    offer_demo(4)
    found = (RingGame.objects.count(), Tournament.objects.count(), Table.objects.count())
    offer_demo(4)
    assert found == (RingGame.objects.count(), Tournament.objects.count(), Table.objects.count())
    assert min(found) > 0
