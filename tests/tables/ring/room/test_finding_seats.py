"""The quick seat and the waiting list of games with many tables touch only what they need."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis import Redis

from accounts.users import own_limits
from tables.models import Table
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.queries import lobby
from tables.ring.refusals import NoFreeSeat
from tables.ring.sessions import leaving, locks, seats, sit_down, waiting_list
from tests.tables.ring.room import cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.rule("R-01")]


def _full(tables: int, **terms: object) -> RingGame:
    """A game of this many tables of two, all full; another may open."""
    usual = {"seats_max": 2, "tables_min": tables, "tables_max": tables + 1}
    game = cast.game(**(usual | terms))
    for _ in range(2 * tables):
        sit_down.sit(cast.player(), game.pk, amount=cast.BUY_IN)
    assert set(seats.free_by_table(game).values()) == {0}
    return game


def test_full_tables_are_neither_locked_nor_read_one_by_one(room: Redis) -> None:
    counts = []
    for tables in (1, 6):
        game, user = _full(tables), cast.player()
        with CaptureQueriesContext(connection) as queries:
            sit_down.sit(user, game.pk, amount=cast.BUY_IN)
        counts.append(len(queries))
    assert counts[0] == counts[1] > 0, counts


@pytest.mark.parametrize("waits", [False, True])
def test_hands_of_full_tables_hold_nobody_up(room: Redis, waits: bool) -> None:
    game, user = _full(3, **({"tables_max": 3} if waits else {})), cast.player()
    ask = waiting_list.join if waits else _quick

    def asked() -> None:
        try:
            ask(user, game.pk)
        finally:
            connection.close()

    with transaction.atomic(), ThreadPoolExecutor(1) as pool:
        for pk in seats.free_by_table(game):
            locks.table(pk)
        pool.submit(asked).result(timeout=60)


def _quick(user: object, game: int) -> RingSession:
    return sit_down.sit(user, game, amount=cast.BUY_IN)  # type: ignore[arg-type]


def test_the_fullest_table_with_a_free_seat_is_found(room: Redis) -> None:
    game = cast.game(seats_max=3, tables_min=3, tables_max=3)
    [first, second, third] = Table.objects.filter(game=game.pk).order_by("pk")
    for table, count in ((first, 1), (second, 2), (third, 3)):
        for _ in range(count):
            sit_down.sit(cast.player(), game.pk, amount=cast.BUY_IN, table_id=table.pk)
    assert seats.free_by_table(game) == {third.pk: 0, second.pk: 1, first.pk: 2}
    found = [_quick(cast.player(), game.pk).table_id for _ in range(3)]
    assert found == [second.pk, first.pk, first.pk]


def test_a_player_of_a_game_gets_a_seat_at_another_of_its_tables(room: Redis) -> None:
    game, user = cast.game(seats_max=3, tables_min=2, tables_max=2), cast.player()
    tables = {_quick(user, game.pk).table_id for _ in range(2)}
    assert len(tables) == 2


def test_a_seat_that_is_free_again_is_offered_to_whoever_waits(room: Redis) -> None:
    game = _full(2, tables_max=2)
    place = waiting_list.join(cast.player(), game.pk)
    left = RingSession.objects.filter(game=game).first()
    assert left is not None and left.table is not None
    leaving.leave(left.user, left.pk)
    cast.boundary(room, left.table)
    place.refresh_from_db()
    assert (place.offered_table_id, place.offered_seat) == (left.table_id, left.seat)


def test_a_table_that_all_leave_stays_open_for_whoever_waits(room: Redis) -> None:
    game = _full(2, tables_min=1, tables_max=2)
    place = waiting_list.join(cast.player(), game.pk)
    table = Table.objects.filter(game=game.pk).latest("number")
    for session in RingSession.objects.filter(table=table):
        leaving.leave(session.user, session.pk)
    assert cast.boundary(room, table).phase == "boundary"
    place.refresh_from_db()
    assert place.offered_table_id == table.pk
    waiting_list.give_up(place.user, game.pk)
    assert cast.boundary(room, table).phase == "closed"


def test_a_player_who_waits_for_a_table_that_closes_waits_for_any(room: Redis) -> None:
    game = _full(2, tables_min=1, tables_max=2)
    table = Table.objects.filter(game=game.pk).latest("number")
    place = waiting_list.join(cast.player(), game.pk, table.pk)
    own_limits.exclude(place.user, 1)
    for session in RingSession.objects.filter(table=table):
        leaving.leave(session.user, session.pk)
    assert cast.boundary(room, table).phase == "closed", "nobody may take its seats"
    place.refresh_from_db()
    assert place.table_id is None


@pytest.mark.parametrize("declined", [False, True], ids=["lapsed", "declined"])
def test_a_seat_whose_offer_ends_in_a_hand_goes_to_the_next_player(
    room: Redis, declined: bool
) -> None:
    game = cast.game(seats_max=3)
    table, users = cast.table_of(game), [cast.player() for _ in range(3)]
    sessions = [_quick(user, game.pk) for user in users]
    first, second = [waiting_list.join(cast.player(), game.pk) for _ in range(2)]
    leaving.leave(users[0], sessions[0].pk)
    assert cast.begin(room, table).phase == "hand"
    first.refresh_from_db()
    assert first.offered_seat == sessions[0].seat
    if declined:
        waiting_list.give_up(first.user, game.pk)
    else:
        WaitingPlayer.objects.filter(pk=first.pk).update(offered_until=timezone.now())
    strangers = [cast.player(), cast.player(), first.user]
    for user in strangers[: 2 if declined else 3]:
        with pytest.raises(NoFreeSeat):
            _quick(user, game.pk)
    with pytest.raises(NoFreeSeat):
        sit_down.sit(strangers[0], game.pk, amount=cast.BUY_IN, table_id=table.pk)
    assert lobby.row(game, strangers[0]).free == 0
    assert not lobby.has_seat(table, strangers[0])
    [shown] = lobby.tables(game, strangers[0])
    assert shown.free == 0
    waiting_list.join(strangers[0], game.pk)
    cast.fold_around(room, table)
    cast.boundary(room, table)
    second.refresh_from_db()
    assert second.offered_seat == sessions[0].seat
    assert waiting_list.take(second.user, second.pk, cast.BUY_IN).seat == sessions[0].seat
    cast.law()


def test_a_seat_is_kept_from_strangers_and_not_from_the_first_who_waits(room: Redis) -> None:
    game = cast.game(seats_max=2)
    users = [cast.player() for _ in range(2)]
    first, second = [WaitingPlayer.objects.create(game=game, user=user) for user in users]
    for user in (cast.player(), None):
        assert lobby.row(game, user).free == 0
    assert (lobby.row(game, users[0]).free, lobby.row(game, users[1]).free) == (2, 1)
    WaitingPlayer.objects.filter(pk=first.pk).update(passed_over=True)
    assert (lobby.row(game, None).free, lobby.row(game, users[1]).free) == (1, 2)
    _quick(users[1], game.pk)
    assert not WaitingPlayer.objects.filter(pk=second.pk).exists()
    assert lobby.row(game, None).free == 1
    _quick(cast.player(), game.pk)


def test_a_player_who_cannot_pay_keeps_no_seat_from_others(room: Redis) -> None:
    game = cast.game(seats_max=2)
    table, place = cast.table_of(game), WaitingPlayer.objects.create(game=game, user=cast.player())
    own_limits.exclude(place.user, 1)
    _quick(cast.player(), game.pk)
    with pytest.raises(NoFreeSeat):
        _quick(cast.player(), game.pk)
    cast.boundary(room, table)
    place.refresh_from_db()
    assert (place.passed_over, place.offered_seat) == (True, None)
    assert _quick(cast.player(), game.pk).table_id == table.pk


def test_a_player_who_waits_for_one_table_keeps_no_seat_of_another(room: Redis) -> None:
    game = cast.game(seats_max=2, tables_min=2, tables_max=2)
    [one, other] = Table.objects.filter(game=game.pk).order_by("pk")
    for _ in range(2):
        WaitingPlayer.objects.create(game=game, user=cast.player(), table=one)
    stranger = cast.player()
    with pytest.raises(NoFreeSeat):
        sit_down.sit(stranger, game.pk, amount=cast.BUY_IN, table_id=one.pk)
    assert seats.open_by_table(game, stranger.pk) == {one.pk: 0, other.pk: 2}
    assert _quick(stranger, game.pk).table_id == other.pk
