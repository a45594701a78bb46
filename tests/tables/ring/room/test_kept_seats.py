"""Seats of absent players are kept by why they are absent (X-03)."""

from __future__ import annotations

import random
import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.utils import timezone
from redis import Redis

from tables.models import Hand, Seat, Table
from tables.records import stored
from tables.ring.models import RingSession
from tables.ring.sessions import operating, sit_down, top_up
from tables.store import keys
from tables.wire.client_commands import SitOut
from tables.workers import advance
from tests.tables import playing
from tests.tables.ring.room import cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.rule("X-03")]

WEB = "web-0001"


@pytest.mark.rule("A-03")
@pytest.mark.parametrize("covered", [True, False])
def test_automatic_top_up_saves_a_seat_without_a_time_to_rebuy(room: Redis, covered: bool) -> None:
    ring = cast.game(rebuy_ms=0, buy_in_max=40_00)
    table, chance = cast.table_of(ring), random.Random(11)
    users = [cast.player(balance=cast.BALANCE if covered else 40_00) for _ in range(3)]
    sessions = [sit_down.sit(user, ring.pk, amount=40_00) for user in users]
    for user, session in zip(users, sessions, strict=True):
        top_up.set_auto(user, session.pk, True)
    broke: list[int] = []
    while not broke:
        cast.play_hand(room, table, chance)
        hand = stored.decode(bytes(Hand.objects.filter(table=table).latest("number").record))
        broke = [row.seat for row in hand.result.stacks_after if not row.chips]
    cast.boundary(room, table)
    session = RingSession.objects.get(table=table, seat=broke[0])
    if covered:
        assert (session.state, cast.stack(session)) == (RingSession.State.SEATED, 40_00)
        assert session.purchases > 1
    else:
        assert session.state == RingSession.State.LEFT
    cast.law()


def sitting_out(room: Redis, *, follows: bool, sit_out_ms: int) -> tuple[Table, RingSession]:
    """A table of four with one who sits out, with or without a connection; past a boundary."""
    ring = cast.game(sit_out_ms=sit_out_ms, disconnect_ms=20_000)
    table, users = cast.table_of(ring), [cast.player() for _ in range(4)]
    rows = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users]
    state = cast.begin(room, table)
    follow(room, table, rows[0], follows)
    playing.put_in(room, state, users[0].pk, SitOut(id="away", table=table.pk))
    advance.advance(room, table.pk)
    next_boundary(room, table)
    rows[0].refresh_from_db()
    assert rows[0].absent_since is not None
    return table, rows[0]


def follow(room: Redis, table: Table, session: RingSession, follows: bool) -> None:
    """Connect a player to a table, or lose the connection."""
    room.hset(keys.gateways(0), WEB, int(time.time() * 1_000))
    tabs = keys.tabs(keys.table(table.pk), settings.SHARDS)
    if follows:
        room.hset(tabs, str(session.user_id), f"{WEB}-a-socket")
    else:
        room.hdel(tabs, str(session.user_id))


def next_boundary(room: Redis, table: Table) -> None:
    cast.fold_around(room, table)
    cast.boundary(room, table)


def after_s(room: Redis, table: Table, session: RingSession, seconds: int) -> str:
    """Let so many seconds of the absence pass, and return the state after a boundary."""
    session.refresh_from_db()
    assert session.absent_since is not None
    session.absent_since -= timedelta(seconds=seconds)
    session.save(update_fields=["absent_since"])
    next_boundary(room, table)
    session.refresh_from_db()
    return session.state


@pytest.mark.parametrize("follows", [True, False])
def test_a_lost_connection_shortens_no_absence_by_choice(room: Redis, follows: bool) -> None:
    table, session = sitting_out(room, follows=follows, sit_out_ms=3_600_000)
    follow(room, table, session, False)
    assert after_s(room, table, session, 30) == ("seated" if follows else "left")
    if follows:
        assert after_s(room, table, session, 3_600) == "left"
    cast.law()


def test_a_player_who_is_connected_again_has_the_time_to_sit_out(room: Redis) -> None:
    table, session = sitting_out(room, follows=False, sit_out_ms=3_600_000)
    follow(room, table, session, True)
    assert after_s(room, table, session, 30) == "seated"
    follow(room, table, session, False)
    assert after_s(room, table, session, 30) == "seated"
    cast.law()


def test_sitting_out_without_an_end_ends_with_the_time_after_the_loss(room: Redis) -> None:
    table, session = sitting_out(room, follows=True, sit_out_ms=0)
    assert after_s(room, table, session, 30) == "seated"
    follow(room, table, session, False)
    before = timezone.now()
    assert after_s(room, table, session, 0) == "seated"
    assert session.absent_since is not None and session.absent_since >= before
    assert after_s(room, table, session, 30) == "left"
    cast.law()


@pytest.mark.rule("R-01")
def test_a_paused_game_keeps_the_seats_of_players_who_are_away(room: Redis) -> None:
    table, away = sitting_out(room, follows=False, sit_out_ms=20_000)
    operating.freeze(None, table.game, "dinner")
    cast.fold_around(room, table)
    long_ago = timezone.now() - timedelta(hours=1)
    RingSession.objects.filter(pk=away.pk).update(absent_since=long_ago)
    assert cast.boundary(room, table).waiting == "paused"
    away.refresh_from_db()
    assert away.state == "seated" and away.absent_since is not None
    assert away.absent_since > long_ago
    operating.unfreeze(None, table.game, "dinner is over")
    assert after_s(room, table, away, 30) == "left"
    cast.law()


@pytest.mark.rule("R-01", "A-03")
@pytest.mark.parametrize("frozen", [False, True])
def test_a_paused_game_keeps_the_seat_of_a_player_without_chips(room: Redis, frozen: bool) -> None:
    table = cast.table_of(cast.game())
    for _ in range(2):
        sit_down.sit(cast.player(), table.game, amount=cast.BUY_IN)
    chance = random.Random(1)
    while (broke := Seat.objects.filter(table=table, chips=0).first()) is None:
        cast.play_hand(room, table, chance)
    if frozen:
        operating.freeze(None, table.game, "dinner")
    cast.boundary(room, table)
    session = RingSession.objects.filter(pk=broke.entry)
    assert session.filter(state="seated", rebuy_until__gt=timezone.now()).exists()
    session.update(rebuy_until=timezone.now())
    cast.boundary(room, table)
    assert session.get().state == ("seated" if frozen else "left")
    cast.law()
