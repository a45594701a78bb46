"""Rapid pools on real servers: folded players are in their next hand at once (R-03)."""

from __future__ import annotations

import random

import pytest
from redis import Redis

from accounts.models import User
from tables.dealer.state import TableState
from tables.models import Table
from tables.ring.models import RapidStay, RingGame, RingSession
from tables.ring.sessions import sit_down
from tables.store import fenced
from tables.workers import advance, settle
from tests.tables.ring.room import cast

pytestmark = pytest.mark.django_db(transaction=True)


def pool(**terms: object) -> RingGame:
    """An open rapid pool of three seats a hand and up to four tables."""
    usual = {"rapid": True, "seats_max": 3, "tables_max": 4, "pool_min": 2, "wait_ms": 0}
    return cast.game(**(usual | terms))


def joined(game: RingGame, count: int) -> list[User]:
    """So many players who joined the pool, in order."""
    users = [cast.player() for _ in range(count)]
    for user in users:
        sit_down.sit(user, game.pk, amount=cast.BUY_IN)
    return users


def tables(game: RingGame) -> list[Table]:
    """Open tables of the pool."""
    return list(Table.objects.filter(director="rapid", game=game.pk, status="open").order_by("pk"))


def first_turn(room: Redis, table: Table) -> TableState:
    """Bring a table of the pool to the first decision of its next hand."""
    return cast.begin(room, table)


@pytest.mark.rule("R-03")
def test_a_folded_player_is_dealt_into_another_hand_at_once(room: Redis) -> None:
    game = pool()
    users = joined(game, 4)
    [table] = tables(game)
    state = first_turn(room, table)
    assert [seat.chips for seat in state.seats] == [cast.BUY_IN] * 3
    assert len({seat.user for seat in state.seats}) == 3
    cast.law()
    assert state.turn is not None
    folder = state.at(state.turn.seat).user
    cast.act(room, state, "fold")
    assert advance.advance(room, table.pk) == "settle"
    settle.settle(room, table.pk)
    cast.law()
    [_, other] = tables(game)
    there = first_turn(room, other)
    waited = {user.pk for user in users} - {seat.user for seat in state.seats}
    assert {seat.user for seat in there.seats} == {folder, *waited}
    here = fenced.peek(room, table.pk)
    assert here is not None
    assert here.phase == "hand"
    cast.law()
    assert RapidStay.objects.filter(session__user=folder).count() == 2


@pytest.mark.rule("R-03")
def test_all_chips_come_back_when_everybody_leaves(room: Redis) -> None:
    game = pool()
    users = joined(game, 5)
    chance = random.Random(5)
    for _ in range(20):
        for table in tables(game):
            state = fenced.peek(room, table.pk)
            if state is not None and state.phase != "hand":
                cast.settle_once(room, table, chance)
        cast.law()
    assert RingSession.objects.filter(game=game).count() == len(users)
