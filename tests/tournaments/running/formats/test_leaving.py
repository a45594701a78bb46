"""Chips with cash value: bought one to one, and paid out to a player who leaves."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.ledger import transfers as ledger
from accounts.models import AccountKind, Transfer, User
from accounts.users import bots
from tables.models import Seat
from tests.tournaments.api.asking import by_session, refused
from tests.tournaments.cast import (
    STACK,
    Arena,
    at_once,
    chips_of,
    law,
    offer,
    passive,
    shove,
    somebody,
    started,
)
from tests.tournaments.running.formats.cash_chips import CASH, cash
from tournaments.entries import registration
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, Ruling, Tournament
from tournaments.monitor import audit, report
from tournaments.prizes import money, room_bounties
from tournaments.refusals import (
    BadBounty,
    BadSpec,
    NoCashValue,
    NoSuchTournament,
    NotInPlay,
    NotPlaying,
)
from tournaments.running import leaving, operations, rulings


def held(entry: Entry) -> int:
    """Balance of an entry's player, in cents."""
    return ledger.balance(money.player(entry.user))


def counts(tournament: Tournament) -> None:
    """Assert that a finished tournament has paid its pool and its books agree."""
    tournament.refresh_from_db()
    assert tournament.state == "finished" and audit.audit_tournaments(tournament.pk) == []
    built = report.build(tournament.pk)
    assert report.is_right(built), built
    entrants = tournament.entrants
    assert tournament.pool == entrants * STACK == built["paid"]
    assert ledger.balance(money.pool(tournament)) == 0 == ledger.total()
    for entry in tournament.entries.select_related("user"):
        assert entry.prize == entry.dead_chips or entry.place == 1


@pytest.mark.rule("A-04")
def test_a_leaving_player_is_paid_the_stack_once_between_hands(house: Redis) -> None:
    tournament = cash(5)
    arena = Arena(tournament.pk)
    arena.choose = passive
    [table] = arena.tables()
    arena.step(table)
    arena.step(table)
    entry = somebody(tournament)
    before, shown = held(entry), leaving.stack(tournament, entry.user)
    assert shown == STACK
    leaving.ask(entry.user, tournament.pk)
    leaving.ask(entry.user, tournament.pk)
    assert Ruling.objects.count() == 1 and held(entry) == before, "the hand is played to its end"
    arena.step(table)
    chips = Seat.objects.get(entry=entry.pk).chips
    arena.step(table)
    entry.refresh_from_db()
    tournament.refresh_from_db()
    assert (entry.state, entry.place, entry.dead_chips, entry.prize) == ("out", 5, chips, chips)
    assert held(entry) == before + chips and tournament.prizes == [5 * STACK - chips]
    booked = Transfer.objects.get(kind="cash_out")
    assert booked.key == f"cash_out:{tournament.pk}:{entry.pk}"
    assert tournament.left == 4 and chips_of(tournament.pk) == audit.sold_chips(tournament)
    law(tournament.pk)
    with pytest.raises(NotPlaying):
        leaving.ask(entry.user, tournament.pk)
    assert [seat.entry for seat in arena.states[table].seats].count(entry.pk) == 0
    arena.choose = shove
    arena.run()
    assert Transfer.objects.filter(kind="cash_out").count() == 1
    counts(tournament)


@pytest.mark.rule("A-04")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_whole_tournament_in_which_players_leave_all_the_time(house: Redis, seed: int) -> None:
    tournament = cash(14, seats_per_table=4)
    arena, chance = Arena(tournament.pk, seed), random.Random(seed)

    def go() -> None:
        if chance.random() < 0.3 and Tournament.objects.get(pk=tournament.pk).state == "running":
            own = tournament.entries.filter(state="seated").select_related("user").order_by("pk")
            leaving.ask(chance.choice(list(own)).user, tournament.pk)
        if chance.random() < 0.1:
            law(tournament.pk)

    arena.run(after=go)
    counts(tournament)
    assert Transfer.objects.filter(kind="cash_out").count() >= 2


@pytest.mark.rule("A-04")
@pytest.mark.parametrize(("players", "leave"), [(2, 1), (2, 2), (3, 2), (4, 3), (4, 4)])
def test_the_last_player_gets_the_rest_of_the_pool(house: Redis, players: int, leave: int) -> None:
    tournament = cash(players)
    arena = Arena(tournament.pk)
    arena.choose = passive
    [table] = arena.tables()
    for _ in range(3):
        arena.step(table)
    for entry in tournament.entries.select_related("user")[:leave]:
        leaving.ask(entry.user, tournament.pk)
    stacks = dict(Seat.objects.values_list("entry", "chips"))
    arena.run()
    counts(tournament)
    assert dict(tournament.entries.values_list("pk", "prize")) == stacks
    assert not Ruling.objects.filter(state="open").exists()


@pytest.mark.rule("A-04")
def test_leaving_broken_off_by_a_crash_is_done_once_afterwards(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = cash(3)
    arena = Arena(tournament.pk)
    [table] = arena.tables()
    entry = somebody(tournament)
    before = held(entry)
    leaving.ask(entry.user, tournament.pk)

    def broken(_self: TournamentTransaction) -> None:
        raise ConnectionError("the worker died")

    with monkeypatch.context() as patched:
        patched.setattr(TournamentTransaction, "write", broken)
        with pytest.raises(ConnectionError):
            arena.step(table)
    assert held(entry) == before and Ruling.objects.get().state == "open"
    assert Seat.objects.filter(entry=entry.pk).exists()
    law(tournament.pk)
    arena.step(table)
    arena.step(table)
    assert held(entry) == before + STACK
    assert Transfer.objects.filter(kind="cash_out").count() == 1
    arena.run()
    counts(tournament)


@pytest.mark.rule("A-04")
def test_leaving_from_four_pages_at_once_is_one_request(house: Redis) -> None:
    tournament = cash(3)
    entry = somebody(tournament)

    at_once(*[lambda: leaving.ask(entry.user, tournament.pk)] * 4)
    assert Ruling.objects.count() == 1
    Arena(tournament.pk).run()
    counts(tournament)


@pytest.mark.rule("A-04")
@pytest.mark.rule("T-15")
def test_a_disqualified_player_is_paid_the_value_of_the_chips(house: Redis) -> None:
    tournament = cash(4)
    entry = somebody(tournament)
    before = held(entry)
    leaving.ask(entry.user, tournament.pk)
    rulings.disqualify(entry.pk, actor=None, reason="plays from two accounts")
    with pytest.raises(NotPlaying):
        leaving.ask(entry.user, tournament.pk)
    with pytest.raises(NotInPlay):
        rulings.move(entry.pk, 1, actor=None, reason="no")
    arena = Arena(tournament.pk)
    arena.step(arena.tables()[0])
    entry.refresh_from_db()
    assert (entry.state, entry.prize, held(entry)) == ("disqualified", STACK, before + STACK)
    arena.run()
    counts(tournament)


@pytest.mark.rule("A-04")
@pytest.mark.rule("T-12")
def test_cancelling_forward_pays_every_remaining_player_the_own_stack(house: Redis) -> None:
    tournament = cash(4)
    arena = Arena(tournament.pk)
    leaver = somebody(tournament)
    leaving.ask(leaver.user, tournament.pk)
    [table] = arena.tables()
    arena.step(table)
    arena.hand(table)
    stacks = dict(Seat.objects.values_list("entry", "chips"))
    operations.cancel_forward(tournament.pk, reason="a fault")
    for entry, chips in stacks.items():
        assert Entry.objects.get(pk=entry).prize == chips
    assert ledger.balance(money.pool(tournament)) == 0 == ledger.total()


@pytest.mark.rule("A-04")
@pytest.mark.rule("K-03")
def test_a_bonus_buys_no_chips_with_cash_value(house: Redis) -> None:
    made = operations.open(offer(**CASH).pk)
    [player] = bots.create(1)
    bonus = ledger.account(AccountKind.BONUS, user=player)
    bank = ledger.account(AccountKind.BANK)
    given = [ledger.PostingRequest(bank, -STACK), ledger.PostingRequest(bonus, STACK)]
    ledger.transfer(key="a bonus", kind="credit", postings=given)
    entry = registration.register(player, made)
    assert entry.paid_bonus == 0 and ledger.balance(bonus) == STACK


@pytest.mark.rule("A-04")
@pytest.mark.parametrize(
    "wrong",
    [
        {"buy_in": STACK - 1},
        {"buy_in": 0},
        {"format": "spin", "players_min": 3, "players_max": 3},
        {"format": "fifty_fifty", "players_min": 6},
        {"play_time_ms": 3_600_000},
        {"rebuys_max": 1, "rebuy_until_level": 3},
        {"rebuys_max": 1, "rebuy_until_level": 3, "add_on": True},
        {"bounty": 100},
        {"pro_bounty": 100},
        {"guarantee": 100_000},
        {"added": 100},
        {"deals_allowed": True},
        {"methods": "money_and_tickets", "activity": "main"},
        {"payout_preset": "classic"},
        {"payout_table": [{"fewest": 1, "most": None, "shares": [10_000]}]},
    ],
)
def test_options_that_separate_pool_and_chips_are_refused(db: None, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadSpec):
        offer(**(CASH | wrong))
    assert not Tournament.objects.exists()
    assert offer(**CASH).cash_value


@pytest.mark.rule("A-04")
def test_leaving_without_seat_or_cash_value_is_refused(house: Redis) -> None:
    usual, tournament = started(2, name="usual"), cash(2)
    waiting = operations.open(offer(**CASH).pk)
    [other] = bots.create(4)[3:]
    registration.register(other, waiting)
    transfers = Transfer.objects.count()
    with pytest.raises(NoCashValue):
        leaving.ask(somebody(usual).user, usual.pk)
    with pytest.raises(NotPlaying):
        leaving.ask(other, tournament.pk)
    with pytest.raises(NotPlaying):
        leaving.ask(other, waiting.pk)
    with pytest.raises(NoSuchTournament):
        leaving.ask(other, 10**9)
    with pytest.raises(BadBounty):
        room_bounties.put(tournament.pk, somebody(tournament).user, 500)
    assert leaving.stack(usual, somebody(usual).user) is None
    assert leaving.stack(tournament, other) is None
    assert not Ruling.objects.exists() and Transfer.objects.count() == transfers


@pytest.mark.rule("A-04")
def test_the_page_shows_the_amount_first_and_bots_are_answered(
    house: Redis, client: Client
) -> None:
    tournament = cash(3)
    entry = somebody(tournament)
    page = reverse("leave", args=[tournament.pk])
    address = f"/tournaments/{tournament.pk}/leave"
    refused(by_session(client, address), 401, "invalid_token")
    client.force_login(entry.user)
    assert page in client.get(reverse("tournament", args=[tournament.pk])).content.decode()
    assert "15.00" in client.get(page).content.decode() and not Ruling.objects.exists()
    said = by_session(client, address).json()
    assert said["code"] == "leaving" and said["message"].startswith("You leave ")
    assert client.post(page).status_code == 302 and Ruling.objects.count() == 1
    stranger = User.objects.create_user("Stranger", "a long password")
    client.force_login(stranger)
    refused(by_session(client, address), 409, "not_playing")
    assert "no stack here" in client.get(page).content.decode()
    usual = f"/tournaments/{started(2, name='usual').pk}/leave"
    refused(by_session(client, usual), 409, "no_cash_value")
    refused(by_session(client, f"/tournaments/{10**9}/leave"), 404, "not_found")
    assert Ruling.objects.count() == 1
