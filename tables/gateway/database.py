"""Threads, each with a lasting connection, in which sockets use PostgreSQL.

Chat has a thread of its own, so that it never holds up the look-up of a session or a table.
"""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connection

from config import limits

Arguments = ParamSpec("Arguments")
Found = TypeVar("Found")


class DatabaseThreads:
    """Pool of threads that starts with its first work, and again after `close`."""

    def __init__(self, name: str, count: int) -> None:
        self._name = name
        self._count = count
        self._lock = threading.Lock()
        self._threads: ThreadPoolExecutor | None = None

    async def run(self, work: Callable[[], Found]) -> Found:
        """Run a function in a thread of the pool; waiting work is done in order."""
        return await asyncio.get_running_loop().run_in_executor(self._pool(), work)

    def close(self) -> None:
        """End the threads and their connections."""
        with self._lock:
            threads, self._threads = self._threads, None
        if threads is None:
            return
        # Each thread must pass here once to close its own connection; the barrier keeps one thread
        # from doing so twice.
        together = threading.Barrier(self._count)

        def leave() -> None:
            connection.close()
            together.wait(limits.DATABASE_CONNECT_TIMEOUT_S)

        for _ in range(self._count):
            threads.submit(leave)
        threads.shutdown(wait=True)

    def _pool(self) -> ThreadPoolExecutor:
        with self._lock:
            if self._threads is None:
                self._threads = ThreadPoolExecutor(self._count, self._name)
            return self._threads


_reading = DatabaseThreads("sockets-database", limits.SOCKET_DATABASE_THREADS)
_chatting = DatabaseThreads("chat-database", 1)


def reads(
    function: Callable[Arguments, Found],
) -> Callable[Arguments, Awaitable[Found]]:
    """Make a function that only reads PostgreSQL awaitable.

    The threads are separate from those of pages: a page that waits for a lock, or a database that
    hangs, holds up neither commands nor events. A connection that broke while idle is replaced
    once.
    """
    return _awaitable(function, _reading)


def writes_chat(
    function: Callable[Arguments, Found],
) -> Callable[Arguments, Awaitable[Found]]:
    """Make a function that writes chat rows awaitable, in order, in the one thread of the chat.

    It may run twice when its connection broke, so it must do nothing the second time.
    """
    return _awaitable(function, _chatting)


def notes_use(
    function: Callable[Arguments, Found],
) -> Callable[Arguments, Awaitable[Found]]:
    """Make a function that stores the use of sessions awaitable, in the thread of the chat.

    It may run twice when its connection broke.
    """
    return _awaitable(function, _chatting)


def _awaitable(
    function: Callable[Arguments, Found], threads: DatabaseThreads
) -> Callable[Arguments, Awaitable[Found]]:
    def attempt(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        try:
            return function(*args, **kwargs)
        except (OperationalError, InterfaceError):
            connection.close()
            return function(*args, **kwargs)

    def guarded(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        try:
            return attempt(*args, **kwargs)
        except DatabaseError:
            connection.close()
            raise

    @functools.wraps(function)
    async def awaitable(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        return await threads.run(functools.partial(guarded, *args, **kwargs))

    return awaitable


def close_threads() -> None:
    """End the threads of all pools and their connections; the next use starts new ones."""
    _reading.close()
    _chatting.close()
