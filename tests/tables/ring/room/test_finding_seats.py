"""The quick seat and the waiting list of games with many tables touch only what they need."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.users import own_limits
from tables.models import Table
from tables.ring.models import RingGame, RingSession
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
