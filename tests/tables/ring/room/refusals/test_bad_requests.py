"""Bad requests of a seated or waiting player: refused in words, no row changes (A-03, H-09)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from redis import Redis

from tables.dealer.state import TableState
from tables.ring.models import RingSession, WaitingPlayer
from tables.ring.refusals import NotWaiting
from tables.ring.sessions import choices, leaving, locks, sit_down, top_up, waiting_list
from tests.tables.ring.room import cast
from tests.tables.ring.room.refusals.unchanged import facts, refused
from tests.tables.ring.room.two_transactions import meanwhile

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.rule("A-03")
@pytest.mark.parametrize(
    ("amount", "code", "named"),
    [
        (50_01, "top_up_too_large", "50.00"),
        (0, "top_up_too_small", "0.01"),
        (-5, "top_up_too_small", "0.01"),
    ],
)
def test_a_top_up_outside_the_limits(room: Redis, amount: int, code: str, named: str) -> None:
    ring, user = cast.game(), cast.player()
    session = sit_down.sit(user, ring.pk, amount=150_00).pk
    assert named in refused(code, lambda: top_up.top_up(user, session, amount))


@pytest.mark.rule("A-03")
def test_a_top_up_of_a_full_stack_an_empty_account_or_a_stranger(room: Redis) -> None:
    ring, user, poor = cast.game(), cast.player(), cast.player(balance=40_00)
    session = sit_down.sit(user, ring.pk, amount=150_00).pk
    broke = sit_down.sit(poor, ring.pk, amount=40_00).pk
    refused("not_at_table", lambda: top_up.top_up(poor, session, 10_00))
    refused("not_at_table", lambda: top_up.top_up(user, session + 1_000, 10_00))
    refused("insufficient_funds", lambda: top_up.top_up(poor, broke, 1))
    top_up.top_up(user, session, 50_00)
    refused("stack_full", lambda: top_up.top_up(user, session, 1))


@pytest.mark.rule("A-03", "B-05")
def test_a_top_up_during_a_hand_waits_and_its_limits_count_what_waits(room: Redis) -> None:
    ring = cast.game()
    table, users = cast.table_of(ring), [cast.player(), cast.player()]
    first, _ = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users]
    before = _stacks(cast.begin(room, table))
    top_up.top_up(users[0], first.pk, 60_00)
    first.refresh_from_db()
    assert (cast.stack(first), first.coming) == (cast.BUY_IN, 60_00)
    assert _stacks(cast.begin(room, table)) == before, "chips entered a hand that was dealt"
    refused("top_up_too_large", lambda: top_up.top_up(users[0], first.pk, 40_01))
    cast.fold_around(room, table)
    assert sum(_stacks(cast.begin(room, table)).values()) == 2 * cast.BUY_IN + 60_00
    first.refresh_from_db()
    assert first.coming == 0
    cast.law()


@pytest.mark.rule("A-03")
def test_leaving_twice_pays_once_and_then_every_request_is_refused(room: Redis) -> None:
    ring = cast.game()
    table, users = cast.table_of(ring), [cast.player(), cast.player()]
    first, _ = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users]
    cast.begin(room, table)
    leaving.leave(users[0], first.pk)
    before = facts()
    leaving.leave(users[0], first.pk)
    assert facts() == before
    refused("leaving", lambda: top_up.top_up(users[0], first.pk, 5_00))
    assert cast.balance(users[0]) == cast.BALANCE - cast.BUY_IN
    cast.fold_around(room, table)
    cast.boundary(room, table)
    first.refresh_from_db()
    assert first.state == RingSession.State.LEFT and abs(first.left_with - cast.BUY_IN) <= 100
    assert cast.balance(users[0]) == cast.BALANCE - cast.BUY_IN + first.left_with
    for act in (
        lambda: leaving.leave(users[0], first.pk),
        lambda: top_up.top_up(users[0], first.pk, 5_00),
        lambda: top_up.set_auto(users[0], first.pk, True),
        lambda: choices.set_posting(users[0], first.pk, True),
        lambda: choices.set_straddle(users[0], first.pk, False),
    ):
        refused("not_at_table", act)


@pytest.mark.rule("H-09")
def test_a_straddle_where_the_game_has_none_or_of_another_player(room: Redis) -> None:
    user = cast.player()
    session = sit_down.sit(user, cast.game().pk, amount=cast.BUY_IN).pk
    refused("no_straddle", lambda: choices.set_straddle(user, session, True))
    offered = sit_down.sit(user, cast.game(straddle=True).pk, amount=cast.BUY_IN).pk
    stranger = cast.player()
    refused("not_at_table", lambda: choices.set_straddle(stranger, offered, True))


@pytest.mark.rule("H-09")
def test_a_straddle_of_a_wrong_seat_or_after_the_deal_puts_no_chip_in(room: Redis) -> None:
    """The first hand has none: its button is drawn with the deal, nobody is left of it before."""
    ring = cast.game(straddle=True)
    table, users = cast.table_of(ring), [cast.player() for _ in range(4)]
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in users]
    for row in sessions:
        choices.set_straddle(row.user, row.pk, True)
    state = cast.begin(room, table)
    assert _straddles(state) == []
    for row in sessions:
        choices.set_straddle(row.user, row.pk, False)
    cast.fold_around(room, table)
    state = cast.begin(room, table)
    assert state.positions is not None and state.positions.big_blind is not None
    left = state.positions.big_blind % 4 + 1
    before = _stacks(state)
    choices.set_straddle(users[left - 1], sessions[left - 1].pk, True)
    after = cast.begin(room, table)
    assert (after.hand_number, _stacks(after), _straddles(after)) == (
        state.hand_number,
        before,
        [],
    )
    cast.fold_around(room, table)
    wrong = cast.begin(room, table)
    assert wrong.positions is not None and wrong.positions.big_blind == left
    assert _straddles(wrong) == [], "the seat that asked is the big blind now"
    for _ in range(3):
        cast.fold_around(room, table)
    assert _straddles(cast.begin(room, table)) == [(left, 200)]
    cast.law()


@pytest.mark.rule("R-01")
def test_waiting_while_a_seat_is_free_twice_or_not_at_all(room: Redis) -> None:
    ring, players = cast.game(seats_max=2), [cast.player() for _ in range(4)]
    refused("seat_free", lambda: waiting_list.join(players[2], ring.pk))
    for user in players[:2]:
        sit_down.sit(user, ring.pk, amount=cast.BUY_IN)
    refused("no_free_seat", lambda: sit_down.sit(players[2], ring.pk, amount=cast.BUY_IN))
    refused("seated_already", lambda: waiting_list.join(players[0], ring.pk))
    refused("no_such_table", lambda: waiting_list.join(players[2], ring.pk, 10**9))
    waiting_list.join(players[2], ring.pk)
    refused("waiting_already", lambda: waiting_list.join(players[2], ring.pk))
    refused("not_waiting", lambda: waiting_list.give_up(players[3], ring.pk))


@pytest.mark.rule("R-01")
def test_an_offer_is_held_for_its_player_and_not_taken_after_its_end(room: Redis) -> None:
    ring, players = cast.game(seats_max=2), [cast.player() for _ in range(4)]
    sessions = [sit_down.sit(user, ring.pk, amount=cast.BUY_IN) for user in players[:2]]
    place = waiting_list.join(players[2], ring.pk)
    refused("offer_expired", lambda: waiting_list.take(players[2], place.pk, cast.BUY_IN))
    leaving.leave(players[0], sessions[0].pk)
    cast.boundary(room, cast.table_of(ring))
    place.refresh_from_db()
    assert place.offered_seat == sessions[0].seat
    refused("no_free_seat", lambda: sit_down.sit(players[3], ring.pk, amount=cast.BUY_IN))
    refused("not_waiting", lambda: waiting_list.take(players[3], place.pk, cast.BUY_IN))
    until = place.offered_until
    WaitingPlayer.objects.filter(pk=place.pk).update(offered_until=timezone.now())
    refused("offer_expired", lambda: waiting_list.take(players[2], place.pk, cast.BUY_IN))
    WaitingPlayer.objects.filter(pk=place.pk).update(offered_until=until)
    refused("buy_in_too_small", lambda: waiting_list.take(players[2], place.pk, 1))
    assert waiting_list.take(players[2], place.pk, cast.BUY_IN).seat == sessions[0].seat
    assert not WaitingPlayer.objects.exists()
    cast.law()


@pytest.mark.rule("R-01")
def test_an_offer_that_goes_to_the_next_player_meanwhile_is_not_taken(room: Redis) -> None:
    ring, players = cast.game(seats_max=2), [cast.player() for _ in range(2)]
    offer = {
        "offered_table": cast.table_of(ring),
        "offered_seat": 2,
        "offered_until": timezone.now() + timedelta(minutes=1),
    }
    former, following = (WaitingPlayer.objects.create(game=ring, user=one) for one in players)
    WaitingPlayer.objects.filter(pk=former.pk).update(**offer)

    def pass_on() -> None:
        """Do what a boundary does at the end of an offer."""
        locks.table(cast.table_of(ring).pk)
        former.delete()
        WaitingPlayer.objects.filter(pk=following.pk).update(**offer)

    place = former.pk
    _, answer = meanwhile(pass_on, lambda: waiting_list.take(players[0], place, cast.BUY_IN))
    assert isinstance(answer, NotWaiting)
    assert waiting_list.take(players[1], following.pk, cast.BUY_IN).seat == 2
    assert cast.balance(players[0]) == cast.BALANCE
    cast.law()


def _stacks(state: TableState) -> dict[int, int]:
    """Return the chips that each dealt seat began the hand with."""
    assert state.setup is not None
    return {row.seat: row.stack for row in state.setup.players}


def _straddles(state: TableState) -> list[tuple[int, int]]:
    """Return seats and amounts of straddles in the hand in play."""
    assert state.setup is not None
    return [
        (row.seat, post.amount)
        for row in state.setup.players
        for post in row.posts
        if post.kind == "straddle"
    ]
