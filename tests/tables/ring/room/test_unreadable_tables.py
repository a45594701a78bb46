"""A ring table that nobody can read is rebuilt, plays on, and closes with its money paid out."""

from __future__ import annotations

import random

import pytest
from redis import Redis

from tables.models import Table
from tables.ring.models import RingSession
from tables.ring.sessions import operating, sit_down
from tables.store import fenced
from tables.workers import advance, settle
from tests.tables import damage
from tests.tables.ring.room import cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.rule("Z-04")
@pytest.mark.parametrize("harm", damage.ALL)
def test_a_damaged_ring_table_plays_on_after_its_rebuild_and_closes_paid_out(
    room: Redis, harm: damage.Damage
) -> None:
    ring = cast.game(seats_max=2, tables_max=2)
    users = [cast.player() for _ in range(4)]
    for user in users:
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    broken, sound = Table.objects.filter(game=ring.pk).order_by("pk")
    hands = [cast.begin(room, table).hand_number for table in (broken, sound)]
    # 1. The neighbour goes on, and the money of the game is all there.
    harm(room, broken.pk)
    cast.law()
    assert advance.advance_all(room, [broken.pk, sound.pk]) == {broken.pk: "settle"}
    cast.play_hand(room, sound, random.Random(1))
    # 2. The damaged table deals the hand again that was void.
    settle.settle(room, broken.pk)
    assert cast.begin(room, broken).hand_number == hands[0]
    cast.play_hand(room, broken, random.Random(2))
    cast.law()
    # 3. A game that closes pays everybody, also from a table that is damaged again.
    for table in (broken, sound):
        cast.begin(room, table)
    operating.close_after_hand(None, ring.pk, "the night is over")
    harm(room, broken.pk)
    settle.settle(room, broken.pk)
    for table in (broken, sound):
        while (state := fenced.peek(room, table.pk)) is not None and state.phase == "hand":
            cast.act(room, state, "fold")
            advance.advance(room, table.pk)
        cast.boundary(room, table)
        cast.boundary(room, table)
        state = fenced.peek(room, table.pk)
        assert state is not None and state.phase == "closed"
    assert not RingSession.objects.exclude(state=RingSession.State.LEFT).exists()
    assert sum(map(cast.balance, users)) == 4 * cast.BALANCE
    cast.law()


@pytest.mark.parametrize("harm", damage.ALL)
def test_a_damaged_empty_ring_table_ends_when_its_game_closes(
    room: Redis, harm: damage.Damage
) -> None:
    ring = cast.game()
    table = cast.table_of(ring)
    harm(room, table.pk)
    operating.close_after_hand(None, ring.pk, "nobody came")
    settle.settle(room, table.pk)
    cast.boundary(room, table)
    table.refresh_from_db()
    state = fenced.peek(room, table.pk)
    assert table.status == Table.Status.CLOSED
    assert state is not None and state.phase == "closed"
