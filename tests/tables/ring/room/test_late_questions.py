"""Workers that ask for a hand after others have played it: they change nothing (Z-04)."""

from __future__ import annotations

import pytest
from redis import Redis

from tables.dealer.grants import Wait
from tables.ring.models import RapidStay, RingSession
from tables.ring.rapid.director import RapidDirector
from tables.ring.running.director import RingDirector
from tables.ring.sessions import leaving, sit_down, top_up
from tests.tables.ring.rapid import rapid_cast as pools
from tests.tables.ring.room import cast
from tests.tables.ring.room.refusals.unchanged import facts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.rule("A-03", "Z-04")
def test_nobody_leaves_and_no_chips_arrive_while_the_next_hand_is_played(room: Redis) -> None:
    ring = cast.game()
    table, users = cast.table_of(ring), [cast.player(), cast.player()]
    going, staying = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users]
    cast.fold_around(room, table)
    assert cast.begin(room, table).hand_number == 2
    leaving.leave(going.user, going.pk)
    top_up.top_up(staying.user, staying.pk, 50_00)
    before = facts()
    assert RingDirector().next(table.pk, 1) == Wait(reason="players")
    assert facts() == before
    cast.fold_around(room, table)
    cast.boundary(room, table)
    going.refresh_from_db()
    assert going.state == RingSession.State.LEFT
    assert going.left_with + (cast.stack(staying) or 0) == 2 * cast.BUY_IN + 50_00
    cast.law()


@pytest.mark.rule("R-03", "Z-04")
def test_a_hand_of_a_pool_goes_on(room: Redis) -> None:
    game = pools.pool(seats_max=2, tables_max=1)
    pools.joined(game, 2)
    [table] = pools.tables(game)
    cast.begin(room, table)
    pools.fold_to_end(room, table)
    assert cast.begin(room, table).hand_number == 2
    before = facts()
    assert RapidDirector().next(table.pk, 1) == Wait(reason="players")
    assert facts() == before and RapidStay.objects.filter(ended=False).count() == 2
    pools.fold_to_end(room, table)
    table.refresh_from_db()
    assert table.hand == 2
    cast.law()
