"""Registering and unregistering: atomic, once per player, never beyond the limit."""

from __future__ import annotations

from datetime import timedelta

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis import Redis

from accounts.ledger import transfers
from accounts.models import Transfer
from accounts.refusals import InsufficientFunds, words_of
from accounts.users import bots
from config.refusals import Refusal
from tests.tournaments.cast import BUY_IN, FEE, at_once, offer, open_offer
from tests.tournaments.entries.balances import balance_of, stored_values
from tournaments.engine.refusals import AlreadyRegistered, RegistrationClosed
from tournaments.entries import registration
from tournaments.models import Announcement, Entry
from tournaments.prizes import money
from tournaments.refusals import (
    AlreadyStarted,
    NoSuchTournament,
    NotRegistered,
    TournamentFull,
    WrongPassword,
)
from tournaments.running import operations


@pytest.mark.rule("T-03")
def test_the_buy_in_goes_to_the_pool_and_the_fee_to_the_room(house: Redis) -> None:
    tournament = open_offer()
    player = bots.create(1)[0]
    had = balance_of(player)
    entry = registration.register(player, tournament)
    assert (entry.number, entry.state, entry.name) == (1, "registered", player.name)
    assert balance_of(player) == had - BUY_IN - FEE
    assert transfers.balance(money.pool(tournament)) == BUY_IN
    assert transfers.balance(money.fees()) == FEE
    assert transfers.total() == 0


@pytest.mark.rule("T-06")
def test_unregistering_refunds_everything_and_frees_the_place(house: Redis) -> None:
    tournament = open_offer(players_max=2)
    first, second, third = bots.create(3)
    had = balance_of(first)
    registration.register(first, tournament)
    registration.register(second, tournament)
    registration.unregister(first, tournament)
    assert balance_of(first) == had
    again = registration.register(third, tournament)
    assert again.number == 3
    tournament.refresh_from_db()
    assert tournament.entrants == 2
    assert transfers.balance(money.pool(tournament)) == 2 * BUY_IN


def test_an_unregistered_player_may_register_again(house: Redis) -> None:
    tournament = open_offer()
    player = bots.create(1)[0]
    had = balance_of(player)
    for _ in range(3):
        registration.register(player, tournament)
        registration.unregister(player, tournament)
    registration.register(player, tournament)
    assert balance_of(player) == had - BUY_IN - FEE
    assert Entry.objects.filter(state="registered").count() == 1


@pytest.mark.rule("T-10")
def test_a_freeroll_moves_no_money(house: Redis) -> None:
    tournament = open_offer(buy_in=0, fee=0)
    player = bots.create(1)[0]
    had = balance_of(player)
    registration.register(player, tournament)
    registration.unregister(player, tournament)
    assert balance_of(player) == had
    assert not Transfer.objects.exclude(kind="welcome").exists()


@pytest.mark.rule("A-01")
def test_a_buy_in_that_the_account_does_not_cover_is_refused(house: Redis) -> None:
    tournament = open_offer(buy_in=10**9, players_max=2)
    player = bots.create(1)[0]
    before = stored_values(tournament)
    with pytest.raises(InsufficientFunds) as refused:
        registration.register(player, tournament)
    assert refused.value.code == "insufficient_funds" and "holds" in words_of(refused.value)
    assert stored_values(tournament) == before


@pytest.mark.rule("T-02")
@pytest.mark.parametrize("password", [None, "", "wrong", "SECRET"])
def test_a_private_tournament_refuses_a_wrong_password(house: Redis, password: str) -> None:
    tournament = open_offer(password="secret")
    assert "secret" not in tournament.password
    player = bots.create(1)[0]
    before = stored_values(tournament)
    with pytest.raises(WrongPassword):
        registration.register(player, tournament, password)
    assert stored_values(tournament) == before


@pytest.mark.rule("T-02")
def test_a_private_tournament_takes_its_password(house: Redis) -> None:
    tournament = open_offer(password="secret")
    player = bots.create(1)[0]
    assert registration.register(player, tournament, "secret").pk


@pytest.mark.rule("T-01")
def test_a_full_tournament_refuses(house: Redis) -> None:
    tournament = open_offer(players_max=2)
    first, second, third = bots.create(3)
    registration.register(first, tournament)
    registration.register(second, tournament)
    before = stored_values(tournament)
    with pytest.raises(TournamentFull) as refused:
        registration.register(third, tournament)
    assert refused.value.allowed == {"players_max": 2}
    assert stored_values(tournament) == before


def test_registering_twice_is_refused(house: Redis) -> None:
    tournament = open_offer()
    player = bots.create(1)[0]
    registration.register(player, tournament)
    before = stored_values(tournament)
    with pytest.raises(AlreadyRegistered):
        registration.register(player, tournament)
    assert stored_values(tournament) == before


@pytest.mark.rule("T-06")
@pytest.mark.rule("E-03")
def test_unregistering_one_of_several_entries_states_the_number_left(house: Redis) -> None:
    tournament = open_offer(entries_max=3, several_at_once=True, players_max=9)
    [player] = bots.create(1)
    for _ in range(3):
        registration.register(player, tournament)
    for left in (2, 1, 0):
        registration.unregister(player, tournament)
        last = Announcement.objects.filter(stream=f"user:{player.pk}").order_by("-seq")[0]
        told = msgspec.json.decode(bytes(last.payload))
        assert (told["type"], told["left"]) == ("unregistered", left)


def test_unregistering_without_an_entry_is_refused(house: Redis) -> None:
    tournament = open_offer()
    player = bots.create(1)[0]
    before = stored_values(tournament)
    with pytest.raises(NotRegistered):
        registration.unregister(player, tournament)
    assert stored_values(tournament) == before


def test_a_tournament_that_is_not_open_refuses(house: Redis) -> None:
    tournament = offer()
    player = bots.create(1)[0]
    before = stored_values(tournament)
    with pytest.raises(RegistrationClosed) as refused:
        registration.register(player, tournament)
    assert "not open" in str(refused.value)
    assert stored_values(tournament) == before


def test_an_unknown_tournament_number_is_refused(house: Redis) -> None:
    player = bots.create(1)[0]
    with pytest.raises(NoSuchTournament):
        registration.register(player, 999)
    with pytest.raises(NoSuchTournament):
        registration.unregister(player, 999)


@pytest.mark.rule("T-16")
def test_registering_and_unregistering_are_refused_after_the_start(house: Redis) -> None:
    tournament = open_offer()
    first, second, third = bots.create(3)
    for player in (first, second):
        registration.register(player, tournament)
    operations.start(tournament.pk)
    before = stored_values(tournament)
    with pytest.raises(AlreadyStarted):
        registration.unregister(first, tournament)
    with pytest.raises(RegistrationClosed):
        registration.register(third, tournament)
    with pytest.raises(AlreadyRegistered):
        registration.register(first, tournament)
    assert stored_values(tournament) == before


def test_two_tabs_of_one_player_buy_one_entry(house: Redis) -> None:
    tournament = open_offer()
    player = bots.create(1)[0]
    had = balance_of(player)
    results = at_once(*[lambda: registration.register(player, tournament.pk)] * 4)
    assert sum(isinstance(result, Entry) for result in results) == 1
    assert sum(isinstance(result, AlreadyRegistered) for result in results) == 3
    assert balance_of(player) == had - BUY_IN - FEE


@pytest.mark.rule("T-01")
def test_the_last_place_goes_to_exactly_one_player(house: Redis) -> None:
    tournament = open_offer(players_max=2)
    first, *others = bots.create(5)
    registration.register(first, tournament)
    had = sum(balance_of(other) for other in others)
    results = at_once(
        *[lambda who=other: registration.register(who, tournament.pk) for other in others]
    )
    assert sum(isinstance(result, Entry) for result in results) == 1
    assert sum(isinstance(result, TournamentFull) for result in results) == 3
    assert sum(balance_of(other) for other in others) == had - BUY_IN - FEE
    assert transfers.total() == 0


def test_unregistering_twice_at_once_pays_back_once(house: Redis) -> None:
    tournament = open_offer()
    player = bots.create(1)[0]
    had = balance_of(player)
    registration.register(player, tournament)
    results = at_once(*[lambda: registration.unregister(player, tournament.pk)] * 3)
    assert sum(isinstance(result, Entry) for result in results) == 1
    assert sum(isinstance(result, NotRegistered) for result in results) == 2
    assert balance_of(player) == had


def test_unregistering_races_the_start_and_one_of_them_wins(house: Redis) -> None:
    tournament = open_offer(players_min=2)
    first, second = bots.create(2)
    registration.register(first, tournament)
    registration.register(second, tournament)
    had = balance_of(first)
    left, _ = at_once(
        lambda: registration.unregister(first, tournament.pk),
        lambda: operations.start(tournament.pk),
    )
    tournament.refresh_from_db()
    if isinstance(left, Refusal):
        assert tournament.state == "running" and balance_of(first) == had
    else:
        assert tournament.state == "registering" and balance_of(first) == had + BUY_IN + FEE


def test_players_of_two_tournaments_register_without_deadlock(house: Redis) -> None:
    one, other = open_offer(players_max=50), open_offer(players_max=50)
    players = bots.create(8)
    calls = [
        lambda who=player, what=what: registration.register(who, what.pk)
        for player in players
        for what in (one, other)
    ]
    assert all(isinstance(result, Entry) for result in at_once(*calls))
    assert transfers.total() == 0


def test_a_registration_needs_as_many_queries_in_a_large_field(house: Redis) -> None:
    tournament = open_offer(
        start="scheduled", starts_at=timezone.now() + timedelta(hours=1), players_max=500
    )
    asked = []
    for player in bots.create(60):
        with CaptureQueriesContext(connection) as seen:
            registration.register(player, tournament)
        asked.append(len(seen))
    assert asked[-1] == asked[1], "the number of queries does not grow with the field"
    tournament.refresh_from_db()
    assert tournament.entrants == 60
    assert transfers.balance(money.pool(tournament)) == 60 * BUY_IN
