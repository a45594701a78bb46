"""Own limits kept by the registration and by ring buy-ins."""

from __future__ import annotations

import pytest
from django.db import transaction
from redis import Redis

from accounts.refusals import Excluded, OwnEntriesReached, OwnMoneyReached
from accounts.users import bots, own_limits
from tables.models import Seat
from tests.tournaments.buying.rebuy_scene import next_hand, rebuys
from tests.tournaments.cast import BUY_IN, FEE, at_once, open_offer
from tests.tournaments.entries.balances import balance_of
from tests.tournaments.prizes.ticket_scene import PRICE, give_ticket, ticket_event
from tournaments.entries import registration
from tournaments.models import Entry
from tournaments.running import sales


def test_an_entry_beyond_a_limit_is_refused_and_a_refund_makes_room(house: Redis) -> None:
    first, second = open_offer(), open_offer()
    player = bots.create(1)[0]
    had = balance_of(player)
    own_limits.change(player, entries_a_day=None, money_a_week=BUY_IN + FEE)
    registration.register(player, first)
    with pytest.raises(OwnMoneyReached):
        registration.register(player, second)
    assert balance_of(player) == had - BUY_IN - FEE
    assert Entry.objects.filter(user=player).count() == 1
    second.refresh_from_db()
    assert second.entrants == 0
    registration.unregister(player, first)
    assert registration.register(player, second).state == "registered"


@pytest.mark.parametrize("to", ["account", "bonus"])
def test_the_surplus_of_a_ticket_makes_no_room(house: Redis, to: str) -> None:
    first, second = open_offer(), open_offer()
    player = bots.create(1)[0]
    ticket = give_ticket(player, value=3 * PRICE)
    own_limits.change(player, entries_a_day=None, money_a_week=PRICE)
    registration.register(player, first)
    registration.register(player, ticket_event(surplus_to=to), ticket=ticket.pk)
    assert own_limits.spent_in_week(player) == PRICE
    with pytest.raises(OwnMoneyReached):
        registration.register(player, second)


@pytest.mark.parametrize("back", ["money", "ticket"])
def test_a_ticket_that_comes_back_makes_no_room(house: Redis, back: str) -> None:
    first, second = open_offer(), open_offer()
    player = bots.create(1)[0]
    ticket = give_ticket(player)
    own_limits.change(player, entries_a_day=None, money_a_week=PRICE)
    registration.register(player, first)
    by_ticket = ticket_event(ticket_back=back)
    registration.register(player, by_ticket, ticket=ticket.pk)
    had = balance_of(player)
    registration.unregister(player, by_ticket)
    assert balance_of(player) - had == (PRICE if back == "money" else 0)
    assert own_limits.spent_in_week(player) == PRICE
    with pytest.raises(OwnMoneyReached):
        registration.register(player, second)
    registration.unregister(player, first)
    assert own_limits.spent_in_week(player) == 0


def test_entries_of_a_day_are_counted_without_those_taken_back(house: Redis) -> None:
    first, second = open_offer(), open_offer()
    player = bots.create(1)[0]
    own_limits.change(player, entries_a_day=1, money_a_week=None)
    registration.register(player, first)
    with pytest.raises(OwnEntriesReached):
        registration.register(player, second)
    registration.unregister(player, first)
    registration.register(player, second)


def test_an_organiser_cannot_register_an_excluded_player(house: Redis) -> None:
    tournament = open_offer()
    player, actor = bots.create(2)
    own_limits.exclude(player, 1)
    with pytest.raises(Excluded):
        registration.register_for(player, tournament, actor=actor, reason="a friend asked")
    assert not Entry.objects.exists()


def test_rebuys_that_wait_for_a_boundary_count_to_a_limit(house: Redis) -> None:
    first, second = rebuys(4, rebuy_threshold="full"), rebuys(4, rebuy_threshold="full")
    player = bots.create(1)[0]  # the same bots play both
    seat = Seat.objects.get(table__game=first.pk, user=player)
    rebuy = first.rebuy_price + first.rebuy_fee
    spent = own_limits.spent_in_week(player)
    own_limits.change(player, entries_a_day=None, money_a_week=spent + rebuy + 100)
    assert sales.request_rebuy(player, first.pk).state == "accepted"
    with pytest.raises(OwnMoneyReached):
        sales.request_rebuy(player, second.pk)
    with pytest.raises(OwnMoneyReached):
        registration.register(player, open_offer(buy_in=100, fee=1))
    assert own_limits.spent_in_week(player) == spent
    # The boundary books the request, which then counts once.
    next_hand(seat.table_id)
    assert own_limits.spent_in_week(player) == spent + rebuy
    registration.register(player, open_offer(buy_in=100, fee=0))
    with transaction.atomic():
        assert own_limits.left_to_buy([player.pk]) == {player.pk: 0}


@pytest.mark.django_db(transaction=True)
def test_two_entries_at_once_do_not_pass_a_limit_of_one(house: Redis) -> None:
    first, second = open_offer(), open_offer()
    player = bots.create(1)[0]
    own_limits.change(player, entries_a_day=1, money_a_week=None)
    results = at_once(
        lambda: registration.register(player, first),
        lambda: registration.register(player, second),
    )
    assert sorted(type(result).__name__ for result in results) == ["Entry", "OwnEntriesReached"]
    assert Entry.objects.filter(user=player).count() == 1
