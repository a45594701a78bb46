"""Pages of a real server under floods: bounded bodies, threads and connections, players first."""

from __future__ import annotations

import socket
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection, transaction
from pytest_django.fixtures import Settings

from accounts.logins.minting import mint
from accounts.models import User
from config import limits
from config.door import known, lanes
from config.door.lanes import Lanes
from config.door.pages import Pages
from tests.config.door.front import pages
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import PATIENCE_S, Site, wait_for
from tests.tournaments.api.asking import token

__all__ = ["pages", "site"]

CHUNK = b"10000\r\n" + b"x" * 65_536 + b"\r\n"


class Answer:
    """Answer to a request."""

    def __init__(self, response: HTTPResponse) -> None:
        self.status = response.status
        self.headers = response.headers
        self.text = response.read().decode()


def _get(site: Site, path: str = "/", source: str = "127.0.0.1", **headers: str) -> Answer:
    line = HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S, source_address=(source, 0))
    try:
        line.request("GET", path, headers={"Host": "localhost", **headers})
        return Answer(line.getresponse())
    finally:
        line.close()


def _post_chunked(site: Site, chunks: int, language: str = "en") -> tuple[str, int]:
    """Send so many chunks of 64 KiB; return the answer and the number of accepted bytes."""
    line = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE_S)
    line.sendall(
        b"POST /accounts/login/ HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
        b"Accept-Language: " + language.encode() + b"\r\n\r\n"
    )
    sent = 0
    try:
        for _ in range(chunks):
            line.sendall(CHUNK)
            sent += len(CHUNK)
        line.sendall(b"0\r\n\r\n")
    except OSError:
        pass
    told = b""
    with line:
        try:
            while part := line.recv(65_536):
                told += part
        except OSError:
            pass
    return told.decode(), sent


def test_a_body_of_gigabytes_is_refused_and_never_reaches_disk(
    site: Site, pages: Pages, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    seen: list[int] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.005):
            seen.append(sum(f.stat().st_size for f in tmp_path.iterdir()))

    watching = threading.Thread(target=watch)
    watching.start()
    told, sent = _post_chunked(site, 1_500_000_000 // 65_536)
    over.set()
    watching.join()
    assert told.startswith("HTTP/1.1 413 ")
    assert "more than the room takes in one request" in told
    assert sent < 32 * 2**20, "the connection closed long before the end"
    assert max(seen, default=0) == 0
    assert pages._bodies._held_bytes == 0
    assert _get(site).status == 200


def test_a_refused_body_is_answered_in_the_clients_language(site: Site, pages: Pages) -> None:
    told, _ = _post_chunked(site, 17, "de")
    assert told.startswith("HTTP/1.1 413 ")
    assert "mehr, als der Raum" in told


def test_a_body_announced_too_large_is_refused_before_it_comes(site: Site, pages: Pages) -> None:
    line = HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)
    line.putrequest("POST", "/accounts/login/")
    line.putheader("Content-Length", str(settings.BODY_MAX_BYTES + 1))
    line.endheaders()
    answer = line.getresponse()
    assert answer.status == 413
    assert answer.headers["Connection"] == "close"
    line.close()


def test_a_body_as_large_as_allowed_reaches_django(site: Site, pages: Pages) -> None:
    line = HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)
    line.request("POST", "/accounts/login/", b"x" * settings.BODY_MAX_BYTES)
    assert line.getresponse().status == 403, "Django answers: no CSRF token"
    line.close()


def test_a_body_that_trickles_is_given_up(
    site: Site, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BODY_ARRIVES_S", 0.2)
    line = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE_S)
    line.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx")
    assert line.recv(65_536).startswith(b"HTTP/1.1 408 ")
    line.close()


def test_bodies_that_arrive_are_counted_by_address(
    site: Site, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BODIES_ARRIVING_PER_SOURCE_MAX", 3)
    lines = []
    for _ in range(3):
        line = socket.create_connection(("127.0.0.1", site.port), PATIENCE_S, ("127.0.0.2", 0))
        line.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nx")
        lines.append(line)
    wait_for(lambda: pages._bodies._arriving.get("127.0.0.2") == 3)
    assert _get(site, source="127.0.0.2").status == 503
    assert _get(site, source="127.0.0.3").status == 200
    for line in lines:
        line.close()
    wait_for(lambda: not pages._bodies._arriving)
    assert _get(site, source="127.0.0.2").status == 200


def _connections() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()"
        )
        return int(cursor.fetchone()[0])


def test_two_hundred_pages_at_once_are_answered_over_few_connections(
    site: Site, pages: Pages
) -> None:
    most = 0
    with ThreadPoolExecutor(200) as visitors:
        asked = [visitors.submit(_get, site) for _ in range(200)]
        while not all(request.done() for request in asked):
            most = max(most, _connections())
            time.sleep(0.02)
        found = Counter(request.result().status for request in asked)
    assert found == {200: 200}
    assert 0 < most <= settings.PAGES_AT_ONCE + limits.SOCKET_DATABASE_THREADS


@contextmanager
def _hanging() -> Iterator[None]:
    """Block every page that reads tournaments by a lock in the database."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE tournaments_tournament IN ACCESS EXCLUSIVE MODE")
        yield


@pytest.fixture
def narrow(settings: Settings, site: Site, pages: Pages) -> Callable[[], tuple[int, int]]:
    """Set two threads and four waiting requests; return the counts of busy and waiting requests."""
    settings.PAGES_AT_ONCE, settings.PAGES_WAITING = 2, 4

    def look() -> tuple[int, int]:
        turns = pages._lanes.pages.turns
        return turns.busy, turns.waiting

    return look


def test_over_the_bound_a_page_is_refused_clearly_and_players_go_first(
    site: Site, narrow: Callable[[], tuple[int, int]]
) -> None:
    user = User.objects.create_user("olga")
    known.note(session := mint([user], 1)[0][1], user.pk)
    with ThreadPoolExecutor(20) as visitors:
        with _hanging():
            strangers = [visitors.submit(_get, site) for _ in range(5)]
            wait_for(lambda: narrow() == (1, 4))
            refused = _get(site, Accept="text/html", **{"Accept-Language": "de"})
            assert refused.status == 503
            assert int(refused.headers["Retry-After"]) == limits.BUSY_RETRY_S
            assert "sehr viele Besucher" in refused.text
            player = visitors.submit(_get, site, Cookie=f"sessionid={session}")
            wait_for(lambda: narrow() == (2, 4))
            second = visitors.submit(_get, site, Cookie=f"sessionid={session}")
            wait_for(lambda: sum(one.done() for one in strangers) == 1)
        assert player.result().status == second.result().status == 200
        assert "olga" in player.result().text
        found = Counter(stranger.result().status for stranger in strangers)
    assert found == {200: 4, 503: 1}, "a visitor was refused in favour of a player"


def test_probes_and_log_ins_do_not_wait_for_pages(
    site: Site, narrow: Callable[[], tuple[int, int]]
) -> None:
    with ThreadPoolExecutor(20) as visitors:
        with _hanging():
            waiting = [visitors.submit(_get, site) for _ in range(5)]
            wait_for(lambda: narrow() == (1, 4))
            assert _get(site, "/healthz").status == 200
            assert _get(site, "/readyz").status == 200
        assert {one.result().status for one in waiting} == {200}


def test_programs_have_a_lane_and_browsers_do_not_share_it() -> None:
    made = Lanes()

    def lane(path: str, cookie: str | None = None) -> object:
        headers = [] if cookie is None else [(b"cookie", cookie.encode())]
        return made.of({"path": path, "method": "GET", "headers": headers})

    assert lane("/api/v1/tournaments") is made.programs
    assert lane("/api/v1/tournaments", "theme=dark") is made.programs
    assert lane("/api/v1/tournaments", "sessionid=abc") is made.pages
    assert lane("/") is made.pages


def test_a_flood_of_programs_delays_no_visitor(
    site: Site, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "PROGRAMS_WAITING_MAX", 3)
    bearer = f"Bearer {token(User.objects.create_user('olga'), 'watch')}"
    with ThreadPoolExecutor(20) as programs:
        with _hanging():
            asked = [
                programs.submit(_get, site, "/api/v1/tournaments", Authorization=bearer)
                for _ in range(12)
            ]
            wait_for(lambda: sum(one.done() for one in asked) >= 12 - 3 - lanes.PROGRAMS_AT_ONCE)
            refused = [one.result() for one in asked if one.done()]
            assert {one.status for one in refused} == {503}
            assert '"code":"busy"' in refused[0].text.replace(" ", "")
            assert int(refused[0].headers["Retry-After"]) > 0
            assert "Connection" not in refused[0].headers, "a refused program keeps its connection"
            assert _get(site, "/accounts/login/").status == 200, "pages have threads of their own"
        assert {one.result().status for one in asked} == {200, 503}


def test_a_visitor_who_leaves_gives_his_place_back(
    site: Site, narrow: Callable[[], tuple[int, int]]
) -> None:
    with _hanging():
        lines = []
        for _ in range(5):
            line = socket.create_connection(("127.0.0.1", site.port), timeout=PATIENCE_S)
            line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            lines.append(line)
        wait_for(lambda: narrow() == (1, 4))
        for line in lines:
            line.close()
        wait_for(lambda: narrow() == (1, 0))
    wait_for(lambda: narrow() == (0, 0))
    assert _get(site).status == 200


def test_a_slow_reader_holds_no_thread(site: Site, narrow: Callable[[], tuple[int, int]]) -> None:
    lines = []
    for _ in range(4):
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        line.connect(("127.0.0.1", site.port))
        line.sendall(b"GET /jsi18n/ HTTP/1.1\r\nHost: localhost\r\nAccept-Language: de\r\n\r\n")
        lines.append(line)
    assert _get(site).status == 200
    wait_for(lambda: narrow() == (0, 0))
    for line in lines:
        line.close()


def test_a_session_that_is_shown_is_known_for_its_next_page(site: Site, pages: Pages) -> None:
    user = User.objects.create_user("olga")
    session = mint([user], 1)[0][1]
    assert known.user_of(session) is None
    assert _get(site, Cookie=f"sessionid={session}").status == 200
    assert known.user_of(session) == user.pk
    assert _get(site, Cookie="sessionid=madeup").status == 200
    assert known.user_of("madeup") is None
