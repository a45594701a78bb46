"""Requests at the same moment for one seat or one amount: one wins, the other is refused."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from redis import Redis

from accounts.ledger import transfers
from accounts.models import User
from accounts.users import bots
from config.refusals import Refusal
from tables.models import Table
from tables.ring.models import RingSession
from tables.ring.monitor import audit
from tables.ring.sessions import sit_down, top_up
from tests.tables.ring.room.ring_table import open_ring

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(jobs: list[Callable[[], object]]) -> list[object]:
    """Start the jobs together; return their results, with a refusal as a result."""
    gun = threading.Barrier(len(jobs))

    def run(job: Callable[[], object]) -> object:
        try:
            gun.wait(timeout=60)
            return job()
        except Refusal as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [done.result(timeout=120) for done in [pool.submit(run, job) for job in jobs]]


def codes(results: list[object]) -> list[str]:
    """Return the codes of the refusals among results."""
    return sorted(row.code for row in results if isinstance(row, Refusal))


@pytest.mark.rule("A-03")
def test_of_clicks_at_one_seat_at_once_one_wins_and_only_the_winner_pays(
    room: Redis, broker: Redis
) -> None:
    players = bots.create(4)
    before = {player.pk: transfers.held_by(player) for player in players}
    game = open_ring()
    table = Table.objects.get(director="ring", game=game.pk)

    def click(player: User) -> object:
        return sit_down.sit(player, game.pk, amount=2_000, table_id=table.pk, seat=2)

    results = at_once([lambda player=player: click(player) for player in players])  # type: ignore[misc]
    assert codes(results) == ["seat_taken"] * 3
    [session] = RingSession.objects.filter(game=game)
    paid = {player.pk: before[player.pk] - transfers.held_by(player) for player in players}
    assert paid == dict.fromkeys(before, 0) | {session.user_id: 2_000}
    assert audit.violations() == []


@pytest.mark.rule("A-03")
def test_one_player_who_clicks_two_seats_at_once_has_one(room: Redis, broker: Redis) -> None:
    [player] = bots.create(1)
    before = transfers.held_by(player)
    game = open_ring()
    table = Table.objects.get(director="ring", game=game.pk)

    def click(seat: int) -> object:
        return sit_down.sit(player, game.pk, amount=2_000, table_id=table.pk, seat=seat)

    results = at_once([lambda seat=seat: click(seat) for seat in (1, 2, 3)])  # type: ignore[misc]
    assert codes(results) == ["seated_already"] * 2
    assert RingSession.objects.filter(game=game).count() == 1
    assert before - transfers.held_by(player) == 2_000


@pytest.mark.rule("A-03")
def test_top_ups_at_once_never_lift_a_stack_above_the_maximum(room: Redis, broker: Redis) -> None:
    [player] = bots.create(1)
    game = open_ring()
    session = sit_down.sit(player, game.pk, amount=2_000)
    results = at_once([lambda: top_up.top_up(player, session.pk, 3_000)] * 3)
    assert len(codes(results)) == 2
    session.refresh_from_db()
    assert (session.coming, session.bought) == (5_000, 5_000)
    assert audit.violations() == []


@pytest.mark.rule("A-03")
def test_players_at_once_fill_the_tables_of_a_game_and_no_seat_twice(
    room: Redis, broker: Redis
) -> None:
    players = bots.create(6)
    game = open_ring(seats_max=2, tables_max=2)
    results = at_once(
        [lambda player=player: sit_down.sit(player, game.pk, amount=1_000) for player in players]  # type: ignore[misc]
    )
    assert codes(results) == ["no_free_seat"] * 2
    places = list(RingSession.objects.filter(game=game).values_list("table", "seat"))
    assert len(set(places)) == len(places) == 4
