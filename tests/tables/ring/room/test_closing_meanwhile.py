"""Tables that close while a buy-in is under way: one transaction waits for the other (R-01)."""

from __future__ import annotations

import pytest
from redis import Redis

from accounts.models import User
from accounts.refusals import words_of
from tables.dealer.grants import Close, Wait
from tables.models import Table
from tables.ring.models import RingGame, RingSession
from tables.ring.refusals import NoSuchRingGame, NoSuchRingTable, SeatTakenAlready
from tables.ring.running.director import RingDirector
from tables.ring.sessions import leaving, operating, sit_down
from tests.tables.ring.room import cast
from tests.tables.ring.room.two_transactions import meanwhile

pytestmark = pytest.mark.django_db(transaction=True)


def _buy(user: User, ring: RingGame, table: int | None = None, seat: int | None = None) -> object:
    return sit_down.sit(user, ring.pk, amount=cast.BUY_IN, table_id=table, seat=seat)


def _nothing_bought(user: User) -> None:
    assert cast.balance(user) == cast.BALANCE
    assert not RingSession.objects.filter(user=user).exists()
    cast.law()


def _surplus(room: Redis) -> tuple[RingGame, Table]:
    """A game with a full first table, and a second one that its only player has left."""
    ring = cast.game(seats_max=2, tables_max=2)
    sessions = [sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN) for _ in range(3)]
    leaving.leave(sessions[2].user, sessions[2].pk)
    return ring, cast.seated_at(sessions[2])


def test_a_buy_in_after_a_closing_that_is_not_committed_is_refused(room: Redis) -> None:
    ring, user = cast.game(), cast.player()
    closed, answer = meanwhile(
        lambda: operating.close_after_hand(None, ring.pk, "closes"), lambda: _buy(user, ring)
    )
    assert isinstance(closed, RingGame) and isinstance(answer, NoSuchRingGame)
    _nothing_bought(user)


def test_a_closing_after_a_buy_in_that_is_not_committed_pays_it_back(room: Redis) -> None:
    ring, user = cast.game(), cast.player()
    table = cast.table_of(ring)
    session, closed = meanwhile(
        lambda: _buy(user, ring), lambda: operating.close_after_hand(None, ring.pk, "closes")
    )
    assert isinstance(session, RingSession) and isinstance(closed, RingGame)
    cast.boundary(room, table)
    session.refresh_from_db()
    assert (session.state, session.left_with) == (RingSession.State.LEFT, cast.BUY_IN)
    assert cast.balance(user) == cast.BALANCE
    cast.law()


def test_a_seat_of_a_table_that_closes_meanwhile_is_refused(room: Redis) -> None:
    ring, table = _surplus(room)
    user = cast.player()
    told, answer = meanwhile(
        lambda: RingDirector().next(table.pk, table.hand + 1),
        lambda: _buy(user, ring, table.pk, 2),
    )
    assert isinstance(told, Close) and isinstance(answer, NoSuchRingTable)
    _nothing_bought(user)


def test_the_quick_seat_opens_another_table_when_the_free_one_closes_meanwhile(
    room: Redis,
) -> None:
    ring, table = _surplus(room)
    user = cast.player()
    told, session = meanwhile(
        lambda: RingDirector().next(table.pk, table.hand + 1), lambda: _buy(user, ring)
    )
    assert isinstance(told, Close) and isinstance(session, RingSession)
    assert session.table_id != table.pk and cast.seated_at(session).status == Table.Status.OPEN
    cast.law()


def test_a_table_with_a_buy_in_under_way_does_not_close(room: Redis) -> None:
    ring, table = _surplus(room)
    session, told = meanwhile(
        lambda: _buy(cast.player(), ring, table.pk, 2),
        lambda: RingDirector().next(table.pk, table.hand + 1),
    )
    assert isinstance(session, RingSession) and isinstance(told, Wait), (session, told)
    session.refresh_from_db()
    assert (session.state, cast.stack(session)) == (RingSession.State.SEATED, cast.BUY_IN)
    cast.law()


def test_a_game_whose_last_tables_close_at_once_is_closed(room: Redis) -> None:
    ring = cast.game(tables_min=2, tables_max=2)
    [first, second] = Table.objects.filter(game=ring.pk)
    operating.close_after_hand(None, ring.pk, "closes")
    answers = meanwhile(
        lambda: RingDirector().next(first.pk, 1), lambda: RingDirector().next(second.pk, 1)
    )
    assert [type(answer) for answer in answers] == [Close, Close]
    ring.refresh_from_db()
    assert ring.state == RingGame.State.CLOSED


@pytest.mark.rule("A-03")
def test_a_seat_taken_in_a_transaction_under_way_is_refused(room: Redis) -> None:
    ring, first, second = cast.game(), cast.player(), cast.player()
    table = cast.table_of(ring).pk
    won, lost = meanwhile(lambda: _buy(first, ring, table, 3), lambda: _buy(second, ring, table, 3))
    assert isinstance(won, RingSession) and isinstance(lost, SeatTakenAlready)
    assert "taken" in words_of(lost)
    _nothing_bought(second)
    assert cast.balance(first) == cast.BALANCE - cast.BUY_IN
