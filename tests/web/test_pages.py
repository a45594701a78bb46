"""Pages show each visitor the permitted content and answer everything else with a clear refusal."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.ledger.transfers import account, balance
from accounts.models import AccountKind, User
from accounts.users import bots
from accounts.users.signup import sign_up
from config import limits
from tables.models import Table
from tests.tables.ring.pages.floor import ring_game
from tests.tournaments.api.asking import by_session, refused
from tests.tournaments.cast import BUY_IN, FEE, open_offer, started
from tests.web.tournament_tabs import TABS
from tournaments.entries import registration
from tournaments.models import Entry, Tournament
from tournaments.running import operations

pytestmark = pytest.mark.django_db(transaction=True)

PASSWORD = "correct horse battery"
PRICE = {"price": str(BUY_IN + FEE)}


@pytest.fixture(autouse=True)
def servers(room: Redis, broker: Redis) -> None:
    """Redis for the bells that registering rings."""


@pytest.fixture
def anna() -> User:
    return sign_up("anna", PASSWORD)


@pytest.fixture
def logged_in(client: Client, anna: User) -> Client:
    client.force_login(anna)
    return client


def _held(user: User) -> int:
    return balance(account(AccountKind.PLAYER, user=user))


def _in_minutes(minutes: int) -> datetime:
    return timezone.now() + timedelta(minutes=minutes)


def test_a_new_user_signs_up_and_is_logged_in_with_play_money(client: Client) -> None:
    answer = client.post(
        "/accounts/signup/", {"name": "Berta", "password": PASSWORD, "next": "/wallet/"}
    )
    assert answer.status_code == 302
    assert answer["Location"] == "/wallet/"
    page = client.get("/wallet/").content.decode()
    assert "10,000.00" in page
    assert "Play money to start with" in page


def test_sign_up_errors_stand_beside_the_field_and_create_no_user(
    client: Client, anna: User
) -> None:
    for name, password, words in [
        ("ANNA", PASSWORD, "This name is taken."),
        ("a", PASSWORD, "A name has 3 to 20 characters."),
        ("Carla", "12345678901", "entirely numeric"),
    ]:
        page = client.post("/accounts/signup/", {"name": name, "password": password})
        assert page.status_code == 200
        assert words in page.content.decode()
    assert User.objects.count() == 1
    assert "_auth_user_id" not in client.session


def test_all_sign_up_errors_are_told_at_once_each_at_its_field(
    client: Client, anna: User, settings: Settings
) -> None:
    settings.MAIL_URL = "file:///unused"
    given = {"name": "anna", "password": "anna", "address": "nowhere"}
    form = client.post("/accounts/signup/", given).context["form"]
    assert set(form.errors) == {"name", "password", "address"}
    assert form.errors["name"] == ["This name is taken."] and len(form.errors["password"]) == 1
    form = client.post("/accounts/signup/", {"password": "short"}).context["form"]
    assert set(form.errors) == {"name", "password"}
    assert User.objects.count() == 1


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:1"])
def test_signing_up_and_logging_in_never_redirect_to_another_site(
    client: Client, anna: User, elsewhere: str
) -> None:
    form = {"username": "anna", "password": PASSWORD, "next": elsewhere}
    assert client.post("/accounts/login/", form)["Location"] == "/"
    client.logout()
    form = {"name": "Dora", "password": PASSWORD, "next": elsewhere}
    assert client.post("/accounts/signup/", form)["Location"] == "/"


@pytest.mark.parametrize("word", ["word", "a\0b", "../word", "http:word"])
def test_a_word_is_no_page_to_go_on_with(client: Client, anna: User, word: str) -> None:
    form = {"name": "Dora", "password": PASSWORD, "next": word}
    assert client.post("/accounts/signup/", form)["Location"] == "/"
    assert client.get("/accounts/signup/", {"next": word})["Location"] == "/"
    offer = open_offer()
    said = client.post(f"/tournaments/{offer.pk}/register/", {"next": word})
    assert said["Location"] == f"/tournaments/{offer.pk}/"
    ring = ring_game()
    refusal = client.post(f"/ring/{ring.pk}/wait", {"next": word})
    assert refusal["Location"] == "/ring/"


def test_logging_out_needs_a_post_request(logged_in: Client) -> None:
    assert logged_in.get("/accounts/logout/").status_code == 405
    assert logged_in.post("/accounts/logout/").status_code == 302
    assert logged_in.get("/wallet/").status_code == 302


def test_password_guessing_ends_at_the_page_of_too_many_attempts(
    client: Client, anna: User
) -> None:
    form = {"username": "anna", "password": "wrong"}
    for _ in range(limits.LOGIN_FAILURES_MAX):
        answer = client.post("/accounts/login/", form)
    assert answer.status_code == 429
    assert "Too many failed attempts." in answer.content.decode()


def test_the_lobby_shows_each_visitor_the_permitted_buttons(client: Client, anna: User) -> None:
    offer = open_offer()
    page = client.get("/").content.decode()
    assert 'href="/accounts/signup/?next=/"' in page
    client.force_login(anna)
    page = client.get("/").content.decode()
    assert f'hx-get="/tournaments/{offer.pk}/register/"' in page
    assert 'id="take-a-seat"' in page
    client.post(f"/tournaments/{offer.pk}/register/")
    row = client.get(f"/tournaments/{offer.pk}/row/").content.decode()
    assert f'hx-get="/tournaments/{offer.pk}/unregister/"' in row
    assert "I'm in" in row or "I&#x27;m in" in row


def test_an_empty_lobby_shows_a_note(client: Client) -> None:
    assert "No tournament is announced yet." in client.get("/").content.decode()


@pytest.mark.rule("A-01")
def test_the_price_is_shown_before_it_is_paid(logged_in: Client, anna: User) -> None:
    offer = open_offer()
    dialog = logged_in.get(f"/tournaments/{offer.pk}/register/", headers={"HX-Request": "true"})
    words = dialog.content.decode()
    assert "<html" not in words
    for amount in ("10.00", "1.00", "11.00", "10,000.00", "9,989.00"):
        assert amount in words
    assert _held(anna) == limits.PLAY_MONEY_WELCOME_CENTS


@pytest.mark.rule("T-06")
def test_registering_and_unregistering_by_a_session(logged_in: Client, anna: User) -> None:
    offer = open_offer()
    entries = f"/tournaments/{offer.pk}/entries"
    before = _held(anna)
    said = by_session(logged_in, entries, {})
    assert (said.status_code, said.json()["state"]) == (201, "registered")
    refused(by_session(logged_in, entries, {}), 409, "already_registered")
    assert _held(anna) == before - BUY_IN - FEE
    back = by_session(logged_in, entries, method="DELETE")
    assert (back.json()["state"], _held(anna)) == ("unregistered", before)


def test_requests_of_anonymous_users_and_for_missing_rows_are_refused(
    client: Client, anna: User
) -> None:
    offer = open_offer()
    refused(by_session(client, f"/tournaments/{offer.pk}/entries", {}), 401, "invalid_token")
    client.force_login(anna)
    for number in (offer.pk + 999, 10**30):
        refused(by_session(client, f"/tournaments/{number}/entries", {}), 404, "not_found")
    assert Entry.objects.count() == 0


def test_registering_needs_a_csrf_token(anna: User) -> None:
    offer = open_offer()
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(anna)
    answer = strict.post(f"/tournaments/{offer.pk}/register/")
    assert answer.status_code == 403
    assert "nothing was done" in answer.content.decode()
    assert Entry.objects.count() == 0


@pytest.mark.rule("T-02")
def test_a_private_tournament_asks_for_its_password(logged_in: Client) -> None:
    offer = open_offer(password="sesame street")
    assert 'name="password"' in logged_in.get(f"/tournaments/{offer.pk}/register/").content.decode()
    entries = f"/tournaments/{offer.pk}/entries"
    wrong = by_session(logged_in, entries, {"password": "x"})
    assert wrong.json()["code"] == "wrong_password"
    assert wrong.json()["detail"].startswith("This is not the password")
    none = by_session(logged_in, entries, {})
    assert none.json()["detail"].startswith("This tournament is private")
    right = {"password": "sesame street"}
    assert by_session(logged_in, entries, right).status_code == 201


def test_one_click_takes_the_seat_that_starts_soonest(client: Client) -> None:
    later, soon = _in_minutes(120), _in_minutes(2)
    empty = open_offer(players_max=2)
    open_offer(players_max=2, password="sesame street")
    offers = [
        open_offer(players_max=3),
        open_offer(start="scheduled", players_max=9, starts_at=soon),
        open_offer(players_max=4),
        open_offer(start="scheduled", players_max=9, starts_at=later),
        empty,
    ]
    for bot, offer in zip(bots.create(3), [offers[0], offers[0], offers[2]], strict=True):
        registration.register(bot, offer)
    client.force_login(sign_up("anna", PASSWORD))
    for offer in offers:
        assert client.post("/seat/", PRICE)["Location"] == f"/tournaments/{offer.pk}/"
    assert client.post("/seat/", PRICE)["Location"] == "/"


def test_one_click_without_a_free_seat_is_refused_in_words(logged_in: Client) -> None:
    for page in (
        logged_in.post("/seat/", PRICE, follow=True),
        logged_in.get("/seat/", follow=True),
    ):
        assert "No tournament has room right now." in page.content.decode()


def test_a_player_without_the_money_is_told_what_the_cheapest_seat_costs(
    logged_in: Client, anna: User
) -> None:
    for number, buy_in in enumerate((99_000_000, 88_000_000)):
        open_offer(name=f"Dear {number}", buy_in=buy_in, fee=0)
    words = "Your balance does not pay for a seat: the cheapest costs 880,000.00."
    for page in (
        logged_in.get("/"),
        logged_in.get("/seat/", follow=True),
        logged_in.post("/seat/", PRICE, follow=True),
    ):
        assert words in page.content.decode()
    assert not Entry.objects.filter(user=anna).exists()


@pytest.mark.rule("A-01")
def test_the_seat_costs_no_more_than_the_page_said(logged_in: Client, anna: User) -> None:
    shown = open_offer(name="Cheap", buy_in=100, fee=0)
    assert "for 1.00" in logged_in.get("/").content.decode()
    page = logged_in.get("/seat/").content.decode()
    assert 'name="price" value="100"' in page and 'action="/seat/"' in page
    assert '<h2 id="dialog-title">Register for Cheap?</h2>' in page
    assert "<td>10,000.00</td>" in page and "<td>9,999.00</td>" in page
    assert _held(anna) == 1_000_000 and not Entry.objects.exists(), "viewing costs nothing"
    operations.cancel(shown.pk)
    dear = open_offer(name="Dear", buy_in=10_000, fee=0)
    held = _held(anna)
    page = logged_in.post("/seat/", {"price": "100"}, follow=True).content.decode()
    assert "No seat is left for 1.00: you were not registered." in page
    assert "Next free seat: Dear, for 100.00" in page
    assert _held(anna) == held and not Entry.objects.exists()
    cheaper = open_offer(start="scheduled", starts_at=_in_minutes(60), buy_in=50, fee=0)
    answer = logged_in.post("/seat/", {"price": "100"})
    assert answer["Location"] == f"/tournaments/{cheaper.pk}/"
    answer = logged_in.post("/seat/", {"price": "10000"})
    assert answer["Location"] == f"/tournaments/{dear.pk}/"


@pytest.mark.rule("A-01")
@pytest.mark.parametrize("price", [None, "", "-1", "1.00", "12e3", "²", "9" * 19])
def test_a_malformed_price_buys_no_seat(logged_in: Client, anna: User, price: str | None) -> None:
    open_offer()
    held = _held(anna)
    form = {} if price is None else {"price": price}
    page = logged_in.post("/seat/", form, follow=True).content.decode()
    assert "The price is missing or no amount: you were not registered." in page
    assert _held(anna) == held and not Entry.objects.exists()


@pytest.mark.parametrize("stage", ["registering", "running", "cancelled"])
def test_every_tab_shows_at_every_stage(logged_in: Client, stage: str) -> None:
    tournament = _at(stage)
    for tab in TABS:
        page = logged_in.get(f"/tournaments/{tournament.pk}/?tab={tab}")
        assert page.status_code == 200
        assert f'href="?tab={tab}" aria-current="page"' in page.content.decode()


def test_players_see_their_own_row_marked_and_where_they_sit(client: Client) -> None:
    tournament = started(4)
    entry = Entry.objects.filter(tournament=tournament)[0]
    client.force_login(entry.user)
    players = client.get(f"/tournaments/{tournament.pk}/?tab=players").content.decode()
    assert players.count('class="own"') == 1
    assert "To my table" in client.get("/").content.decode()
    standing = client.get(f"/tournaments/{tournament.pk}/seat/").json()
    table = Table.objects.get(game=tournament.pk)
    own = {"table": table.pk, "rank": 1, "place": None, "rebuy": None, "leave": None}
    assert standing == {**own, "left": 4, "average": 1500, "sells": False}


def test_the_projector_page_shows_leaders_and_level(client: Client) -> None:
    tournament = started(4)
    page = client.get(f"/tournaments/{tournament.pk}/clock/").content.decode()
    assert "Level 1" in page
    assert page.count("1,500") >= 4, "every stack, and the average"
    assert client.get(f"/tournaments/{open_offer().pk}/clock/").status_code == 200


def test_watching_leads_to_an_open_table(client: Client) -> None:
    tournament = started(4)
    table = Table.objects.get(game=tournament.pk)
    assert client.get(f"/tournaments/{tournament.pk}/watch/")["Location"] == f"/tables/{table.pk}/"
    page = client.get(f"/tables/{table.pk}/").content.decode()
    assert f'data-table="{table.pk}" data-tournament="{tournament.pk}"' in page
    assert "data-user" not in page
    waiting = open_offer()
    assert client.get(f"/tournaments/{waiting.pk}/watch/")["Location"].endswith(f"/{waiting.pk}/")


@pytest.mark.parametrize("address", ["/tables/999999/", "/tournaments/999999/", "/nowhere/"])
def test_a_missing_page_shows_the_sites_not_found_page(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert "There is nothing under this address." in answer.content.decode()


def test_names_cannot_smuggle_markup_into_a_page(client: Client) -> None:
    tournament = open_offer(name="<script>alert(1)</script>")
    for address in ("/", f"/tournaments/{tournament.pk}/"):
        page = client.get(address).content.decode()
        assert "<script>alert(1)" not in page
        assert "&lt;script&gt;" in page


def test_pages_allow_no_foreign_and_no_inline_script(client: Client) -> None:
    answer = client.get("/")
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy
    page = answer.content.decode()
    assert " onclick=" not in page
    assert " style=" not in page
    assert page.count("<script") == page.count("<script src=")


def _at(stage: str) -> Tournament:
    if stage == "running":
        return started(4)
    made = open_offer()
    return operations.cancel(made.pk) if stage == "cancelled" else made
