"""Organisers seat players from the cockpit: before the start, late, and again after a bust."""

from __future__ import annotations

from html import unescape
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.ledger import transfers
from accounts.models import User
from accounts.users import bots
from tables.models import Seat, Table
from tests.tournaments.cast import (
    BUY_IN,
    FEE,
    STACK,
    Arena,
    chips_of,
    offer,
    open_offer,
    passive,
    somebody,
)
from tests.tournaments.entries.late_entries import late, pass_time, users_without_entry
from tests.tournaments.events.announced import event_types
from tests.tournaments.prizes.ticket_scene import give_ticket
from tournaments.entries import registration
from tournaments.models import AuditRow, Entry, Move, Ruling, Ticket, Tournament
from tournaments.monitor import audit
from tournaments.running import operations

PRICE = BUY_IN + FEE


@pytest.fixture
def boss(house: Redis, client: Client) -> Client:
    """Client logged in as a superuser."""
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    return client


def address(tournament: Tournament) -> str:
    """Address of the page that seats a player."""
    return reverse("cockpit_seat", args=[tournament.pk])


def sent(client: Client, tournament: Tournament, player: str, **fields: Any) -> dict[str, Any]:
    """Posted values of the form, with the token of a shown page."""
    token = client.get(address(tournament)).context["form"]["token"].value()
    return {"player": player, "pay": "money", "reason": "asked", "token": token} | fields


def state(tournament: Tournament) -> tuple[object, ...]:
    """Every value that an entry changes."""
    row = Tournament.objects.values_list("entrants", "left", "entries_made").get(pk=tournament.pk)
    counts = (Entry.objects.count(), Move.objects.count(), AuditRow.objects.count())
    tickets = Ticket.objects.filter(state="used").count()
    money = [transfers.held_by(user) for user in User.objects.order_by("pk")]
    return (*row, *counts, tickets, money)


@pytest.mark.rule("T-01")
def test_a_player_is_registered_before_the_start_and_pays(boss: Client) -> None:
    tournament = open_offer()
    [player] = bots.create(1)
    held = transfers.held_by(player)
    shown = boss.get(address(tournament)).content.decode()
    assert "The player pays the price" in shown and "drawn at the start" in shown
    assert "11.00" in shown and "0 → 1" in shown
    answer = boss.post(address(tournament), sent(boss, tournament, player.name.upper()))
    assert answer["Location"] == reverse("cockpit", args=[tournament.pk])
    entry = Entry.objects.get()
    assert (entry.user, entry.state) == (player, "registered")
    assert transfers.held_by(player) == held - PRICE
    row = AuditRow.objects.get(action="seat")
    assert (str(row.actor), row.reason) == ("Boss", "asked")
    assert row.details["entry"] == entry.pk and row.details["price"] == PRICE
    assert event_types(f"user:{player.pk}") == ["registered"]
    assert not audit.audit_tournaments(tournament.pk)


@pytest.mark.rule("E-01")
def test_a_late_player_gets_a_seat_by_lot_at_the_shortest_table(boss: Client) -> None:
    tournament = late(11, seats_per_table=6)
    short = min(Table.objects.all(), key=lambda table: table.seats.count())
    [player] = users_without_entry(1)
    cockpit = boss.get(reverse("cockpit", args=[tournament.pk])).content.decode()
    assert "Seat a player" in cockpit and "Lets in who comes late" in cockpit
    form = sent(boss, tournament, player.name)
    answer = boss.post(address(tournament), form, follow=True)
    move = Move.objects.get()
    assert (move.entry.user, move.reason, move.to_table, move.chips) == (
        *(player, "late", short, STACK),
    )
    where = f"{player.name}, table {short.number}, seat {move.to_seat}"
    assert where in answer.content.decode()
    assert event_types(f"user:{player.pk}") == ["registered", "seated"]
    before = state(tournament)
    assert boss.post(address(tournament), form).status_code == 302
    assert state(tournament) == before, "a form sent twice seats one player"
    arena = Arena(tournament.pk)
    arena.choose = passive
    arena.tables()
    arena.hand(short.pk)
    assert Seat.objects.get(entry=move.entry_id).table == short
    assert chips_of(tournament.pk) == 12 * STACK and not audit.audit_tournaments(tournament.pk)


@pytest.mark.rule("E-02")
def test_a_busted_player_is_seated_again_from_the_player_row(boss: Client) -> None:
    tournament = late(6, seats_per_table=3, entries_max=2, offer_ms=1_000)
    out = somebody(tournament)
    Seat.objects.filter(entry=out.pk).delete()
    Entry.objects.filter(pk=out.pk).update(state="out")
    Tournament.objects.filter(pk=tournament.pk).update(left=5)
    page = boss.get(reverse("cockpit", args=[tournament.pk])).content.decode()
    link = f"{address(tournament)}?player={out.name.replace(' ', '%20')}"
    assert link in page and page.count("Seat again") == 1
    assert boss.get(link).context["form"]["player"].value() == out.name
    assert boss.post(address(tournament), sent(boss, tournament, out.name)).status_code == 302
    again = Entry.objects.get(user=out.user, state="seated")
    assert again.pk != out.pk and again.paid_buy_in == BUY_IN


@pytest.mark.rule("T-15")
def test_a_disqualified_player_is_not_seated_again(boss: Client) -> None:
    tournament = late(6, seats_per_table=3, entries_max=2)
    gone = somebody(tournament)
    Ruling.objects.create(tournament=tournament, entry=gone, kind="disqualify", state="done")
    Seat.objects.filter(entry=gone.pk).delete()
    Entry.objects.filter(pk=gone.pk).update(state="disqualified")
    before = state(tournament)
    answer = boss.post(address(tournament), sent(boss, tournament, gone.name))
    said = f"{gone.name} was disqualified from this tournament."
    assert said in unescape(answer.content.decode()) and state(tournament) == before


@pytest.mark.rule("K-02")
def test_a_player_is_seated_with_an_own_ticket(boss: Client) -> None:
    tournament = open_offer(methods="ticket", activity="evening")
    [player] = bots.create(1)
    held = transfers.held_by(player)
    page = boss.get(address(tournament))
    assert [way for way, _words in page.context["form"].fields["pay"].choices] == ["ticket"]
    none = boss.post(address(tournament), sent(boss, tournament, player.name, pay="ticket"))
    assert "has no ticket that pays" in none.context["form"].errors["pay"][0]
    give_ticket(player, value=PRICE, scope="evening")
    form = sent(boss, tournament, player.name, pay="ticket")
    assert boss.post(address(tournament), form).status_code == 302
    assert Entry.objects.get().ticket == Ticket.objects.get(state="used")
    assert transfers.held_by(player) == held


@pytest.mark.rule("T-02")
def test_a_private_tournament_asks_for_its_password(boss: Client) -> None:
    tournament = operations.open(offer(password="open sesame").pk)
    [player] = bots.create(1)
    for language, words in (("en", "This tournament is private"), ("de", "Dieses Turnier ist")):
        boss.cookies["django_language"] = language
        before = state(tournament)
        answer = boss.post(address(tournament), sent(boss, tournament, player.name))
        assert words in answer.context["form"].errors["password"][0]
        assert state(tournament) == before
    form = sent(boss, tournament, player.name, password="open sesame")
    assert boss.post(address(tournament), form).status_code == 302
    assert Entry.objects.get().user == player


WRONG = {
    "empty": ({"player": ""}, "player", "This field is required.", "Dieses Feld ist zwingend"),
    "unknown": ({"player": "Nobody 77"}, "player", "There is no player", "keinen Spieler"),
    "huge": ({"player": "x" * 5_000}, "player", "at most 20 characters", "höchstens 20"),
    "control": ({"player": "a\0b"}, "player", "Null characters", "Nullzeichen"),
    "in": ({"player": "{taken}"}, "player", "{taken} is registered", "{taken} ist"),
    "poor": ({"player": "Poor"}, "pay", "This costs 11.00", "Das kostet 11,00"),
    "way": ({"pay": "credit"}, "pay", "Select a valid choice", "gültige Auswahl"),
    "reason": ({"reason": " "}, "reason", "This field is required.", "Dieses Feld ist zwingend"),
    "long": ({"reason": "x" * 301}, "reason", "at most 300 characters", "höchstens 300"),
    "token": ({"token": "-1"}, "token", "Enter a valid value", "gültigen Wert"),
}  # fmt: skip


@pytest.mark.rule("T-01")
def test_a_wrong_value_is_refused_beside_its_field_and_changes_nothing(boss: Client) -> None:
    tournament = open_offer()
    taken, free = bots.create(2)
    User.objects.create_user("Poor", "a long password")
    registration.register(taken, tournament)
    before = state(tournament)
    for (case, (wrong, field, *words)), language in product(WRONG.items(), ("en", "de")):
        form = sent(boss, tournament, free.name)
        form |= {name: value.replace("{taken}", taken.name) for name, value in wrong.items()}
        boss.cookies["django_language"] = language
        answer = boss.post(address(tournament), form)
        assert answer.status_code == 200, case
        (told_words,) = answer.context["form"].errors[field]
        assert words[language == "de"].replace("{taken}", taken.name) in told_words
        assert list(answer.context["form"].errors) == [field] and state(tournament) == before, case
        if field != "token":
            assert f'id="id_{field}_error"' in answer.content.decode(), case


@pytest.mark.rule("E-01")
def test_seating_is_refused_after_entries_are_closed(boss: Client) -> None:
    tournament = late(3)
    [player] = users_without_entry(1)
    form = sent(boss, tournament, player.name)
    pass_time(tournament, 600)
    before = state(tournament)
    answer = boss.post(address(tournament), form)
    assert "Registration for this tournament is not open." in answer.content.decode()
    assert state(tournament) == before and "Not possible in this state" in answer.content.decode()
    assert (
        address(tournament)
        not in boss.get(reverse("cockpit", args=[tournament.pk])).content.decode()
    )
    banned = User.objects.create_user("Banned", "a long password", is_active=False)
    fresh = open_offer()
    refused = boss.post(address(fresh), sent(boss, fresh, banned.name))
    assert refused.context["form"].errors["player"] == ["There is no player Banned."]


@pytest.mark.rule("T-01")
def test_seating_needs_the_permission_to_rule_about_players(house: Redis, client: Client) -> None:
    tournament = open_offer(starts_at=timezone.now(), start="scheduled")
    assert client.get(address(tournament)).status_code == 302
    staff = User.objects.create_user("Staff", "a long password", is_staff=True)
    staff.user_permissions.add(Permission.objects.get(codename="run_tournament"))
    client.force_login(staff)
    page = reverse("cockpit", args=[tournament.pk])
    assert address(tournament) not in client.get(page).content.decode()
    assert client.post(address(tournament), {"player": "Staff"}).status_code == 403
    assert not Entry.objects.exists()
    staff.user_permissions.add(Permission.objects.get(codename="rule_players"))
    client.force_login(User.objects.get(pk=staff.pk))
    assert address(tournament) in client.get(page).content.decode()
    assert client.get(reverse("cockpit_seat", args=[999_999])).status_code == 404
