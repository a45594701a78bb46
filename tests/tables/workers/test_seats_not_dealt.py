"""A director without tournaments leaves a seat out of hands and takes posts, on real servers."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace
from redis import Redis

from tables.dealer.grants import Answer, Grant
from tables.engine.state import Post
from tables.models import Hand, Seat, Table
from tables.records import stored
from tables.store import fenced, keys
from tables.workers import advance, recovery
from tests.redis_answers import events_of
from tests.tables import playing

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "waits"
DEAD = Post("dead", 25)


class SeatsWait(playing.LastOneWins):
    """Game that deals hand 2 without seat 4, and takes dead chips of seat 4 in hand 3."""

    def next(self, table: int, hand: int) -> Answer:
        """Grant the hand to all seats but those that wait."""
        granted = super().next(table, hand)
        assert isinstance(granted, Grant)
        rows = tuple(
            replace(
                row,
                dealt=not (row.seat == 4 and hand == 2),
                posts=(DEAD,) if row.seat == 4 and hand == 3 else (),
            )
            for row in granted.roster
        )
        return replace(granted, roster=rows)


@pytest.fixture
def table() -> Any:
    return playing.sit_down([10_000] * 4, played_by=playing.registered(NAME, SeatsWait))


def _fold_a_hand(room: Redis, table: Table) -> None:
    state = playing.run(room, table.pk)
    hand = state.hand_number
    while state.hand_number == hand:
        act = replace(playing.choose(state, random.Random(1), hand), action="fold", amount=None)
        act = replace(act, id=f"{hand}-{act.turn}")
        assert state.turn is not None
        user = state.at(state.turn.seat).user
        playing.put_in(room, state, user, act)
        advance.advance(room, table.pk)
        state = playing.run(room, table.pk)


def _told(room: Redis, table: Table) -> list[dict[str, Any]]:
    stream = keys.events(keys.table(table.pk), 1)
    return [json.loads(event) for event in events_of(room, stream)]


@pytest.mark.rule("H-07")
def test_a_waiting_seat_is_left_out_and_its_posts_reach_the_stored_hand(
    room: Redis, table: Table
) -> None:
    recovery.open_tables(room, [table.pk])
    for _ in range(3):
        _fold_a_hand(room, table)
    hands = [stored.decode(bytes(hand.record)) for hand in Hand.objects.order_by("number")]
    assert [[seat.dealt for seat in hand.seats] for hand in hands] == [
        [True] * 4,
        [True, True, True, False],
        [True] * 4,
    ]
    assert [hand.players for hand in Hand.objects.order_by("number")] == [4, 3, 4]
    [poster] = [player for player in hands[2].setup.players if player.posts]
    assert (poster.seat, poster.posts) == (4, (DEAD,))
    assert sum(Seat.objects.values_list("chips", flat=True)) == 40_000
    told = _told(room, table)
    assert [event["type"] for event in told if event["type"].startswith("dealt_")] == [
        "dealt_out",
        "dealt_in",
    ]
    posted = [event for event in told if event["type"] == "posted" and event["kind"] == "dead"]
    assert [(event["seat"], event["amount"]) for event in posted] == [(4, DEAD.amount)]


def test_a_table_rebuilt_in_a_hand_leaves_the_same_seat_out_again(
    room: Redis, table: Table
) -> None:
    recovery.open_tables(room, [table.pk])
    _fold_a_hand(room, table)
    state = playing.run(room, table.pk)
    assert [seat.seat for seat in state.seats if not seat.dealt] == [4]
    assert recovery.rebuild(room, table.pk, seen_epoch=state.epoch)
    again = playing.run(room, table.pk)
    assert (again.epoch, again.hand_number) == (state.epoch + 1, state.hand_number)
    assert [seat.seat for seat in again.seats if not seat.dealt] == [4]
    assert again.hand is not None and 4 not in again.hand.order
    assert fenced.peek(room, table.pk) == again
