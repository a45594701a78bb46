"""A re-entry is offered to every player who can pay by any method, and stays valid."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from accounts.ledger import transfers
from accounts.models import AccountKind, User
from tables.models import Seat
from tests.tournaments.buying.rebuy_scene import SMALL, dealt_in, held, open_rebuy_offer, rebuys
from tests.tournaments.cast import law
from tests.tournaments.entries.late_entries import late, pass_time
from tests.tournaments.prizes.ticket_scene import bonus_balance, give_ticket
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.engine.refusals import RegistrationClosed
from tournaments.models import Entry, Offer, Tournament
from tournaments.prizes import money, tickets
from tournaments.running import sales, tick

PRICE = 1_100
TICKETS: dict[str, Any] = {"methods": "money_and_tickets", "activity": "main"}


def _next_out(tournament: Tournament) -> Entry:
    """Entry that is about to bust, with an empty account."""
    entry = Entry.objects.select_related("user").get(pk=Seat.objects.order_by("pk")[0].entry)
    _pay(entry.user, -held(entry.user))
    return entry


def _pay(user: User, amount: int, kind: str = AccountKind.PLAYER) -> None:
    """Move an amount from the room to a player, or back when negative."""
    of = transfers.account(kind, user=user)
    source, target = (money.room(), of) if amount > 0 else (of, money.room())
    key = f"{user.pk}:{kind}:{amount}"
    transfers.move(key=key, kind="credit", source=source, target=target, amount=abs(amount))


def _out(tournament: Tournament, entry: Entry) -> None:
    seat = Seat.objects.get(entry=entry.pk)
    arena = dealt_in(tournament, seat)
    arena.states[seat.table_id] = knocked_out(arena.states[seat.table_id], {SMALL})
    assert arena.step(seat.table_id) == "settled"


def _again(entry: Entry) -> Entry:
    return Entry.objects.get(user=entry.user, state="seated")


@pytest.mark.rule("E-02")
@pytest.mark.rule("K-03")
@pytest.mark.parametrize(
    ("cash", "extra", "offered"), [(0, 1_100, 1), (600, 500, 1), (600, 499, 0)]
)
def test_a_bonus_counts_for_a_reentry_as_it_pays_for_one(
    house: Redis, cash: int, extra: int, offered: int
) -> None:
    tournament = late(4, entries_max=2)
    entry = _next_out(tournament)
    if cash:
        _pay(entry.user, cash)
    _pay(entry.user, extra, AccountKind.BONUS)
    _out(tournament, entry)
    assert Offer.objects.count() == offered
    if offered:
        sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
        assert _again(entry).paid_bonus == extra
        assert held(entry.user) == bonus_balance(entry.user) == 0
    law(tournament.pk)


@pytest.mark.rule("E-04")
@pytest.mark.rule("K-03")
def test_a_bonus_pays_for_entries_and_no_rebuys(house: Redis) -> None:
    tournament = rebuys(4)
    entry = _next_out(tournament)
    _pay(entry.user, 5_000, AccountKind.BONUS)
    _out(tournament, entry)
    assert not Offer.objects.exists()


@pytest.mark.rule("E-02")
@pytest.mark.rule("K-02")
@pytest.mark.parametrize("cash", [0, PRICE])
def test_a_ticket_pays_a_reentry_without_money_where_both_are_accepted(
    house: Redis, cash: int
) -> None:
    tournament = late(4, entries_max=2, **TICKETS)
    entry = _next_out(tournament)
    ticket = give_ticket(entry.user)
    if cash:
        _pay(entry.user, cash)
    _out(tournament, entry)
    assert tickets.payment(entry.user, tournament) == ("" if cash else "any")
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    assert _again(entry).ticket_id == (None if cash else ticket.pk)
    ticket.refresh_from_db()
    assert ticket.state == ("valid" if cash else "used") and held(entry.user) == 0
    law(tournament.pk)


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-04")
def test_a_player_without_money_for_a_rebuy_may_reenter_with_a_ticket(house: Redis) -> None:
    tournament = rebuys(4, late_ends="at_level", late_value=2, entries_max=2, **TICKETS)
    entry = _next_out(tournament)
    give_ticket(entry.user)
    _out(tournament, entry)
    assert open_rebuy_offer(entry).kind == "reentry"


@pytest.mark.rule("K-02")
@pytest.mark.parametrize(
    ("methods", "ticket", "cash", "way"),
    [
        ("money", True, 0, None),
        ("money", True, PRICE, ""),
        ("ticket", True, PRICE, "any"),
        ("ticket", False, PRICE, None),
        ("money_and_tickets", False, PRICE - 1, None),
        ("money_and_tickets", True, PRICE - 1, "any"),
    ],
)
def test_payment_methods_of_an_entry_follow_balance_bonus_and_tickets(
    house: Redis, methods: str, ticket: bool, cash: int, way: str | None
) -> None:
    tournament = late(2, methods="money_and_tickets", activity="main")
    entry = _next_out(tournament)
    if ticket:
        give_ticket(entry.user)
    if cash:
        _pay(entry.user, cash)
    tournament.methods = methods
    assert tickets.payment(entry.user, tournament) == way


@pytest.mark.rule("E-01")
@pytest.mark.rule("E-02")
def test_an_offer_made_in_time_may_be_accepted_after_late_registration(house: Redis) -> None:
    tournament = late(4, late_value=1, entries_max=2)
    tick.tick(tournament.pk)
    entry = Entry.objects.select_related("user").get(pk=Seat.objects.order_by("pk")[0].entry)
    _out(tournament, entry)
    pass_time(tournament, 15)
    tournament.refresh_from_db()
    assert not tournament.entries_open and tournament.pool is None, (
        "the tournament waits for the offer"
    )
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    assert _again(entry).place is None
    tournament = Tournament.objects.get(pk=tournament.pk)
    assert tournament.pool == 5_000 == sum(tournament.prizes)
    assert Entry.objects.get(pk=entry.pk).place == 5
    law(tournament.pk)


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-07")
def test_no_reentry_during_hand_for_hand(house: Redis) -> None:
    tournament = late(4, entries_max=2)
    entry = Entry.objects.select_related("user").get(pk=Seat.objects.order_by("pk")[0].entry)
    _out(tournament, entry)
    Tournament.objects.update(hand_for_hand=True)
    before = held(entry.user)
    with pytest.raises(RegistrationClosed):
        sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    assert held(entry.user) == before and Entry.objects.count() == 4
    assert Entry.objects.get(pk=entry.pk).state == "pending"
