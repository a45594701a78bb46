"""Own limits and small accounts at ring tables: buy-ins, top-ups and offered seats keep to them."""

from __future__ import annotations

import pytest
from django.db import connection
from redis import Redis

from accounts.ledger import transfers
from accounts.models import AccountKind, User
from accounts.users import own_limits
from tables.ring.models import RingSession, WaitingPlayer
from tables.ring.sessions import leaving, sit_down, top_up, waiting_list
from tests.tables.ring.room import cast
from tests.tables.ring.room.hearing import heard
from tests.tables.ring.room.refusals.unchanged import refused

pytestmark = pytest.mark.django_db(transaction=True)


def test_buy_in_and_top_up_beyond_the_own_limit_are_refused(room: Redis) -> None:
    ring, user = cast.game(), cast.player()
    own_limits.change(user, entries_a_day=0, money_a_week=100_00)
    words = refused("own_money_reached", lambda: sit_down.sit(user, ring.pk, amount=100_01))
    assert "100.01" in words and "100.00" in words
    session = sit_down.sit(user, ring.pk, amount=100_00)
    refused("own_money_reached", lambda: top_up.top_up(user, session.pk, 1_00))


def test_an_excluded_player_takes_no_seat_and_gets_no_automatic_top_up(room: Redis) -> None:
    ring, next_ring = cast.game(), cast.game()
    user, other = cast.player(), cast.player()
    table = cast.table_of(ring)
    session = sit_down.sit(user, ring.pk, amount=50_00)
    sit_down.sit(other, ring.pk, amount=50_00)
    top_up.set_auto(user, session.pk, True)
    own_limits.exclude(user, 1)
    cast.fold_around(room, table)
    if cast.boundary(room, table).phase == "granted":
        cast.fold_around(room, table)
        cast.boundary(room, table)
    row = RingSession.objects.get(pk=session.pk)
    assert (row.bought, row.auto_top_up) == (50_00, False)
    [notice] = [told for told in heard(user) if told["type"] == "ring_top_up_missed"]
    assert (notice["balance"], notice["left"]) == (cast.BALANCE - 50_00, 0)
    refused("excluded", lambda: sit_down.sit(user, next_ring.pk, amount=50_00))


@pytest.mark.rule("A-03")
def test_an_automatic_top_up_waits_for_another_purchase_of_its_player(room: Redis) -> None:
    ring = cast.game()
    user, other = cast.player(), cast.player()
    table = cast.table_of(ring)
    session = sit_down.sit(user, ring.pk, amount=50_00)
    sit_down.sit(other, ring.pk, amount=50_00)
    own_limits.change(user, entries_a_day=None, money_a_week=70_00)
    cast.begin(room, table)
    top_up.set_auto(user, session.pk, True)
    purchase = connection.copy()
    with purchase.cursor() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("SELECT 1 FROM accounts_user WHERE id = %s FOR NO KEY UPDATE", [user.pk])
        cast.fold_around(room, table)
        cast.begin(room, table)
    purchase.close()
    session.refresh_from_db()
    assert (session.bought, session.auto_top_up) == (50_00, True)
    cast.fold_around(room, table)
    cast.begin(room, table)
    session.refresh_from_db()
    assert session.bought == 70_00
    cast.law()


def test_no_seat_is_kept_for_a_player_whose_own_limits_forbid_the_buy_in(room: Redis) -> None:
    ring = cast.game(seats_max=2, tables_max=1)
    one, other, excluded, poor, late, free = (cast.player() for _number in range(6))
    for user in (one, other):
        sit_down.sit(user, ring.pk, amount=50_00)
    own_limits.exclude(excluded, 1)
    refused("excluded", lambda: waiting_list.join(excluded, ring.pk))
    own_limits.change(poor, entries_a_day=None, money_a_week=ring.buy_in_min - 1)
    refused("own_money_reached", lambda: waiting_list.join(poor, ring.pk))
    waiting_list.join(late, ring.pk)
    waiting_list.join(free, ring.pk)
    own_limits.exclude(late, 1)
    leaving.leave(one, RingSession.objects.get(user=one).pk)
    cast.boundary(room, cast.table_of(ring))
    offered = dict(WaitingPlayer.objects.values_list("user", "offered_table"))
    assert offered == {late.pk: None, free.pk: cast.table_of(ring).pk}


@pytest.mark.rule("A-01", "A-02")
def test_no_seat_is_kept_for_a_player_whose_account_does_not_cover_the_buy_in(room: Redis) -> None:
    terms = {"seats_max": 2, "tables_max": 1}
    ring, credit = cast.game(**terms), cast.game(entry_level=True, **terms)
    one, other, poor, late, free = (cast.player() for _number in range(5))
    for game in (ring, credit):
        for user in (one, other):
            sit_down.sit(user, game.pk, amount=50_00)
    _pay(poor, cast.BALANCE - ring.buy_in_min + 1)
    words = refused("insufficient_funds", lambda: waiting_list.join(poor, ring.pk))
    assert "40.00" in words and "39.99" in words
    waiting_list.join(poor, credit.pk)
    waiting_list.join(late, ring.pk)
    waiting_list.join(free, ring.pk)
    _pay(late, cast.BALANCE)
    for game in (ring, credit):
        leaving.leave(one, RingSession.objects.get(user=one, game=game).pk)
        cast.boundary(room, cast.table_of(game))
    offered = dict(WaitingPlayer.objects.values_list("user", "offered_table"))
    tables = [cast.table_of(game).pk for game in (ring, credit)]
    assert offered == {late.pk: None, free.pk: tables[0], poor.pk: tables[1]}


@pytest.mark.rule("A-01", "A-03")
def test_no_seat_is_kept_for_a_player_who_cannot_bring_back_the_stack(room: Redis) -> None:
    ring = cast.game(seats_max=3, tables_max=1)
    table, players = cast.table_of(ring), [cast.player() for _ in range(4)]
    back, limited, gone, _ = players
    stays = {user: sit_down.sit(user, ring.pk, amount=100_00) for user in players[:3]}
    for user in (back, limited):
        leaving.leave(user, stays[user].pk)
    cast.boundary(room, table)
    for _ in range(2):
        sit_down.sit(cast.player(), ring.pk, amount=50_00)
    _pay(back, cast.BALANCE - 99_99)
    words = refused("insufficient_funds", lambda: waiting_list.join(back, ring.pk))
    assert "100.00" in words
    own_limits.change(limited, entries_a_day=None, money_a_week=199_99)
    refused("own_money_reached", lambda: waiting_list.join(limited, ring.pk))
    for user in (back, limited):
        WaitingPlayer.objects.create(game=ring, user=user)
    leaving.leave(gone, stays[gone].pk)
    cast.boundary(room, table)
    assert not WaitingPlayer.objects.exclude(offered_table=None).exists()
    assert WaitingPlayer.objects.filter(passed_over=True).count() == 2
    RingSession.objects.filter(ended_at__isnull=False).update(left_with=99_99)
    cast.fold_around(room, table)
    cast.boundary(room, table)
    offered = WaitingPlayer.objects.exclude(offered_table=None)
    assert list(offered.values_list("user", flat=True)) == [back.pk]


def _pay(user: User, amount: int) -> None:
    """Take money of a player back to the bank."""
    transfers.move(
        key=f"test:pay:{user.pk}",
        kind="debit",
        source=transfers.account(AccountKind.PLAYER, user=user),
        target=transfers.account(AccountKind.BANK),
        amount=amount,
    )
