"""Idle time-out: sessions of staff and players end at their next request, and only then."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import quote

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings
from redis import Redis

from accounts.models import EmailAddress, LoginSession, User
from accounts.pages import seen
from accounts.pages.idle import COOKIE
from accounts.users import access_tokens
from config import environment, limits
from tests.accounts.browsers import browser

pytestmark = pytest.mark.django_db

WHY = "because nothing was done here for a long time"
LONG_AGO = timedelta(minutes=60, seconds=limits.LOGIN_SEEN_EVERY_S + 1)
LATELY = timedelta(minutes=60, seconds=limits.LOGIN_SEEN_EVERY_S - 30)


@pytest.fixture
def olga(room: Redis) -> Client:
    return browser(User.objects.create_superuser("Olga", "a long password"))


@pytest.fixture
def ann(room: Redis) -> Client:
    return browser(User.objects.create_user("Ann", "a long password"))


def last_used(ago: timedelta) -> None:
    """Let every session have been used last so long ago, and this process know nothing of it."""
    LoginSession.objects.update(seen_at=timezone.now() - ago)
    seen._noted.clear()


def test_an_idle_session_of_staff_ends_and_the_log_in_page_says_why_once(olga: Client) -> None:
    last_used(LONG_AGO)
    answer = olga.get("/account/sessions/?x=1")
    assert answer.headers["Location"] == "/accounts/login/?next=/account/sessions/%3Fx%3D1"
    assert not Session.objects.exists() and not LoginSession.objects.exists()
    assert WHY in olga.get(answer.headers["Location"]).content.decode()
    assert WHY not in olga.get("/accounts/login/").content.decode()
    fields = {"username": "Olga", "password": "a long password", "next": "/account/sessions/"}
    back = olga.post("/accounts/login/", fields)
    assert back.headers["Location"] == "/account/sessions/"
    assert olga.get("/account/sessions/").status_code == 200


def test_a_session_used_within_the_hour_goes_on_and_counts_as_used(olga: Client) -> None:
    last_used(LATELY)
    assert olga.get("/account/").status_code == 200
    assert LoginSession.objects.get().seen_at > timezone.now() - timedelta(minutes=1)


def test_a_session_noted_by_another_process_is_noted_by_this_one_too(olga: Client) -> None:
    """Else this process would count a time as noted that is minutes older, and end it early."""
    last_used(timedelta(seconds=limits.LOGIN_SEEN_EVERY_S - 2))
    assert olga.get("/account/").status_code == 200
    assert LoginSession.objects.get().seen_at > timezone.now() - timedelta(minutes=1)


def test_players_stay_unless_the_room_says_so(ann: Client, settings: Settings) -> None:
    last_used(timedelta(days=3))
    assert ann.get("/account/").status_code == 200
    settings.IDLE_MINUTES = 60
    last_used(LONG_AGO)
    assert ann.get("/account/").status_code == 302
    settings.IDLE_MINUTES = settings.STAFF_IDLE_MINUTES = 0
    client = browser(User.objects.create_superuser("Stan", "a long password"))
    last_used(timedelta(days=3))
    assert client.get("/account/").status_code == 200


def test_a_form_sent_too_late_changes_nothing_and_leads_to_no_form(olga: Client) -> None:
    user = User.objects.get()
    row = EmailAddress.objects.create(user=user, address="olga@example.org")
    for path in (f"/account/emails/{row.pk}/remove/", reverse("admin:accounts_user_changelist")):
        client = browser(user)
        last_used(LONG_AGO)
        answer = client.post(path, {"action": "ban", "_selected_action": [user.pk]})
        assert answer.headers["Location"] == "/accounts/login/?next=/"
    assert EmailAddress.objects.get().address == "olga@example.org"


def test_the_api_answers_an_idle_session_as_one_that_is_over(olga: Client) -> None:
    text = access_tokens.issue(User.objects.get(), name="mine", scopes=["watch"], days=1)
    last_used(LONG_AGO)
    wallet = olga.get("/api/v1/wallet")
    assert (wallet.status_code, wallet.json()["code"]) == (401, "login")
    assert wallet.cookies[COOKIE].value == "idle" and not Session.objects.exists()
    client = browser(User.objects.get())
    last_used(LONG_AGO)
    by_token = client.get("/api/v1/tournaments", headers={"Authorization": f"Bearer {text}"})
    assert by_token.status_code == 200, "the token counts alone"


def test_a_page_that_refreshes_itself_keeps_no_session(olga: Client) -> None:
    live = reverse("admin_live")
    for headers in ({"HX-Request": "true"}, {"Sec-Fetch-Dest": "empty"}):
        last_used(LATELY)
        before = LoginSession.objects.get().seen_at
        assert olga.get(live, headers=headers).status_code == 200
        assert LoginSession.objects.get().seen_at == before
    last_used(LONG_AGO)
    answer = olga.get(live, headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"] == "/accounts/login/" and not answer.content
    assert answer.cookies[COOKIE].value == "idle"
    assert WHY in olga.get("/accounts/login/").content.decode()


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_page_whose_part_meets_the_end_of_its_session_is_led_to_the_log_in_and_back(
    olga: Client, method: str
) -> None:
    page = "http://testserver/tournaments/"
    part = {"HX-Request": "true", "HX-Current-URL": page}
    last_used(LONG_AGO)
    answer = getattr(olga, method)("/account/limits/", headers=part)
    assert answer.headers["HX-Redirect"] == f"/accounts/login/?next={quote(page)}"
    assert answer.cookies[COOKIE].value == "idle" and not answer.content


def test_requests_of_a_session_in_use_ask_nothing_more_and_write_nothing(olga: Client) -> None:
    last_used(LATELY)
    olga.get("/account/sessions/")
    with CaptureQueriesContext(connection) as queries:
        olga.get("/account/sessions/")
    texts = [query["sql"] for query in queries]
    assert not [text for text in texts if not text.startswith("SELECT")]
    assert not [text for text in texts if '"seen_at" <' in text]


def test_made_up_cookies_end_nobodys_session(olga: Client) -> None:
    last_used(LONG_AGO)
    for value in ("x" * 32, "", "\x00", "ä" * 500):
        stranger = Client()
        stranger.cookies["sessionid"] = value
        stranger.cookies[COOKIE] = "<script>"
        page = stranger.get("/accounts/login/").content.decode()
        assert WHY not in page and "<script>" not in page
    assert Session.objects.count() == 1


@pytest.mark.parametrize("minutes", ["-1", "1", "9", "x", "60.5"])
def test_minutes_that_would_end_sessions_in_use_are_refused(
    minutes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IDLE_MINUTES", minutes)
    with pytest.raises(ValueError, match=r"IDLE_MINUTES|invalid literal"):
        environment.minutes_or_never("IDLE_MINUTES", 0, limits.IDLE_MIN_LEAST)
