"""The API by access tokens: the page that makes them, rights, paging, refusals, the document."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.models import AccessToken, User
from accounts.users import access_tokens, token_requests
from config import limits
from config.door.rates import Rate
from tests.tournaments.cast import BUY_IN, FEE, open_offer, started
from tests.tournaments.club_scene import club_started, make_club
from tournaments.api import document
from tournaments.models import Tournament

PASSWORD = "a long password"
TOURNAMENTS = "/api/v1/tournaments"
WALLET = "/api/v1/wallet"


@pytest.fixture
def ann(room: Redis, db: None) -> User:
    return User.objects.create_user("Ann", PASSWORD)


def token(user: User, *scopes: str) -> str:
    return access_tokens.issue(user, name="mine", scopes=scopes, days=1)


def get(address: str, text: str, **query: str) -> Any:
    headers = {"Authorization": f"Bearer {text}"} if text else {}
    return Client().get(address, query, headers=headers)


def refused(answer: Any, status: int, code: str) -> None:
    assert answer.status_code == status, answer.content
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["detail"]


def test_stranger_makes_a_token_on_the_page_and_reads_the_wallet(ann: User) -> None:
    browser = Client()
    browser.force_login(ann)
    assert reverse("tokens") in browser.get(reverse("account")).content.decode()
    fields = {"name": "script", "scopes": ["wallet"], "days": "7"}
    made = browser.post(reverse("tokens"), fields).content.decode()
    [text] = re.findall(r'<code id="token">(room_[^<]+)</code>', made)
    answer = get(WALLET, text)
    assert answer.status_code == 200
    assert answer.json() == {"balance": 0, "items": [], "next": ""}
    [stored] = AccessToken.objects.all()
    assert stored.used_at is not None
    assert text not in str(vars(stored))
    assert text not in browser.get(reverse("tokens")).content.decode()
    browser.post(reverse("token_revoke", args=[stored.pk]))
    refused(get(WALLET, text), 401, "invalid_token")


@pytest.mark.parametrize(
    "fields",
    [
        {"name": "", "scopes": ["watch"], "days": "7"},
        {"name": "x", "scopes": [], "days": "7"},
        {"name": "x", "scopes": ["all"], "days": "7"},
        {"name": "x", "scopes": ["watch"], "days": "0"},
        {"name": "x", "scopes": ["watch"], "days": "366"},
    ],
)
def test_wrong_form_makes_no_token(ann: User, fields: dict[str, str]) -> None:
    browser = Client()
    browser.force_login(ann)
    answer = browser.post(reverse("tokens"), fields)
    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()
    assert not AccessToken.objects.exists()


def test_tokens_of_a_user_are_limited(ann: User) -> None:
    for _ in range(limits.TOKENS_PER_USER_MAX):
        token(ann, "watch")
    with pytest.raises(access_tokens.TooManyTokens):
        token(ann, "watch")
    assert AccessToken.objects.count() == limits.TOKENS_PER_USER_MAX


def test_nobody_revokes_the_token_of_another_player(ann: User) -> None:
    text = token(ann, "watch")
    browser = Client()
    browser.force_login(User.objects.create_user("Bob", PASSWORD))
    pk = AccessToken.objects.get().pk
    assert browser.post(reverse("token_revoke", args=[pk])).status_code == 404
    assert get(TOURNAMENTS, text).status_code == 200


@pytest.mark.parametrize("change", ["expired", "revoked", "banned", "password"])
def test_token_ends(ann: User, change: str) -> None:
    text = token(ann, "watch")
    assert get(TOURNAMENTS, text).status_code == 200
    if change == "expired":
        AccessToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    elif change == "revoked":
        assert access_tokens.revoke(ann, AccessToken.objects.get().pk)
    elif change == "banned":
        User.objects.update(is_active=False)
    else:
        ann.set_password("quite another password")
        ann.save()
    refused(get(TOURNAMENTS, text), 401, "invalid_token")


@pytest.mark.parametrize("text", ["", "room_guessed", "x" * 5_000, "ä\u0000"])
def test_unknown_token_is_refused(room: Redis, db: None, text: str) -> None:
    refused(get(TOURNAMENTS, text), 401, "invalid_token")


def test_right_of_a_token_is_checked(ann: User) -> None:
    refused(get(WALLET, token(ann, "watch")), 403, "missing_scope")
    refused(get(TOURNAMENTS, token(ann, "wallet")), 403, "missing_scope")


def test_requests_outside_the_rights_of_a_token_are_limited(
    ann: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(token_requests, "REQUESTS", Rate("test-scopes", 2, 0.01))
    text = token(ann, "watch")
    for _ in range(2):
        refused(get(WALLET, text), 403, "missing_scope")
    refused(get(WALLET, text), 429, "too_many_requests")


def test_wrong_tokens_of_an_address_are_limited(ann: User) -> None:
    for _ in range(limits.API_FAILURES_BURST):
        refused(get(WALLET, "room_guessed"), 401, "invalid_token")
    # Tries are earned back while the requests run, so a few more may be needed.
    answers = (get(WALLET, "room_guessed") for _ in range(limits.API_FAILURES_BURST))
    answer = next(found for found in answers if found.status_code != 401)
    refused(answer, 429, "too_many_requests")
    assert int(answer["Retry-After"]) >= 1
    assert get(WALLET, token(ann, "wallet")).status_code == 200


def test_club_tournament_is_hidden_from_strangers(house: Redis) -> None:
    made = club_started(make_club(), "members", "members")
    stranger = token(User.objects.create_user("Stranger", PASSWORD), "watch")
    member = token(made.entries.all()[0].user, "watch")
    for address in (f"{TOURNAMENTS}/{made.pk}", f"{TOURNAMENTS}/{made.pk}/results"):
        refused(get(address, stranger), 404, "not_found")
        assert get(address, member).status_code == 200
    assert get(TOURNAMENTS, stranger).json()["items"] == []
    [row] = get(TOURNAMENTS, member).json()["items"]
    assert (row["id"], row["name"], row["state"]) == (made.pk, made.name, made.state)
    rows = get(f"{TOURNAMENTS}/{made.pk}/results", member).json()["items"]
    assert {row["id"] for row in rows} == set(made.entries.values_list("pk", flat=True))


def test_pages_follow_their_cursors(ann: User) -> None:
    count = limits.API_ROWS_PER_PAGE + 2
    Tournament.objects.bulk_create(
        Tournament(name=f"T{number}", start="sit_and_go", structure=[], starting_stack=1_000)
        for number in range(count)
    )
    text = token(ann, "watch", "wallet")
    first = get(TOURNAMENTS, text).json()
    second = get(TOURNAMENTS, text, cursor=first["next"]).json()
    keys = [row["id"] for row in first["items"] + second["items"]]
    assert keys == sorted(keys, reverse=True)
    assert len(set(keys)) == count
    assert second["next"] == ""
    for changed in ("1", "1" + first["next"], first["next"][:-1], "x:y"):
        refused(get(TOURNAMENTS, text, cursor=changed), 400, "invalid_cursor")
    refused(get(WALLET, text, cursor=first["next"]), 400, "invalid_cursor")


def test_tournaments_are_listed_by_state_and_with_their_tables(house: Redis) -> None:
    running, waiting = started(3, seats_per_table=2), open_offer()
    text = token(User.objects.create_user("Stranger", PASSWORD), "watch")

    def listed(**query: str) -> list[int]:
        return [row["id"] for row in get(TOURNAMENTS, text, **query).json()["items"]]

    assert listed() == [waiting.pk, running.pk]
    assert listed(state="running") == [running.pk]
    assert listed(state="finished") == []
    refused(get(TOURNAMENTS, text, state="good"), 400, "invalid_request")
    row = get(f"{TOURNAMENTS}/{running.pk}", text).json()
    assert (row["entrants"], row["left"]) == (3, 3)
    assert (row["format"], row["finished_at"]) == ("freezeout", None)
    assert (row["price"], row["pool"]) == (BUY_IN + FEE, 3 * BUY_IN)
    ahead = get(f"{TOURNAMENTS}/{waiting.pk}", text).json()
    assert (ahead["bounty"], ahead["pool"]) == (0, None), "sold entries make the pool"
    tables = get(f"{TOURNAMENTS}/{running.pk}/tables", text).json()["items"]
    assert [(table["number"], table["status"], table["hand"]) for table in tables] == [
        (2, "open", 0),
        (1, "open", 0),
    ]
    assert get(f"{TOURNAMENTS}/{waiting.pk}/tables", text).json()["items"] == []
    refused(get(f"{TOURNAMENTS}/{running.pk + 10**6}/tables", text), 404, "not_found")


def test_a_wrong_method_is_a_problem_that_names_the_right_ones(room: Redis, db: None) -> None:
    for method in ("PUT", "TRACE"):
        answer = Client().generic(method, TOURNAMENTS)
        refused(answer, 405, "wrong_method")
        assert answer["Allow"] == "GET"


def test_checked_in_document_is_current() -> None:
    assert (settings.BASE_DIR / document.PAGE).read_text() == document.text()


def test_refusals_speak_german(room: Redis, db: None) -> None:
    answer = Client().get(WALLET, headers={"Accept-Language": "de"})
    assert "Zugriffstoken" in answer.json()["detail"]
