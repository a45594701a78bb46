"""Organisers take registered players out before the start: refunded, told why, and audited."""

from __future__ import annotations

from html import unescape
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from accounts.users import bots
from tests.tournaments.cast import BUY_IN, FEE, open_offer, somebody, started
from tests.tournaments.entries.balances import balance_of, stored_values
from tests.tournaments.events.announced import events_of_type
from tests.tournaments.prizes.ticket_scene import assert_ledger_right, give_ticket, ticket_event
from tournaments.entries import registration
from tournaments.models import AuditRow
from tournaments.refusals import AlreadyStarted, NoSuchTournament, TakenBack
from tournaments.running import operations

PRICE = BUY_IN + FEE
REASON = {"reason": "asked for it"}


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def _told(player: User) -> dict[str, Any]:
    """Return the last notice of a player who is no longer registered."""
    told: dict[str, Any] = msgspec.json.decode(
        events_of_type(f"user:{player.pk}", "unregistered")[-1]
    )
    return told


@pytest.mark.rule("T-06")
@pytest.mark.parametrize("page", ["cockpit_take_out", "admin:tournaments_take_out"])
def test_an_organiser_takes_a_registered_player_out(boss: Client, page: str) -> None:
    tournament = open_offer()
    [player] = bots.create(1)
    had = balance_of(player)
    entry = registration.register(player, tournament)
    address = reverse(page, args=[entry.pk])
    shown = unescape(boss.get(address).content.decode())
    assert "gets everything back" in shown and player.name in shown and "1 → 0" in shown
    assert "the player reads it" in shown and "when you pause" not in shown
    before = stored_values(tournament)
    assert boss.post(address, {"reason": " "}).status_code == 200
    assert stored_values(tournament) == before
    assert boss.post(address, REASON).status_code == 302
    assert (balance_of(player), stored_values(tournament)[1]) == (had, 0)
    told = _told(player)
    assert (told["refund"], told["left"], told["reason"]) == (PRICE, 0, "asked for it")
    row = AuditRow.objects.get(action="take_out")
    assert (str(row.actor), row.reason) == ("Boss", "asked for it")
    assert (row.details["entry"], row.details["price"]) == (entry.pk, PRICE)
    assert registration.register(player, tournament).state == "registered"


@pytest.mark.rule("K-05")
def test_a_player_taken_out_gets_the_ticket_back(boss: Client) -> None:
    tournament = ticket_event()
    [player] = bots.create(1)
    had, ticket = balance_of(player), give_ticket(player)
    entry = registration.register(player, tournament, ticket=ticket.pk)
    address = reverse("cockpit_take_out", args=[entry.pk])
    assert "with a ticket" in boss.get(address).content.decode()
    boss.post(address, REASON)
    ticket.refresh_from_db()
    assert (ticket.state, balance_of(player)) == ("valid", had)
    assert (_told(player)["refund"], _told(player)["ticket"]) == (0, PRICE)
    assert_ledger_right()


@pytest.mark.rule("E-03")
def test_one_of_several_entries_is_taken_out(house: Redis) -> None:
    tournament = open_offer(entries_max=3, several_at_once=True, players_max=9)
    [player] = bots.create(1)
    entries = [registration.register(player, tournament) for _ in range(3)]
    registration.take_out(entries[1].pk, actor=None, reason="one too many")
    assert _told(player)["left"] == 2
    states = [entry.state for entry in tournament.entries.order_by("pk")]
    assert states == ["registered", "unregistered", "registered"]


def test_the_cockpit_offers_it_while_players_are_registered_alone(boss: Client) -> None:
    tournament = open_offer()
    entry = registration.register(bots.create(1)[0], tournament)
    link = reverse("cockpit_take_out", args=[entry.pk])
    assert link in boss.get(reverse("cockpit", args=[tournament.pk])).content.decode()
    entries = reverse("admin:tournaments_entry_changelist")
    assert (
        reverse("admin:tournaments_take_out", args=[entry.pk]) in boss.get(entries).content.decode()
    )
    playing = started(2)
    page = boss.get(reverse("cockpit", args=[playing.pk])).content.decode()
    assert reverse("cockpit_take_out", args=[somebody(playing).pk]) not in page
    assert "Disqualify" in page


def test_a_player_without_the_right_takes_nobody_out(house: Redis, client: Client) -> None:
    tournament = open_offer()
    mia, tom = bots.create(2)
    entry = registration.register(tom, tournament)
    before = stored_values(tournament)
    client.force_login(mia)
    for page in ("cockpit_take_out", "admin:tournaments_take_out"):
        answer = client.post(reverse(page, args=[entry.pk]), REASON)
        assert answer.status_code in (302, 403, 404)
        assert stored_values(tournament) == before, page
    assert not AuditRow.objects.filter(action="take_out").exists()


def test_nobody_is_taken_out_once_it_has_started(boss: Client) -> None:
    tournament = started(2)
    entry, before = somebody(tournament), stored_values(tournament)
    with pytest.raises(AlreadyStarted):
        registration.take_out(entry.pk, actor=None, reason="late")
    address = reverse("cockpit_take_out", args=[entry.pk])
    assert "has started" in boss.post(address, REASON).content.decode()
    assert stored_values(tournament) == before
    assert not AuditRow.objects.filter(action="take_out").exists()


@pytest.mark.rule("T-16")
def test_an_entry_is_taken_out_once(house: Redis) -> None:
    tournament = open_offer()
    entry = registration.register(bots.create(1)[0], tournament)
    registration.take_out(entry.pk, actor=None, reason="first")
    before = stored_values(tournament)
    with pytest.raises(TakenBack):
        registration.take_out(entry.pk, actor=None, reason="second")
    with pytest.raises(NoSuchTournament):
        registration.take_out(entry.pk + 1_000, actor=None, reason="nobody")
    assert stored_values(tournament) == before
    assert AuditRow.objects.filter(action="take_out").count() == 1


def test_nobody_is_taken_out_of_a_cancelled_tournament(house: Redis) -> None:
    tournament = open_offer()
    entry = registration.register(bots.create(1)[0], tournament)
    operations.cancel(tournament.pk, actor=None, reason="rain")
    before = stored_values(tournament)
    with pytest.raises(TakenBack):
        registration.take_out(entry.pk, actor=None, reason="late")
    assert stored_values(tournament) == before
