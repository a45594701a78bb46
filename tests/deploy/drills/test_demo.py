"""Demo of a fresh room: what people find there from the start."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from redis import Redis

from accounts.ledger.credit import credit
from accounts.users import bots
from deploy.cluster.demo import BOTS_COME, OPEN_TABLE, offer_demo, offer_open_table
from tables.models import Table
from tables.ring.engine.jackpots import JACKPOTS
from tables.ring.models import Jackpot, RingGame
from tables.ring.models.jackpot import builtins_of
from tables.ring.money import DIRECTORS
from tests.tournaments.club_scene import person
from tournaments.entries import registration
from tournaments.models import Tournament
from tournaments.models.tournament import State
from tournaments.running import operations, tick


@pytest.mark.rule("R-01", "R-03", "J-01")
def test_a_fresh_room_has_ring_tables_a_rapid_pool_and_a_jackpot_table(house: Redis) -> None:
    for kind, terms in JACKPOTS.items():  # earlier tests emptied what migrations wrote
        Jackpot.objects.update_or_create(
            kind=kind, defaults={"stored_terms": builtins_of(terms), "enabled": True}
        )
    _offer()
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
    _offer()
    found = (RingGame.objects.count(), Tournament.objects.count(), Table.objects.count())
    _offer()
    assert found == (RingGame.objects.count(), Tournament.objects.count(), Table.objects.count())
    assert min(found) > 0


@pytest.mark.parametrize("left_s", [-40, 3, 600])
def test_an_open_table_of_an_earlier_run_waits_for_the_bots(house: Redis, left_s: int) -> None:
    _offer()
    [table] = Tournament.objects.filter(name=OPEN_TABLE)
    Tournament.objects.update(starts_at=timezone.now() + timedelta(seconds=left_s))
    began = timezone.now()
    _offer()
    tick.tick(table.pk)
    [table] = Tournament.objects.filter(name=OPEN_TABLE)
    assert table.state == State.REGISTERING, "the clock finds it before the bots are there"
    assert table.starts_at is not None
    assert began + BOTS_COME <= table.starts_at <= timezone.now() + BOTS_COME
    for bot in bots.create(2):
        registration.register(bot, table.pk)
    Tournament.objects.update(starts_at=timezone.now())
    tick.tick(table.pk)
    table.refresh_from_db()
    assert table.state == State.RUNNING


def test_an_open_table_that_people_wait_for_keeps_a_later_start(house: Redis) -> None:
    _offer()
    [table] = Tournament.objects.filter(name=OPEN_TABLE)
    later = timezone.now() + timedelta(seconds=600)
    Tournament.objects.update(starts_at=later)
    ann = person("Ann")
    credit([ann], amount=100_00, reason="test", token="ann")
    registration.register(ann, table.pk)
    _offer()
    assert Tournament.objects.get(name=OPEN_TABLE).starts_at == later


def test_the_next_open_table_keeps_its_start_while_one_is_played(house: Redis) -> None:
    _offer()
    [first] = Tournament.objects.filter(name=OPEN_TABLE)
    for bot in bots.create(2):
        registration.register(bot, first.pk)
    operations.start(first.pk)
    following = Tournament.objects.get(name=OPEN_TABLE, follows=first)
    _offer()
    tables = Tournament.objects.filter(name=OPEN_TABLE)
    assert set(tables) == {first, following}
    assert tables.get(pk=following.pk).starts_at == following.starts_at


def _offer() -> None:
    offer_demo()
    offer_open_table(4)
