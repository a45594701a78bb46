"""Own limits kept by the registration and by ring buy-ins."""

from __future__ import annotations

import pytest
from redis import Redis

from accounts.refusals import Excluded, OwnEntriesReached, OwnMoneyReached
from accounts.users import bots, own_limits
from tests.tournaments.cast import BUY_IN, FEE, at_once, open_offer
from tests.tournaments.entries.balances import balance_of
from tournaments.entries import registration
from tournaments.models import Entry


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
