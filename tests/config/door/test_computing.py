"""Pages compute one after the other, and beside each other only while PostgreSQL works."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest, HttpResponse

from config import limits
from config.door.computing import ComputingTurn, in_turn

THREADS = 6


class _Counted:
    """Requests inside of a piece of work now, and the most of them at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.now = self.most = 0

    def __enter__(self) -> None:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self.now -= 1


def _request(method: str = "GET", path: str = "/ring/rows.json") -> HttpRequest:
    request = HttpRequest()
    request.method, request.path = method, path
    return request


def _ask_all(
    answer: Callable[[HttpRequest], HttpResponse], request: Callable[[], HttpRequest] = _request
) -> None:
    """Let several threads ask at once; raise what one of them raised."""
    ready = threading.Barrier(THREADS)

    def ask() -> None:
        try:
            ready.wait()
            assert answer(request()).status_code == 200
        finally:
            connection.close()

    with ThreadPoolExecutor(THREADS) as threads:
        for asked in [threads.submit(ask) for _ in range(THREADS)]:
            asked.result()


@pytest.mark.django_db(transaction=True)
def test_one_page_computes_while_the_queries_of_all_run_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "COMPUTING_TURN_WAITS_S", 60.0)
    computing, asking = _Counted(), _Counted()
    all_ask = threading.Barrier(THREADS)

    def query(execute: Callable[..., object], *given: object) -> object:
        with asking:
            all_ask.wait(timeout=60)  # broken, unless every request may ask at the same time
            return execute(*given)

    def page(_: HttpRequest) -> HttpResponse:
        with computing:
            time.sleep(0.01)
        with connection.execute_wrapper(query), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        with computing:
            time.sleep(0.01)
        return HttpResponse()

    _ask_all(in_turn(page))
    assert computing.most == 1 and asking.most == THREADS


@pytest.mark.django_db(transaction=True)
def test_others_compute_while_a_page_commits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COMPUTING_TURN_WAITS_S", 60.0)
    all_commit = threading.Barrier(THREADS)
    committed = BaseDatabaseWrapper.commit

    def commit(self: BaseDatabaseWrapper) -> None:
        all_commit.wait(timeout=60)  # broken, unless every request may commit at the same time
        committed(self)

    monkeypatch.setattr(BaseDatabaseWrapper, "commit", commit)

    def page(_: HttpRequest) -> HttpResponse:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return HttpResponse()

    _ask_all(in_turn(page))


@pytest.mark.django_db(transaction=True)
def test_a_page_goes_on_beside_one_that_hangs() -> None:
    hangs, goes_on = threading.Event(), threading.Event()

    def page(request: HttpRequest) -> HttpResponse:
        if request.path == "/hangs/":
            hangs.set()
            assert goes_on.wait(60)
        return HttpResponse()

    answer = in_turn(page)
    with ThreadPoolExecutor(1) as thread:
        hanging = thread.submit(answer, _request(path="/hangs/"))
        assert hangs.wait(60)
        assert answer(_request()).status_code == 200
        goes_on.set()
        assert hanging.result().status_code == 200


def test_a_page_waits_in_vain_once_and_not_before_each_query() -> None:
    class _Held:
        """Lock that another thread never releases."""

        asked = 0

        def acquire(self, timeout: float) -> bool:
            assert timeout == limits.COMPUTING_TURN_WAITS_S
            self.asked += 1
            return False

    free = _Held()
    turn = ComputingTurn(free)  # type: ignore[arg-type]
    turn.begin()
    rows = [turn.lend(lambda *given: given, "SELECT 1", None, False, {}) for _ in range(5)]
    turn.end()
    assert rows == [("SELECT 1", None, False, {})] * 5 and free.asked == 1


@pytest.mark.django_db(transaction=True)
def test_a_form_that_hashes_a_password_computes_beside_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(limits, "COMPUTING_TURN_WAITS_S", 60.0)
    together = threading.Barrier(THREADS)

    def page(_: HttpRequest) -> HttpResponse:
        together.wait(timeout=60)  # broken, unless all are inside
        return HttpResponse()

    _ask_all(in_turn(page), lambda: _request("POST", "/accounts/login/"))


@pytest.mark.django_db(transaction=True)
def test_a_page_that_fails_gives_its_turn_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "COMPUTING_TURN_WAITS_S", 60.0)
    fails = True

    def page(_: HttpRequest) -> HttpResponse:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        if fails:
            raise ZeroDivisionError
        return HttpResponse()

    answer = in_turn(page)
    with pytest.raises(ZeroDivisionError):
        answer(_request())
    fails = False
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(answer, _request()).result(timeout=60).status_code == 200
        thread.submit(connections.close_all).result()
