"""Threads, each with a lasting connection, in which sockets read from PostgreSQL."""

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

_lock = threading.Lock()
_threads: ThreadPoolExecutor | None = None


def reads(
    function: Callable[Arguments, Found],
) -> Callable[Arguments, Awaitable[Found]]:
    """Make a function that only reads PostgreSQL awaitable.

    The threads are separate from those of pages: a page that waits for a lock, or a database that
    hangs, holds up neither commands nor events. A connection that broke while idle is replaced
    once.
    """

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
    async def read(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Found:
        work = functools.partial(guarded, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(_pool(), work)

    return read


def close_threads() -> None:
    """End the threads and their connections; the next read starts new ones."""
    global _threads
    with _lock:
        threads, _threads = _threads, None
    if threads is None:
        return
    # Each thread must pass here once to close its own connection; the barrier keeps one thread from
    # doing so twice.
    together = threading.Barrier(limits.SOCKET_DATABASE_THREADS)

    def leave() -> None:
        connection.close()
        together.wait(limits.DATABASE_CONNECT_TIMEOUT_S)

    for _ in range(limits.SOCKET_DATABASE_THREADS):
        threads.submit(leave)
    threads.shutdown(wait=True)


def _pool() -> ThreadPoolExecutor:
    global _threads
    with _lock:
        if _threads is None:
            _threads = ThreadPoolExecutor(limits.SOCKET_DATABASE_THREADS, "sockets-database")
        return _threads
