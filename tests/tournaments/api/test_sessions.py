"""Sessions at the API: what they open, the CSRF token, and requests of other sites."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from redis import Redis

from accounts.ledger.transfers import held_by
from accounts.models import ApiAnswer, User
from accounts.users import bots
from config import limits
from tests.tournaments.api import rights, rights_table
from tests.tournaments.api.asking import ROOT, by_session, refused, token
from tests.tournaments.cast import open_offer
from tournaments.models import Entry, Tournament

TOKEN = "a" * 32
HOME = "http://testserver"


@pytest.fixture
def ann(house: Redis) -> User:
    return bots.create(1)[0]


@pytest.fixture
def browser(ann: User) -> Client:
    """Browser of a logged-in player, whose requests are checked as in a real one."""
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ann)
    strict.cookies[settings.CSRF_COOKIE_NAME] = TOKEN
    return strict


def enter(
    browser: Client, tournament: Tournament, kind: str = "application/json", **headers: str
) -> Any:
    """Answer to a registration with these headers besides the key."""
    return browser.generic(
        "POST",
        f"{ROOT}/tournaments/{tournament.pk}/entries",
        "{}",
        kind,
        headers={"Idempotency-Key": "k", **headers},
    )


@pytest.mark.rule("T-01")
def test_a_page_registers_with_its_session_and_token(browser: Client, ann: User) -> None:
    tournament, before = open_offer(), held_by(ann)
    headers = {"X-CSRFToken": TOKEN, "Origin": HOME}
    assert enter(browser, tournament, **headers).status_code == 201
    assert enter(browser, tournament, **headers).status_code == 201, "the first answer again"
    assert Entry.objects.get().user == ann and held_by(ann) == before - tournament.price


FOREIGN: tuple[dict[str, str], ...] = (
    {},
    {"X-CSRFToken": "b" * 32},
    {"X-CSRFToken": ""},
    {"X-CSRFToken": TOKEN, "Origin": "https://evil.example"},
    {"X-CSRFToken": TOKEN, "Origin": "null"},
)


def test_another_site_changes_nothing_with_the_cookie_of_a_session(
    browser: Client, ann: User
) -> None:
    tournament, before = open_offer(), held_by(ann)
    for headers in FOREIGN:
        for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded"):
            refused(enter(browser, tournament, kind, **headers), 403, "foreign_request")
        foreign = browser.delete(f"{ROOT}/tournaments/{tournament.pk}/entries", headers=headers)
        refused(foreign, 403, "foreign_request")
    assert held_by(ann) == before and not Entry.objects.exists() and not ApiAnswer.objects.exists()


def test_the_token_of_a_form_in_the_body_is_no_way_around_the_form_of_the_api(
    browser: Client,
) -> None:
    address = f"{ROOT}/tournaments/{open_offer().pk}/entries"
    form = {"csrfmiddlewaretoken": TOKEN}
    for kind in (MULTIPART_CONTENT, "application/x-www-form-urlencoded"):
        body = encode_multipart(BOUNDARY, form) if kind == MULTIPART_CONTENT else urlencode(form)
        answer = browser.generic("POST", address, body, kind, headers={"Idempotency-Key": "k"})
        refused(answer, 400, "invalid_request")
    assert not Entry.objects.exists()


def test_a_token_that_is_sent_counts_alone(browser: Client, ann: User) -> None:
    tournament = open_offer()
    headers = {"X-CSRFToken": TOKEN, "Origin": HOME}
    wrong = headers | {"Authorization": "Bearer room_guessed"}
    refused(enter(browser, tournament, **wrong), 401, "invalid_token")
    watcher = headers | {"Authorization": f"Bearer {token(ann, 'watch')}"}
    refused(enter(browser, tournament, **watcher), 403, "missing_scope")
    other = bots.create(2)[1]
    by_token = {"Authorization": f"Bearer {token(other, 'play')}"}
    assert enter(browser, tournament, **by_token).status_code == 201
    assert Entry.objects.get().user == other, "the token's user, and no CSRF token was needed"


def test_a_session_that_ended_is_told_to_log_in_in_its_language(browser: Client) -> None:
    tournament = open_offer()
    browser.cookies[settings.SESSION_COOKIE_NAME] = "gone"
    answer = enter(browser, tournament, **{"X-CSRFToken": TOKEN, "Accept-Language": "de"})
    refused(answer, 401, "login")
    assert answer.json()["detail"] == "Du bist nicht mehr eingeloggt. Bitte logge dich zuerst ein."
    User.objects.update(is_active=False)
    refused(enter(browser, tournament, **{"X-CSRFToken": TOKEN}), 401, "login")
    assert not Entry.objects.exists()


def test_sessions_open_the_routes_of_pages_and_no_others(house: Redis) -> None:
    scene = rights.make_scene()
    open_routes = set()
    for route, (address, body) in rights_table.requests(scene).items():
        client = Client()
        client.force_login(scene.session.user)
        answer = by_session(client, address, body, route.split()[0])
        if answer.status_code != 401:
            open_routes.add(route)
    subjects = ("/tournaments", "/wallet", "/tickets", "/offers", "/ring-")
    closed = ("hands", "featured", "copies", "steps")
    assert open_routes == {
        route
        for route in rights_table.routes()
        if route.split()[1].startswith(subjects) and not any(part in route for part in closed)
    }


def test_sessions_are_not_limited_as_tokens_are(browser: Client, ann: User) -> None:
    for _ in range(limits.API_BURST + 5):
        assert browser.get(f"{ROOT}/ring-sessions").status_code == 200
    assert browser.get(f"{ROOT}/wallet").json()["balance"] == held_by(ann)
