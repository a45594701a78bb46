"""Refused requests of ring games: a sentence for the player, and nothing has changed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from redis import Redis

from accounts.ledger import transfers
from accounts.refusals import InsufficientFunds
from config import limits
from tables.models import Table
from tables.ring import refusals
from tables.ring.engine.refusals import RingRuleRefusal
from tables.ring.models import RingGame, RingSession
from tables.ring.sessions import leaving, sit_down, top_up
from tests.tables.ring.room import cast
from tests.tournaments.cast import at_once
from tournaments.monitor.audit_course import AuditMemory

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.rule("A-03")
@pytest.mark.parametrize(
    ("amount", "code"),
    [(39_99, "buy_in_too_small"), (200_01, "buy_in_too_large"), (0, "buy_in_too_small"),
     (-5, "buy_in_too_small")],
)  # fmt: skip
def test_a_buy_in_outside_the_limits_changes_nothing(room: Redis, amount: int, code: str) -> None:
    ring, user = cast.game(), cast.player()
    with pytest.raises(RingRuleRefusal) as refused:
        sit_down.sit(user, ring.pk, amount=amount)
    assert refused.value.code == code
    assert "40" in refusals.words_of(refused.value)
    _nothing_changed(user)


@pytest.mark.rule("A-01")
def test_a_buy_in_above_the_balance_changes_nothing_and_the_whole_balance_is_enough(
    room: Redis,
) -> None:
    ring, poor = cast.game(), cast.player(balance=50_00)
    with pytest.raises(InsufficientFunds):
        sit_down.sit(poor, ring.pk, amount=50_01)
    _nothing_changed(poor, 50_00)
    sit_down.sit(poor, ring.pk, amount=50_00)
    assert cast.balance(poor) == 0
    cast.law()


@pytest.mark.rule("A-02")
def test_an_entry_level_game_is_joined_with_an_account_overdrawn_to_the_limit(
    room: Redis,
) -> None:
    ring, poor = cast.game(entry_level=True), cast.player(balance=0)
    with pytest.raises(InsufficientFunds):
        sit_down.sit(poor, cast.game().pk, amount=40_00)
    with pytest.raises(InsufficientFunds):
        sit_down.sit(poor, ring.pk, amount=limits.RING_OVERDRAFT_CENTS + 1)
    _nothing_changed(poor, 0)
    sit_down.sit(poor, ring.pk, amount=limits.RING_OVERDRAFT_CENTS)
    assert cast.balance(poor) == -limits.RING_OVERDRAFT_CENTS
    cast.law()


def test_the_audit_finds_chips_without_money(room: Redis) -> None:
    ring = cast.game()
    sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    assert AuditMemory().violations(0.0) == []
    RingSession.objects.update(coming=cast.BUY_IN + 1)
    [found] = AuditMemory().violations(0.0)
    assert "holds 10000 for 0 chips and 10001 coming" in found


def _nothing_changed(user: object, balance: int = cast.BALANCE) -> None:
    assert transfers.held_by(user) == balance  # type: ignore[arg-type]
    assert not RingSession.objects.filter(user=user).exists()
    cast.law()


def test_two_clicks_at_once_on_one_seat_seat_one_player(room: Redis) -> None:
    ring, users = cast.game(), [cast.player() for _ in range(2)]
    table = cast.table_of(ring)

    def click(user: object) -> object:
        return sit_down.sit(
            user,  # type: ignore[arg-type]
            ring.pk,
            amount=cast.BUY_IN,
            table_id=table.pk,
            seat=3,
        )

    answers = at_once(lambda: click(users[0]), lambda: click(users[1]))
    assert sorted(type(answer).__name__ for answer in answers) == [
        "RingSession",
        "SeatTakenAlready",
    ]
    assert sorted(cast.balance(user) for user in users) == [900_00, 1_000_00]
    cast.law()


def test_unknown_games_tables_seats_and_passwords_are_refused(room: Redis) -> None:
    ring, user = cast.game(password="secret"), cast.player()
    for wrong, kind in (
        ({"game_id": 999}, refusals.NoSuchRingGame),
        ({"password": "no"}, refusals.WrongRingPassword),
        ({"table_id": 10**9}, refusals.NoSuchRingTable),
        ({"table_id": cast.table_of(ring).pk, "seat": 7}, refusals.NoSuchSeat),
    ):
        asked = {"game_id": ring.pk, "amount": cast.BUY_IN, "password": "secret"} | wrong
        with pytest.raises(kind):
            sit_down.sit(user, **asked)  # type: ignore[arg-type]
        _nothing_changed(user)
    sit_down.sit(user, ring.pk, amount=cast.BUY_IN, password="secret")
    with pytest.raises(refusals.SeatedAlready):
        sit_down.sit(
            user, ring.pk, amount=cast.BUY_IN, password="secret", table_id=cast.table_of(ring).pk
        )


@pytest.mark.rule("A-03")
def test_coming_back_soon_takes_the_stack_that_left(room: Redis) -> None:
    ring, user = cast.game(), cast.player()
    session = sit_down.sit(user, ring.pk, amount=150_00)
    leaving.leave(user, session.pk)
    cast.boundary(room, cast.table_of(ring))
    with pytest.raises(RingRuleRefusal) as refused:
        sit_down.sit(user, ring.pk, amount=100_00)
    assert refused.value.code == "return_too_small"
    RingSession.objects.update(ended_at=timezone.now() - timedelta(hours=2))
    sit_down.sit(user, ring.pk, amount=100_00)
    cast.law()


@pytest.mark.rule("A-03")
def test_top_ups_outside_the_limits_are_refused(room: Redis) -> None:
    ring, user = cast.game(), cast.player()
    session = sit_down.sit(user, ring.pk, amount=150_00)
    for amount in (0, -1, 50_01):
        with pytest.raises(RingRuleRefusal):
            top_up.top_up(user, session.pk, amount)
    with pytest.raises(refusals.NotAtTable):
        top_up.top_up(cast.player(), session.pk, 10_00)
    assert cast.balance(user) == 850_00
    leaving.leave(user, session.pk)
    with pytest.raises(refusals.LeavingAlready):
        top_up.top_up(user, session.pk, 10_00)
    cast.law()


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"variant": "whist"}, "no_game"),
        ({"limit": "spread"}, "no_limit_of_game"),
        ({"seats_max": 11}, "seats_of_game"),
        ({"small_blind": 0}, "needs_blinds"),
        ({"big_blind": 20}, "bad_blinds"),
        ({"buy_in_min": 50}, "bad_buy_in"),
        ({"buy_in_min": 300_00}, "bad_buy_in"),
        ({"tables_min": 0}, "bad_tables"),
        ({"ante": 5}, "bad_ante"),
    ],
)
def test_contradicting_terms_open_no_game(room: Redis, wrong: dict[str, object], code: str) -> None:
    with pytest.raises(RingRuleRefusal) as refused:
        cast.game(**wrong)
    assert refused.value.code == code
    assert not RingGame.objects.exists() and not Table.objects.exists()
