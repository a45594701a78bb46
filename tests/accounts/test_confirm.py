"""The password asked for again before security settings, credit, tickets and rulings."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.logins import minting
from accounts.models import AccessToken, EmailAddress, PasswordLink, Transfer, User
from config import limits
from tests.accounts.clubs.cast import club_of
from tests.tournaments.cast import offer

pytestmark = pytest.mark.django_db

PASSWORD = "a long password"
ASKED = "/account/confirm/?next="


@pytest.fixture
def olga(room: Redis) -> User:
    return User.objects.create_superuser("Olga", PASSWORD)


@pytest.fixture
def late(olga: User, settings: Settings) -> Client:
    """A client whose password was shown longer ago than the room allows."""
    client = Client()
    client.force_login(olga)
    grow_old(client)
    return client


def grow_old(client: Client) -> None:
    session = client.session
    session[minting.CONFIRMED_AT] -= 3600
    session.save()


def test_own_security_pages_ask_for_the_password_and_change_nothing(
    late: Client, olga: User
) -> None:
    row = EmailAddress.objects.create(user=olga, address="olga@example.org")
    token = {"name": "x", "scopes": ["play"], "days": "9"}
    asked = [
        late.get("/account/tokens/"),
        late.post("/account/tokens/", token),
        late.post("/account/emails/", {"address": "mallory@example.org"}),
        *(
            late.post(f"/account/emails/{row.pk}/{step}/")
            for step in ("primary", "again", "remove")
        ),
    ]
    assert [answer.headers["Location"].partition("%2F")[0] for answer in asked] == [ASKED] * 6
    assert not AccessToken.objects.exists()
    assert [row.address for row in EmailAddress.objects.all()] == ["olga@example.org"]
    assert "Nothing has changed yet" in late.get("/account/").content.decode()


def test_the_rights_of_a_token_are_a_group_with_its_error(olga: User, client: Client) -> None:
    client.force_login(olga)
    page = client.get("/account/tokens/").content.decode()
    assert '<div role="group" aria-labelledby="id_scopes_label">' in page
    refused = client.post("/account/tokens/", {"name": "x", "days": "9"}).content.decode()
    assert 'aria-labelledby="id_scopes_label" aria-describedby="id_scopes_error"' in refused
    assert 'id="id_scopes_error"' in refused


def test_the_password_leads_on_to_the_page_asked_for(late: Client) -> None:
    asked = late.get("/account/tokens/").headers["Location"]
    assert late.get(asked).status_code == 200
    back = late.post("/account/confirm/", {"password": PASSWORD, "next": "/account/tokens/"})
    assert back.headers["Location"] == "/account/tokens/"
    assert late.get("/account/tokens/").status_code == 200
    grow_old(late)
    assert late.get("/account/tokens/").status_code == 302


def test_a_wrong_password_an_empty_one_and_that_of_another_account_confirm_nothing(
    late: Client,
) -> None:
    User.objects.create_user("Bob", "the password of Bob")
    for password in ("", "wrong", "the password of Bob", "x" * 5_000):
        answer = late.post("/account/confirm/", {"password": password, "username": "Bob"})
        assert answer.status_code == 400
        assert late.get("/account/tokens/").status_code == 302


def test_wrong_passwords_lock_the_account_out_as_log_ins_do(late: Client) -> None:
    for _ in range(limits.LOGIN_FAILURES_MAX):
        last = late.post("/account/confirm/", {"password": "wrong"})
    assert last.status_code == 429
    late.post("/account/confirm/", {"password": PASSWORD})
    assert late.get("/account/tokens/").status_code == 302, "locked out for the right one too"


def test_the_page_leads_to_no_other_site(late: Client) -> None:
    for foreign in ("https://example.org/", "//example.org/", "javascript:alert(1)"):
        answer = late.post("/account/confirm/", {"password": PASSWORD, "next": foreign})
        assert answer.headers["Location"] == "/account/"


def test_credit_tickets_and_rulings_ask_for_the_password(late: Client, olga: User) -> None:
    users = reverse("admin:accounts_user_changelist")
    form = {"action": "credit", "_selected_action": [olga.pk]}
    form |= {"amount": "25", "reason": "a gift", "token": "a" * 32}
    assert late.post(users, form).headers["Location"].startswith(ASKED)
    issue = reverse("admin:tournaments_ticket_add")
    assert late.get(issue).headers["Location"].startswith(ASKED)
    assert late.post(issue, {}).headers["Location"].startswith(ASKED)
    for page in ("tournaments_take_out", "tournaments_disqualify", "tournaments_move"):
        answer = late.get(reverse(f"admin:{page}", args=[1]))
        assert answer.headers["Location"].startswith(ASKED)
    assert not Transfer.objects.exists()


def test_a_room_may_never_ask_and_minted_sessions_count_as_log_ins(
    late: Client, settings: Settings, olga: User
) -> None:
    settings.PASSWORD_AGAIN_MINUTES = 0
    assert late.get("/account/tokens/").status_code == 200
    settings.PASSWORD_AGAIN_MINUTES = 15
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = minting.mint([olga], 1)[0][1]
    assert client.get("/account/tokens/").status_code == 200
    assert Client().get("/account/confirm/").headers["Location"].startswith("/accounts/login/")


def test_rights_bans_links_and_money_of_the_room_ask_for_the_password(
    late: Client, olga: User
) -> None:
    ann, gang = User.objects.create_user("Ann"), Group.objects.create(name="Gang")
    club = club_of(olga)
    before = User.objects.filter(pk=ann.pk).values().get(), Transfer.objects.count()
    users, groups = reverse("admin:accounts_user_changelist"), reverse("admin:auth_group_add")
    link = reverse("admin:accounts_user_link", args=[ann.pk])
    given = {"direction": "give", "amount": "5", "reason": "a gift", "token": "a" * 22}
    asked = [
        late.post(reverse("admin:accounts_user_change", args=[ann.pk]), {"is_superuser": "on"}),
        late.post(reverse("admin:accounts_user_add"), {"name": "Mallory"}),
        late.post(users, {"action": "ban", "_selected_action": [ann.pk]}),
        late.post(users, {"action": "unban", "_selected_action": [ann.pk]}),
        late.get(link),
        late.post(link, {"reason": "forgot it"}),
        late.post(groups, {"name": "Another"}),
        late.post(reverse("admin:auth_group_change", args=[gang.pk]), {"name": "Renamed"}),
        late.post(reverse("admin:auth_group_delete", args=[gang.pk]), {"post": "yes"}),
        late.post(reverse("admin:accounts_promotions"), given),
        late.post(f"/clubs/{club.slug}/bank/fund/", given),
    ]
    assert [answer.headers["Location"].startswith(ASKED) for answer in asked] == [True] * 11
    assert (User.objects.filter(pk=ann.pk).values().get(), Transfer.objects.count()) == before
    assert [group.name for group in Group.objects.filter(pk=gang.pk)] == ["Gang"]
    assert not User.objects.filter(name="Mallory").exists()
    assert not PasswordLink.objects.exists()
    assert late.get(reverse("admin:accounts_user_change", args=[ann.pk])).status_code == 200


def test_seating_a_player_for_the_players_money_asks_for_the_password(late: Client) -> None:
    made = offer()
    page = reverse("cockpit_seat", args=[made.pk])
    for answer in (late.get(page), late.post(page, {})):
        assert answer.headers["Location"].startswith(ASKED)
