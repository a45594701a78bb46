"""Notices of ring games reach the players they concern, each once (R-01, J-01, A-03)."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.utils import timezone
from redis import Redis

from accounts.models import User
from tables.models import Hand, Table
from tables.ring.engine.jackpots import JACKPOTS
from tables.ring.models import Jackpot, JackpotWin, RingGame, RingSession, WaitingPlayer
from tables.ring.models.jackpot import builtins_of
from tables.ring.sessions import leaving, operating, sit_down, top_up, waiting_list
from tests.tables.ring.rapid import rapid_cast as pools
from tests.tables.ring.room import cast
from tests.tables.ring.room.hearing import heard

pytestmark = pytest.mark.django_db(transaction=True)


def next_boundary(room: Redis, table: Table) -> None:
    """Play the granted hand, if there is one, and pass the boundary after it."""
    if cast.boundary(room, table).phase == "granted":
        cast.fold_around(room, table)
        cast.boundary(room, table)


def offered() -> Jackpot.Kind:
    """Offer the bad beat jackpot with its usual terms, and return its kind."""
    kind = Jackpot.Kind.BAD_BEAT
    terms = builtins_of(JACKPOTS[kind.value])
    Jackpot.objects.update_or_create(kind=kind, defaults={"stored_terms": terms})
    return kind


def won_later(table: Table, user: User) -> None:
    """Let the last hand of a table win a jackpot whose cards are shown in an hour."""
    JackpotWin.objects.create(
        jackpot=Jackpot.objects.get(kind=Jackpot.Kind.BAD_BEAT),
        hand=Hand.objects.get(table=table),
        user=user,
        name=user.name,
        role="loser",
        amount=35_00,
        pool=100_00,
        released_at=timezone.now() + timedelta(hours=1),
    )


@pytest.mark.rule("R-01")
def test_an_offered_seat_is_told_with_its_end(room: Redis) -> None:
    ring = cast.game(seats_max=2)
    table, users = cast.table_of(ring), [cast.player() for _ in range(3)]
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users[:2]]
    waiting_list.join(users[2], ring.pk)
    leaving.leave(users[0], sessions[0].pk)
    cast.boundary(room, table)
    place = WaitingPlayer.objects.get()
    assert place.offered_until is not None
    [notice] = heard(users[2])
    assert notice == {
        "type": "ring_seat_offered",
        "game": ring.pk,
        "name": "Ring",
        "table": table.pk,
        "number": 1,
        "seat": sessions[0].seat,
        "offer": place.pk,
        "until_ms": int(place.offered_until.timestamp() * 1_000),
    }
    assert heard(users[0]) == [], "who leaves by choice is told nothing"


@pytest.mark.rule("R-01")
def test_a_place_on_a_waiting_list_that_ends_is_told_with_its_cause(room: Redis) -> None:
    ring = cast.game(seats_max=2)
    RingGame.objects.update(offer_ms=1)
    table, users = cast.table_of(ring), [cast.player() for _ in range(4)]
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users[:2]]
    waiting_list.join(users[2], ring.pk)
    leaving.leave(users[0], sessions[0].pk)
    cast.boundary(room, table)
    time.sleep(0.01)
    cast.boundary(room, table)
    told = {"type": "ring_wait_ended", "game": ring.pk, "name": ring.name}
    assert heard(users[2])[1:] == [told | {"reason": "expired"}]
    sit_down.sit(users[0], ring.pk, amount=cast.BUY_IN)
    waiting_list.join(users[3], ring.pk)
    operating.close_after_hand(None, ring.pk, "the night is over")
    assert heard(users[3]) == [told | {"reason": "closed"}]
    assert not WaitingPlayer.objects.exists()


@pytest.mark.rule("A-03")
def test_a_top_up_that_the_account_does_not_cover_is_told_once(room: Redis) -> None:
    ring = cast.game(buy_in_min=100_00)
    table = cast.table_of(ring)
    poor, rich = cast.player(balance=100_00), cast.player()
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in (poor, rich)]
    top_up.set_auto(poor, sessions[0].pk, True)
    cast.fold_around(room, table)
    next_boundary(room, table)
    notices = [notice for notice in heard(poor) if notice["type"] == "ring_top_up_missed"]
    assert [(notice["balance"], notice["left"]) for notice in notices] == [(0, None)]
    assert not RingSession.objects.get(pk=sessions[0].pk).auto_top_up
    assert heard(rich) == []


@pytest.mark.parametrize("rapid", [False, True])
def test_a_player_who_is_taken_off_the_table_is_told(room: Redis, rapid: bool) -> None:
    ring, taken, left = cast.game(rapid=rapid), cast.player(), cast.player()
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in (taken, left)]
    operating.kick(None, sessions[0].pk, "plays from two accounts")
    leaving.leave(left, sessions[1].pk)
    cast.boundary(room, Table.objects.get(game=ring.pk))
    [notice] = heard(taken)
    assert (notice["type"], notice["reason"]) == ("ring_seat_freed", "taken_off")
    assert notice["amount"] == cast.BUY_IN and heard(left) == []


@pytest.mark.rule("X-03")
def test_a_freed_seat_is_told_with_its_stack(room: Redis) -> None:
    ring = cast.game()
    table, user = cast.table_of(ring), cast.player()
    sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    cast.boundary(room, table)
    operating.close_after_hand(None, ring.pk, "the night is over")
    cast.boundary(room, table)
    [notice] = heard(user)
    assert (notice["type"], notice["reason"]) == ("ring_seat_freed", "closed")
    assert notice["amount"] == cast.BUY_IN and cast.balance(user) == cast.BALANCE


@pytest.mark.rule("J-01")
def test_a_jackpot_is_told_to_all_its_players_once_its_cards_are_shown(room: Redis) -> None:
    kind = offered()
    ring, other, plain = (cast.game(jackpots=kinds) for kinds in ((kind,), (kind,), ()))
    table, users = cast.table_of(ring), [cast.player() for _ in range(2)]
    for user in users:
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    elsewhere, stranger = cast.player(), cast.player()
    sit_down.sit(elsewhere, other.pk, amount=cast.BUY_IN)
    sit_down.sit(stranger, plain.pk, amount=cast.BUY_IN)
    cast.fold_around(room, table)
    won_later(table, users[0])
    next_boundary(room, table)
    assert all(heard(user) == [] for user in (*users, elsewhere)), "its cards are not shown yet"
    JackpotWin.objects.update(released_at=timezone.now())
    next_boundary(room, table)
    next_boundary(room, table)
    for user, amount in ((users[0], 35_00), (users[1], 0), (elsewhere, 0)):
        [notice] = heard(user)
        assert (notice["type"], notice["jackpot"]) == ("jackpot_fell", kind)
        assert (notice["pool"], notice["amount"]) == (100_00, amount)
    assert heard(stranger) == []


@pytest.mark.rule("J-01", "R-03")
@pytest.mark.parametrize("rapid", [False, True])
def test_a_table_that_closes_tells_of_its_jackpot_first(room: Redis, rapid: bool) -> None:
    kind = offered()
    ring = pools.pool(jackpots=(kind,)) if rapid else cast.game(jackpots=(kind,))
    users = [cast.player() for _ in range(2)]
    for user in users:
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    table = Table.objects.filter(game=ring.pk).earliest("pk")
    cast.fold_around(room, table)
    won_later(table, users[0])
    operating.close_after_hand(None, ring.pk, "the night is over")
    next_boundary(room, table)
    assert cast.boundary(room, table).phase == "boundary", "the cards are not shown yet"
    assert {row.state for row in RingSession.objects.filter(game=ring)} == {"left"}
    JackpotWin.objects.update(released_at=timezone.now())
    assert cast.boundary(room, table).phase == "closed"
    fell = [notice for notice in heard(users[0]) if notice["type"] == "jackpot_fell"]
    assert [notice["amount"] for notice in fell] == [35_00]
