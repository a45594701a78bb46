"""A page that cannot reach a server says so: 503, in the form that its reader takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import psycopg
import pytest
from django.db import IntegrityError, OperationalError, connection, connections
from django.test import Client
from django.urls import path
from redis import Redis

from accounts.models import User
from accounts.users import access_tokens
from config import limits
from config.door.away import is_away
from deploy.embedded import ports
from tables.ring.pages.lobby import shared_games
from tests.conftest import Running
from tests.tournaments.cast import open_offer

JSON = {"Accept": "application/json"}
HTML = {"Accept": "text/html,*/*;q=0.8"}

Ask = Callable[..., Any]


def _request(method: str, address: str, headers: dict[str, str], body: str = "") -> Any:
    browser = Client(raise_request_exception=False)
    return browser.generic(method, address, body, "application/json", headers=headers)


@pytest.fixture
def without_database(transactional_db: None) -> Iterator[Ask]:
    """Request in a thread whose connections find no PostgreSQL at their address."""

    shared_games.forget()  # as they were a second ago they could be told without a server

    def ask(*given: Any) -> Any:
        connection.close()
        connection.settings_dict = connection.settings_dict | {"PORT": str(ports.free())}
        return _request(*given)

    with ThreadPoolExecutor(1) as thread:
        yield lambda *given: thread.submit(ask, *given).result(timeout=60)
        thread.submit(connections.close_all).result()


def test_a_script_is_told_in_json(without_database: Ask) -> None:
    answer = without_database("GET", "/ring/rows.json", JSON)
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/json")
    assert answer.json()["code"] == "server_away" and not answer.json()["ok"]
    assert answer["Retry-After"] == str(limits.BUSY_RETRY_S)
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("language", "words"), [("en", "does not answer at the moment"), ("de", "antwortet gerade")]
)
def test_a_browser_gets_a_page_that_tries_again(
    without_database: Ask, language: str, words: str
) -> None:
    answer = without_database("GET", "/", HTML | {"Accept-Language": language})
    page = answer.content.decode()
    assert answer.status_code == 503 and answer["Content-Type"].startswith("text/html")
    assert words in page and f'lang="{language}"' in page
    assert '<meta http-equiv="refresh"' in page
    assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("GET", "/api/v1/tournaments"),
        ("GET", "/api/v1/ring-games"),
        ("POST", "/api/v1/tournaments/2/entries"),
        ("DELETE", "/api/v1/tournaments/2/entries"),
    ],
)
def test_a_program_gets_problem_details(without_database: Ask, method: str, address: str) -> None:
    headers = {"Authorization": "Bearer room_unknown", "Idempotency-Key": "a"}
    answer = without_database(method, address, headers, "{}")
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    problem = answer.json()
    assert (problem["status"], problem["code"]) == (503, "server_away")
    assert ("look first" in problem["detail"]) == (method != "GET")


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_ends_within_a_request_is_no_fault_of_the_room() -> None:
    """PostgreSQL ends the connection between two queries of one request, as in a failover."""
    shared_games.forget()

    def ask() -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            [pid] = cursor.fetchone()
        parameters = connection.get_connection_params()
        with psycopg.connect(**{k: v for k, v in parameters.items() if k in _LOGIN}) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [pid])
        try:
            return _request("GET", "/ring/rows.json", JSON)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as thread:
        answer = thread.submit(ask).result(timeout=60)
    assert answer.status_code == 503 and answer.json()["code"] == "server_away"


_LOGIN = ("host", "port", "user", "password", "dbname")


def test_a_registration_while_redis_is_killed_is_made_or_refused_with_words(
    room: Redis, broker: Redis, transactional_db: None, room_server: Running
) -> None:
    offer = open_offer()
    user = User.objects.create_user("Ann", "a long password")
    text = access_tokens.issue(user, name="mine", scopes=("play", "watch"), days=1)
    headers = {"Authorization": f"Bearer {text}", "Idempotency-Key": "one"}
    room_server.kill()
    answer = _request("POST", f"/api/v1/tournaments/{offer.pk}/entries", headers, "{}")
    assert answer.status_code != 500, answer.content
    assert answer["Content-Type"] in ("application/json; charset=utf-8", "application/problem+json")


def test_a_bug_is_still_a_fault(settings: Any) -> None:
    settings.ROOT_URLCONF = __name__
    answer = _request("GET", "/bug/", HTML)
    assert answer.status_code == 500
    answer = _request("GET", "/bug/after/", HTML)
    assert answer.status_code == 503


def test_the_cause_of_an_error_counts() -> None:
    assert is_away(OperationalError("gone")) and not is_away(IntegrityError("twice"))
    assert not is_away(None)
    standby = psycopg.errors.ReadOnlySqlTransaction("cannot execute UPDATE")
    wrapped = ValueError()
    wrapped.__cause__ = standby
    assert is_away(wrapped)
    circle = ValueError()
    circle.__cause__ = ValueError()
    circle.__cause__.__cause__ = circle
    assert not is_away(circle)


def _bug(_: Any) -> Any:
    raise ZeroDivisionError


def _bug_after(_: Any) -> Any:
    try:
        raise OperationalError("gone")
    except OperationalError as error:
        raise KeyError from error


handler500 = "config.door.away.failed"
urlpatterns = [path("bug/", _bug), path("bug/after/", _bug_after)]
