"""Bad buy-ins: each is refused in words and changes no row (A-01..A-03)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from redis import Redis

from accounts.models import User
from accounts.money import text
from config import limits
from tables.models import Table
from tables.ring.models import RingGame, RingSession, WaitingPlayer
from tables.ring.sessions import leaving, sit_down, top_up, waiting_list
from tests.tables.ring.room import cast
from tests.tables.ring.room.refusals.unchanged import refused
from tournaments.monitor.audit_memory import AuditMemory

pytestmark = pytest.mark.django_db(transaction=True)

OVERDRAFT = limits.RING_OVERDRAFT_CENTS


@pytest.mark.rule("A-01", "A-03")
@pytest.mark.parametrize(
    ("terms", "balance", "amount", "code", "named"),
    [
        ({}, 500_00, 39_99, "buy_in_too_small", ("40.00", "200.00")),
        ({}, 500_00, 0, "buy_in_too_small", ("40.00", "200.00")),
        ({}, 500_00, -5, "buy_in_too_small", ("40.00", "200.00")),
        ({}, 500_00, 200_01, "buy_in_too_large", ("40.00", "200.00")),
        ({"buy_in_min": 200_00}, 500_00, 199_99, "buy_in_exact", ("200.00",)),
        ({"buy_in_min": 200_00}, 500_00, 200_01, "buy_in_exact", ("200.00",)),
        ({}, 50_00, 50_01, "insufficient_funds", ("50.00",)),
        ({}, 0, 40_00, "insufficient_funds", ("0.00",)),
        ({"entry_level": True}, 0, OVERDRAFT + 1, "insufficient_funds", ("0.00",)),
    ],
)
def test_a_buy_in_outside_the_limits_or_the_account(
    room: Redis, terms: dict[str, object], balance: int, amount: int, code: str,
    named: tuple[str, ...],
) -> None:  # fmt: skip
    ring, user = cast.game(**terms), cast.player(balance=balance)
    words = refused(code, lambda: sit_down.sit(user, ring.pk, amount=amount))
    assert all(sum_ in words for sum_ in named), words


@pytest.mark.rule("A-01", "A-02")
@pytest.mark.parametrize(
    ("entry_level", "balance", "amount", "after"),
    [(False, 50_00, 50_00, 0), (True, 0, OVERDRAFT, -OVERDRAFT), (True, 1, 40_00, -39_99)],
)
def test_a_buy_in_of_exactly_as_much_as_the_account_allows_is_taken(
    room: Redis, entry_level: bool, balance: int, amount: int, after: int
) -> None:
    ring, user = cast.game(entry_level=entry_level), cast.player(balance=balance)
    sit_down.sit(user, ring.pk, amount=amount)
    assert cast.balance(user) == after
    cast.law()


@pytest.mark.rule("A-02")
def test_an_overdrawn_account_buys_nothing_beyond_the_limit(room: Redis) -> None:
    ring, other, usual = cast.game(entry_level=True), cast.game(entry_level=True), cast.game()
    user = cast.player(balance=0)
    session = sit_down.sit(user, ring.pk, amount=OVERDRAFT)
    words = refused("insufficient_funds", lambda: top_up.top_up(user, session.pk, 1))
    assert text(-OVERDRAFT) in words
    for game in (other, usual):
        refused("insufficient_funds", lambda game=game: sit_down.sit(user, game.pk, amount=40_00))  # type: ignore[misc]


@pytest.mark.rule("A-03")
@pytest.mark.parametrize(
    ("place", "code"),
    [
        ({"seat": 2}, "seat_taken"),
        ({"seat": 0}, "no_such_seat"),
        ({"seat": 7}, "no_such_seat"),
        ({"table_id": 10**9, "seat": 1}, "no_such_table"),
        ({"game_id": 10**9, "table_id": None}, "no_such_game"),
        ({"password": "guess"}, "wrong_password"),
    ],
)
def test_a_place_that_is_taken_or_does_not_exist(
    room: Redis, place: dict[str, object], code: str
) -> None:
    ring, user = cast.game(password="secret"), cast.player()
    here: dict[str, object] = {
        "game_id": ring.pk,
        "table_id": cast.table_of(ring).pk,
        "password": "secret",
        "amount": cast.BUY_IN,
    }
    sit_down.sit(cast.player(), **here, seat=2)  # type: ignore[arg-type]
    refused(code, lambda: sit_down.sit(user, **(here | place)))  # type: ignore[arg-type]


def test_a_seat_that_does_not_exist_is_refused_with_those_that_do(room: Redis) -> None:
    ring, user = cast.game(), cast.player()
    table = cast.table_of(ring).pk
    words = refused(
        "no_such_seat",
        lambda: sit_down.sit(user, ring.pk, amount=cast.BUY_IN, table_id=table, seat=7),
    )
    assert words == "The table has the seats 1 to 6."


@pytest.mark.rule("A-03")
def test_a_second_seat_at_the_same_table(room: Redis) -> None:
    ring, user = cast.game(), cast.player()
    table = cast.table_of(ring).pk
    sit_down.sit(user, ring.pk, amount=cast.BUY_IN, table_id=table, seat=1)
    refused(
        "seated_already",
        lambda: sit_down.sit(user, ring.pk, amount=cast.BUY_IN, table_id=table, seat=2),
    )


@pytest.mark.rule("A-03")
def test_a_table_of_another_game_or_a_closed_one(room: Redis) -> None:
    ring, other, user = cast.game(), cast.game(name="Other"), cast.player()
    there = cast.table_of(other).pk

    def sit(game: RingGame) -> object:
        return sit_down.sit(user, game.pk, amount=cast.BUY_IN, table_id=there, seat=1)

    refused("no_such_table", lambda: sit(ring))
    Table.objects.filter(pk=there).update(status=Table.Status.CLOSED)
    refused("no_such_table", lambda: sit(other))
    RingGame.objects.filter(pk=other.pk).update(state=RingGame.State.CLOSING)
    refused("no_such_game", lambda: sit(other))


@pytest.mark.rule("A-03")
def test_coming_back_soon_takes_the_stack_that_left(room: Redis) -> None:
    ring, user = cast.game(), cast.player()
    session = sit_down.sit(user, ring.pk, amount=150_00)
    leaving.leave(user, session.pk)
    cast.boundary(room, cast.table_of(ring))
    words = refused("return_too_small", lambda: sit_down.sit(user, ring.pk, amount=100_00))
    assert "150.00" in words
    RingSession.objects.update(ended_at=timezone.now() - timedelta(hours=2))
    sit_down.sit(user, ring.pk, amount=100_00)
    cast.law()


@pytest.mark.rule("A-03")
def test_coming_back_from_two_tables_takes_the_larger_stack_in_any_order(room: Redis) -> None:
    ring, user = cast.game(tables_min=2, tables_max=2), cast.player()
    rows = Table.objects.filter(director="ring", game=ring.pk).order_by("pk")
    tables = dict(zip(rows, (150_00, 40_00), strict=True))

    def sit(table: Table, amount: int) -> RingSession:
        return sit_down.sit(user, ring.pk, amount=amount, table_id=table.pk)

    sessions = {table: sit(table, amount) for table, amount in tables.items()}
    for table, session in sessions.items():
        leaving.leave(user, session.pk)
        cast.boundary(room, table)
    first, second = tables
    refused("return_too_small", lambda: sit(first, 149_99))
    back = sit(first, 150_00)
    sit(second, 40_00)  # the stack is on a table again
    RingSession.objects.filter(pk=back.pk).update(state="left", coming=0, left_with=9_00)
    RingSession.objects.filter(pk=back.pk).update(ended_at=timezone.now())
    sit(first, 40_00)  # what was lost since is nobody's to bring


def test_the_audit_finds_chips_without_money(room: Redis) -> None:
    ring = cast.game()
    sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN)
    assert AuditMemory().violations(0.0) == []
    RingSession.objects.update(coming=cast.BUY_IN + 1)
    [found] = AuditMemory().violations(0.0)
    assert "holds 10000 for 0 chips and 10001 coming" in found


def test_passwords_of_private_games_are_tried_a_few_times(room: Redis) -> None:
    ring, guest, guesser = cast.game(password="secret"), cast.player(), cast.player()

    def sit(user: User, password: str) -> RingSession:
        return sit_down.sit(user, ring.pk, amount=cast.BUY_IN, password=password)

    refused("wrong_password", lambda: sit(guesser, ""))
    for _ in range(limits.PRIVATE_TRIES_USER):
        refused("wrong_password", lambda: sit(guesser, "guess"))
    refused("too_many_tries", lambda: sit(guesser, "secret"))
    leaving.leave(guest, sit(guest, "secret").pk)
    for _ in range(limits.PRIVATE_TRIES_USER):
        refused("wrong_password", lambda: sit(guest, "guess"))
    refused("seated_already", lambda: sit_at_own_table(guest, ring))


def sit_at_own_table(user: User, ring: RingGame) -> RingSession:
    """Sit down once more at the only table of a private game."""
    table = cast.table_of(ring).pk
    return sit_down.sit(user, ring.pk, amount=cast.BUY_IN, table_id=table, password="secret")


def test_an_offered_seat_of_a_private_game_asks_for_its_password(room: Redis) -> None:
    ring, user = cast.game(password="secret"), cast.player()
    place = WaitingPlayer.objects.create(
        game=ring,
        user=user,
        offered_table=cast.table_of(ring),
        offered_seat=1,
        offered_until=timezone.now() + timedelta(minutes=1),
    )

    def take(password: str) -> RingSession:
        return waiting_list.take(user, place.pk, cast.BUY_IN, password=password)

    refused("wrong_password", lambda: take(""))
    refused("wrong_password", lambda: take("guess"))
    assert take("secret").seat == 1


@pytest.mark.rule("R-01")
def test_the_waiting_list_of_a_private_game_asks_for_its_password(room: Redis) -> None:
    ring, user = cast.game(password="secret", seats_max=2), cast.player()
    for _ in range(2):
        sit_down.sit(cast.player(), ring.pk, amount=cast.BUY_IN, password="secret")
    refused("wrong_password", lambda: waiting_list.join(user, ring.pk))
    refused("wrong_password", lambda: waiting_list.join(user, ring.pk, password="guess"))
    assert not WaitingPlayer.objects.exists()
    assert waiting_list.join(user, ring.pk, password="secret").user == user
