"""Pages before a payment: price, balance, tickets and passwords."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from django.test import Client
from redis import Redis

from accounts.ledger import transfers
from accounts.ledger.transfers import held_by
from accounts.models import AccountKind, User
from accounts.users import bots
from tests.tournaments.cast import STACK, open_offer
from tests.tournaments.prizes.ticket_scene import give_ticket, ticket_event
from tournaments.entries import registration
from tournaments.models import Entry
from tournaments.prizes import money


@pytest.fixture
def player(house: Redis, client: Client) -> User:
    """A player who is logged in."""
    found = bots.create(1)[0]
    client.force_login(found)
    return found


@pytest.mark.rule("T-02")
@pytest.mark.parametrize(
    ("password", "words"),
    [("guess", "This is not the password"), ("", "This tournament is private")],
)
def test_a_wrong_password_is_refused_beside_its_field_and_changes_nothing(
    player: User, client: Client, password: str, words: str
) -> None:
    offer = open_offer(password="sesame street")
    held = held_by(player)
    form = {"password": password, "next": "/?x"}
    answer = client.post(f"/tournaments/{offer.pk}/register/", form)
    page = answer.content.decode()
    assert answer.status_code == 200
    field = page[page.index('id="password"') : page.index("Cancel")]
    assert 'aria-invalid="true"' in field and words in field
    assert 'value="/?x"' in page, "the way back is kept"
    assert held_by(player) == held and not Entry.objects.exists()


@pytest.mark.parametrize("step", ["register", "unregister", "leave"])
def test_a_session_that_ended_elsewhere_leads_the_page_to_the_log_in_and_back(
    house: Redis, client: Client, step: str
) -> None:
    offer = open_offer()
    page = f"http://testserver/tournaments/{offer.pk}/"
    part = {"HX-Request": "true", "HX-Current-URL": page}
    answer = client.get(f"{page}{step}/", headers=part)
    login = f"/accounts/login/?next={quote(page)}"
    assert answer.headers["HX-Redirect"] == login and not answer.content
    assert "Location" not in answer.headers, "the page of the log-in is no part of another"


def test_registering_without_a_session_leads_back_to_the_tournament(
    house: Redis, client: Client
) -> None:
    page = f"/tournaments/{open_offer().pk}/"
    for answer in (client.get(f"{page}register/"), client.post(f"{page}register/", {"next": page})):
        assert answer.headers["Location"] == f"/accounts/login/?next={page}"


@pytest.mark.rule("K-02")
def test_each_payment_method_shows_the_balance_afterwards(player: User, client: Client) -> None:
    give_ticket(player)
    tournament = ticket_event()
    held = held_by(player)
    page = client.get(f"/tournaments/{tournament.pk}/register/").content.decode()
    price = tournament.price
    for rest in (held - price, held):
        assert f"new balance: {rest / 100:,.2f}" in page
    assert "New balance" not in page, "the remaining balance depends on the choice"


@pytest.mark.rule("K-02")
def test_a_free_tournament_asks_for_no_money(player: User, client: Client) -> None:
    offer = open_offer(buy_in=0, fee=0)
    page = client.get(f"/tournaments/{offer.pk}/register/").content.decode()
    sums = page[page.index('<table class="sums">') :].partition("</table>")[0]
    assert '<th scope="row">Buy-in</th><td>free</td>' in sums
    assert "Price" not in sums and "alance" not in sums


@pytest.mark.rule("A-01")
def test_the_wallet_names_the_tournament_of_each_row(player: User, client: Client) -> None:
    offer = open_offer(name="Sunday <b>")
    registration.register(player, offer)
    page = client.get("/wallet/").content.decode()
    assert f'Buy-in and fee · <a href="/tournaments/{offer.pk}/">Sunday &lt;b&gt;</a>' in page


@pytest.mark.rule("E-03")
def test_an_entry_asked_for_twice_is_bought_once(player: User, client: Client) -> None:
    offer = open_offer(entries_max=3, several_at_once=True, players_max=9)
    address, held = f"/tournaments/{offer.pk}/register/", held_by(player)
    form = _hidden(client.get(address).content.decode())
    for _ in range(2):
        page = client.post(address, form, follow=True).content.decode()
        assert "You are registered for Test." in page
    assert Entry.objects.count() == 1 and held_by(player) == held - offer.price
    client.post(address, _hidden(client.get(address).content.decode()))
    assert Entry.objects.count() == 2, "asked again, it is an entry of its own"


@pytest.mark.rule("T-06")
def test_one_of_two_entries_taken_back_twice_leaves_the_other(player: User, client: Client) -> None:
    offer = open_offer(entries_max=3, several_at_once=True, players_max=9)
    for _ in range(2):
        registration.register(player, offer)
    address, held = f"/tournaments/{offer.pk}/unregister/", held_by(player)
    for count in (1, 2):
        form = _hidden(client.get(address).content.decode())
        for _ in range(2):
            page = client.post(address, form, follow=True).content.decode()
            assert "You are no longer registered for Test;" in page
        assert held_by(player) == held + count * offer.price
        assert Entry.objects.filter(state="unregistered").count() == count


@pytest.mark.rule("A-01")
def test_a_seat_asked_for_twice_is_taken_in_one_tournament(player: User, client: Client) -> None:
    offers, held = [open_offer(), open_offer()], held_by(player)
    for count, offer in enumerate(offers, 1):
        form = _hidden(client.get("/seat/").content.decode())
        for _ in range(2):
            assert client.post("/seat/", form)["Location"] == f"/tournaments/{offer.pk}/"
        assert Entry.objects.count() == count
    assert held_by(player) == held - 2 * offers[0].price


@pytest.mark.rule("K-03")
def test_the_new_balance_counts_the_bonus_before_an_entry_and_before_its_return(
    player: User, client: Client
) -> None:
    bonus, offer = 5_000, open_offer()
    transfers.move(
        key="bonus", kind="credit", source=money.room(), target=money.bonus(player), amount=bonus
    )
    both = held_by(player) + bonus
    page = f"/tournaments/{offer.pk}/"
    assert _balances(client, f"{page}register/") == [both, both - offer.price]
    registration.register(player, offer)
    assert _balances(client, f"{page}unregister/") == [both]
    registration.unregister(player, offer)
    assert held_by(player) + held_by(player, AccountKind.BONUS) == both


@pytest.mark.rule("A-04")
def test_a_bonus_does_not_count_for_chips_with_cash_value(player: User, client: Client) -> None:
    offer = open_offer(
        cash_value=True, buy_in=STACK, payout_preset="winner_takes_all", fee=0, bubble_places=0
    )
    held = held_by(player)
    transfers.move(
        key="bonus", kind="credit", source=money.room(), target=money.bonus(player), amount=500
    )
    assert _balances(client, f"/tournaments/{offer.pk}/register/") == [held, held - STACK]


def _balances(client: Client, address: str) -> list[int]:
    """Return the balances that a dialog shows, in cents."""
    shown = re.findall(r"alance</th><td>([\d,]+)\.(\d\d)", client.get(address).content.decode())
    return [int(major.replace(",", "")) * 100 + int(minor) for major, minor in shown]


def _hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of a dialog that are numbers."""
    return dict(re.findall(r'type="hidden" name="(\w+)" value="(\d+)"', page))
