"""Turns to compute: pages compute one after the other, so that sockets compete with one of them.

Threads of one interpreter never compute at the same time, but each that could takes its share
before the event loop is heard again: with eight busy pages a table waits for eight of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest, HttpResponse

from config import limits
from config.door import proven
from config.door.lanes import waits_elsewhere

Answer = Callable[[HttpRequest], HttpResponse]


class ComputingTurn:
    """Turn of one request to compute, lent to others while it waits for PostgreSQL.

    A request that waited too long goes on without turns: another one may compute for seconds, or
    wait for something that is no query.
    """

    def __init__(self, free: threading.Lock) -> None:
        self._free = free
        self._held = False
        self._waits = True

    def begin(self) -> None:
        """Wait for the turn, for a short time and never in vain twice."""
        if self._waits:
            self._held = self._waits = self._free.acquire(timeout=limits.COMPUTING_TURN_WAITS_S)

    def end(self) -> None:
        """Give the turn to the next thread."""
        if self._held:
            self._held = False
            self._free.release()

    def lend(self, wait: Callable[..., Any], *given: Any) -> Any:
        """Return `wait(*given)`, a query or a commit, while others compute."""
        self.end()
        try:
            return wait(*given)
        finally:
            self.begin()

    @contextmanager
    def lent_by(self, connection: BaseDatabaseWrapper) -> Iterator[None]:
        """Lend the turn at every query and commit of a connection."""
        # Django has a hook for queries, and none for commits, which wait for the disk.
        vars(connection)["commit"] = partial(self.lend, connection.commit)
        try:
            with connection.execute_wrapper(self.lend), connection.execute_wrapper(_proving):
                yield
        finally:
            del vars(connection)["commit"]


def _proving(execute: Callable[..., Any], *given: Any) -> Any:
    """Run a query, and note that its connection answered."""
    result = execute(*given)
    proven.note(given[-1]["connection"])
    return result


def in_turn(answer: Answer) -> Answer:
    """Return `answer` such that only one thread computes an answer at a time.

    A request that hashes a password or asks a server outside computes beside the others: neither
    needs the interpreter.
    """
    free = threading.Lock()

    def answer_in_turn(request: HttpRequest) -> HttpResponse:
        if waits_elsewhere(request.method or "", request.path):
            return answer(request)
        turn = ComputingTurn(free)
        turn.begin()
        try:
            with turn.lent_by(connections["default"]):
                return answer(request)
        finally:
            turn.end()

    return answer_in_turn
