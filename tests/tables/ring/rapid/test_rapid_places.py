"""Values and places that players of rapid pools keep between their hands (R-03, X-03)."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from msgspec.structs import replace
from redis import Redis

from tables.dealer import clock
from tables.models import Table
from tables.ring.models import RingGame, RingSession
from tables.ring.sessions import choices, operating
from tables.store import fenced, keys
from tables.wire.client_commands import ChooseShowdown, SitOut
from tables.workers import advance, settle
from tests.tables import playing
from tests.tables.ring.rapid import rapid_cast as pools
from tests.tables.ring.room import cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.rule("R-03", "X-02", "S-01")
def test_time_bank_and_choice_at_the_showdown_go_on_in_the_next_hand(room: Redis) -> None:
    game = pools.pool(seats_max=2, bank_ms=30_000)
    users = pools.joined(game, 2)
    left_ms = {user.pk: 30_000 for user in users}
    assert {pools.session(user).bank_ms for user in users} == {30_000}
    [table] = pools.tables(game)
    for number, used_ms in enumerate((1_000, 2_000)):
        state = cast.begin(room, table)
        assert {seat.user: seat.bank_ms for seat in state.seats} == left_ms
        for seat in state.seats:
            left_ms[seat.user] -= used_ms
            state = clock.put(state, replace(state.at(seat.seat), bank_ms=left_ms[seat.user]))
        loaded = fenced.load(room, table.pk)
        assert loaded is not None and fenced.commit(room, loaded, state, (), drained=0)
        for number_of_user in left_ms:
            choice = ChooseShowdown(id=f"choice-{number}", table=table.pk, choice="muck")
            playing.put_in(room, state, number_of_user, choice)
        advance.advance(room, table.pk)
        pools.fold_to_end(room, table)  # one is freed by a fold, the other by the settlement
    for user in users:
        session = pools.session(user)
        assert (session.bank_ms, session.showdown) == (27_000, "muck")


def pool_with_one_sitting_out() -> tuple[RingGame, Table, RingSession]:
    """Return a pool of four players, its table, and the session of one who chose to sit out."""
    game = pools.pool()
    user = pools.joined(game, 4)[0]
    away = choices.set_sitting_out(user, pools.session(user).pk, True)
    return game, pools.tables(game)[0], away


@pytest.mark.rule("R-03", "X-03")
def test_a_player_who_sits_out_is_dealt_in_again_only_when_back(room: Redis) -> None:
    game, table, away = pool_with_one_sitting_out()
    state = cast.begin(room, table)
    assert away.user_id not in {seat.user for seat in state.seats}
    choices.set_sitting_out(away.user, away.pk, False)
    pools.fold(room, table)
    cast.begin(room, pools.tables(game)[1])
    assert pools.in_hands(away.user) == 1
    cast.law()


@pytest.mark.rule("R-03", "X-03")
@pytest.mark.parametrize("frozen", [False, True])
def test_a_place_without_a_player_or_chips_is_kept_only_so_long(room: Redis, frozen: bool) -> None:
    game, table, away = pool_with_one_sitting_out()
    cast.boundary(room, table)
    if frozen:
        operating.freeze(None, game.pk, "dinner")
    away.refresh_from_db()
    assert away.due_at is not None and away.absent_since is not None
    kept = away.due_at - away.absent_since  # chosen on the page of the pool, at no table
    assert round(kept.total_seconds()) == game.sit_out_ms // 1_000
    before = timezone.now() - timedelta(days=1)
    RingSession.objects.filter(pk=away.pk).update(absent_since=before, due_at=before)
    pools.fold_to_end(room, table)
    for one in pools.tables(game):
        settle.settle(room, one.pk)
    away.refresh_from_db()
    kept_with = ("seated", 0) if frozen else ("left", cast.BUY_IN)
    assert (away.state, away.left_with) == kept_with
    cast.law()


@pytest.mark.rule("R-03", "X-03")
@pytest.mark.parametrize("follows", [True, False])
def test_a_lost_connection_keeps_the_place_only_for_the_time_bank_of_the_room(
    room: Redis, follows: bool
) -> None:
    game = pools.pool(sit_out_ms=3_600_000, disconnect_ms=20_000)
    users = pools.joined(game, 3)
    [table] = pools.tables(game)
    state = cast.begin(room, table)
    assert state.turn is not None
    actor = state.at(state.turn.seat).user
    gone = next(user for user in users if user.pk == actor)
    if follows:
        room.hset(keys.gateways(0), "web-0001", int(time.time() * 1_000))
        tabs = keys.tabs(keys.table(table.pk), settings.SHARDS)
        room.hset(tabs, str(gone.pk), "web-0001-a-socket")
    playing.put_in(room, state, gone.pk, SitOut(id="away", table=table.pk))
    advance.advance(room, table.pk)
    pools.fold_to_end(room, table)
    session = pools.session(gone)
    assert session.absent_since is not None and session.due_at is not None
    kept = session.due_at - session.absent_since
    assert round(kept.total_seconds()) == (3_600 if follows else 20)
    before = timezone.now() - timedelta(seconds=30)
    RingSession.objects.filter(pk=session.pk).update(absent_since=before, due_at=before)
    for one in pools.tables(game):
        settle.settle(room, one.pk)
    session.refresh_from_db()
    assert session.state == ("seated" if follows else "left")
    cast.law()
