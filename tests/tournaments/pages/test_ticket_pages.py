"""Tickets on the pages of players and operators (K-01, K-02, K-06)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.ledger.transfers import held_by
from accounts.models import User
from accounts.users import bots
from tests.tournaments.api.asking import by_session, refused
from tests.tournaments.club_scene import staff
from tests.tournaments.prizes.ticket_scene import (
    assert_ledger_right,
    give_ticket,
    ticket_event,
)
from tournaments.models import Ticket


@pytest.mark.rule("K-02")
def test_pages_offer_the_tickets_that_fit(house: Redis, client: Client) -> None:
    player = bots.create(1)[0]
    client.force_login(player)
    ticket, tournament = give_ticket(player), ticket_event(methods="ticket")
    page = client.get(f"/tournaments/{tournament.pk}/register/").content.decode()
    assert f'name="ticket" value="{ticket.pk}" checked' in page
    refused(by_session(client, f"/tournaments/{tournament.pk}/entries", {}), 409, "tickets_only")
    answer = client.post(f"/tournaments/{tournament.pk}/register/", {"ticket": ticket.pk})
    assert answer.status_code == 302 and tournament.entries.get().ticket_id == ticket.pk
    page = client.get(f"/tournaments/{tournament.pk}/unregister/").content.decode()
    assert "a ticket worth 11.00" in page


@pytest.mark.rule("K-06")
def test_a_player_sees_and_exchanges_tickets(house: Redis, client: Client) -> None:
    player = bots.create(1)[0]
    client.force_login(player)
    assert "You have no tickets" in client.get("/tickets/").content.decode()
    ticket = give_ticket(player, exchangeable=True)
    assert 'hx-get="/tickets/"' in client.get("/wallet/").content.decode()
    assert "Exchange for money" in client.get("/tickets/").content.decode()
    [row] = by_session(client, "/tickets", method="GET").json()["items"]
    assert (row["id"], row["exchangeable"]) == (ticket.pk, True)
    exchanged = client.post(f"/tickets/{ticket.pk}/exchange/", follow=True).content.decode()
    assert "The ticket is exchanged: 11.00 are in your account." in exchanged
    refused(by_session(client, f"/tickets/{ticket.pk}/exchange"), 409, "ticket_gone")
    refused(by_session(client, "/tickets/999999/exchange"), 404, "no_such_ticket")
    other = give_ticket(player, token="two", exchangeable=True)
    said = by_session(client, f"/tickets/{other.pk}/exchange").json()
    assert (said["code"], said["balance"]) == ("exchanged", held_by(player))


@pytest.mark.rule("K-01")
def test_operators_issue_tickets_once_per_form(house: Redis, client: Client) -> None:
    client.force_login(User.objects.create_superuser("Boss", "a long password"))
    first, second = bots.create(2)
    address = reverse("admin:tournaments_ticket_add")
    tomorrow = timezone.localtime(timezone.now() + timedelta(days=1))
    form = {
        "owners": f"{first.name}\n{second.name}",
        "value": "11,00",
        "scope": "main",
        "valid_until_0": tomorrow.date().isoformat(),
        "valid_until_1": tomorrow.time().isoformat("seconds"),
        "source": "promotion",
        "reason": "spring",
        "token": "A" * 22,
    }
    assert client.get(address).status_code == 200
    for wrong in ({"owners": "nobody"}, {"value": "-1"}, {"value": "0"}, {"reason": ""}):
        assert client.post(address, form | wrong).status_code == 200
    assert not Ticket.objects.exists()
    for _ in range(2):
        assert client.post(address, form).status_code == 302
    assert (
        list(Ticket.objects.values_list("value", "source", "reason"))
        == [(1_100, "promotion", "spring")] * 2
    )
    chosen = Ticket.objects.get(owner=first)
    page = reverse("admin:tournaments_ticket_changelist")
    assert client.get(page).status_code == 200
    client.post(page, {"action": "withdraw", "_selected_action": [chosen.pk]})
    chosen.refresh_from_db()
    assert chosen.state == "withdrawn"
    assert_ledger_right()
    tickets = list(Ticket.objects.values_list("pk", flat=True))
    both = {"action": "withdraw", "_selected_action": tickets}
    words = client.post(page, both, follow=True).content.decode()
    assert "1 ticket withdrawn." in words
    assert "1 ticket is not valid any more and stays as it is." in words


def test_staff_who_issue_tickets_see_and_withdraw_them(house: Redis, client: Client) -> None:
    player = bots.create(1)[0]
    client.force_login(staff("Tina", "add_ticket"))
    tomorrow = timezone.localtime(timezone.now() + timedelta(days=1))
    form = {
        "owners": player.name,
        "value": "11.00",
        "scope": "main",
        "valid_until_0": tomorrow.date().isoformat(),
        "valid_until_1": tomorrow.time().isoformat("seconds"),
        "source": "admin",
        "reason": "spring",
        "token": "A" * 22,
    }
    done = client.post(reverse("admin:tournaments_ticket_add"), form, follow=True)
    assert done.status_code == 200 and "1 ticket issued." in done.content.decode()
    page, chosen = reverse("admin:tournaments_ticket_changelist"), Ticket.objects.get()
    client.post(page, {"action": "withdraw", "_selected_action": [chosen.pk]})
    chosen.refresh_from_db()
    assert chosen.state == "withdrawn"
