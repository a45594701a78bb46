"""Lanes: the few lasting threads that requests share, and the order within each lane."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from django.conf import settings

from config import limits
from config.door import known
from config.door.language import cookies_of
from config.door.refusals import API, Scope
from config.door.turns import Turns

PLAYER, VISITOR, STRANGER = range(3)
"""Ranks: a session seen logged in, a session not looked up yet, none."""

ALIVE = "/healthz"
PROBES = ("/readyz", "/metrics")
"""Probes that ask servers, and so wait for one that hangs."""
HASHING = (
    "/accounts/login/",
    "/accounts/password",
    "/accounts/signup/",
    "/account/",
    "/admin/login/",
)
"""Path prefixes of the pages that hash a password when a form is posted to them."""
OUTSIDE = "/accounts/with/"
"""Path prefix of the pages that wait for a provider of log-ins."""

OUTSIDE_AT_ONCE = 4
OUTSIDE_WAITING_MAX = 100
PROGRAMS_AT_ONCE = 2
PROGRAMS_WAITING_MAX = 200
PROGRAM_WAITS_S = 5
STREAM_THREADS = 1
"""Threads in which long streams are made, each part in its turn."""


class Lane:
    """Bounded number of threads, each with a PostgreSQL connection of its own.

    A request has one thread to itself, so there are never more connections than threads.
    """

    def __init__(
        self,
        name: str,
        threads: int,
        kept: Sequence[int],
        waiting_max: int,
        waits_s: float = limits.PAGE_WAITS_S,
    ) -> None:
        self.turns = Turns(threads, kept=kept, waiting_max=waiting_max)
        self._waits_s = waits_s
        self._free = [ThreadPoolExecutor(1, f"{name}-{n}") for n in range(threads)]

    @asynccontextmanager
    async def thread(self, rank: int, source: str) -> AsyncIterator[ThreadPoolExecutor]:
        """Hold a thread; raise Full."""
        async with self.turns.turn(rank, source, within_s=self._waits_s):
            thread = self._free.pop()
            try:
                yield thread
            finally:
                self._free.append(thread)


class Lanes:
    """Lanes of pages, programs, log-ins, log-ins elsewhere, and load balancer probes.

    None waits for another: a provider of log-ins that hangs holds up those alone who log in there.
    """

    def __init__(self) -> None:
        pages, hashes = settings.PAGES_AT_ONCE, settings.PASSWORD_HASHES_AT_ONCE
        # Players find a free thread at once; visitors leave some to players, strangers to both.
        kept = (0, min(1, pages - 1), min(3, pages - 1))
        waiting = settings.PAGES_WAITING
        self.pages = Lane("pages", pages, kept, waiting)
        self.hashing = Lane("hashing-pages", hashes, (0, 0, 0), limits.LOGINS_WAITING_MAX)
        self.programs = Lane(
            "programs", PROGRAMS_AT_ONCE, (0, 0, 0), PROGRAMS_WAITING_MAX, PROGRAM_WAITS_S
        )
        self.outside = Lane("outside-pages", OUTSIDE_AT_ONCE, (0, 0, 0), OUTSIDE_WAITING_MAX)
        self.streams = ThreadPoolExecutor(STREAM_THREADS, "streams")
        # What asks whether the process lives never waits for a server: else it would be restarted.
        self.alive = Lane("alive", 1, (0, 0, 0), limits.PROBES_WAITING_MAX)
        self.probes = Lane("probes", limits.PROBES_AT_ONCE, (0, 0, 0), limits.PROBES_WAITING_MAX)

    def of(self, scope: Scope) -> Lane:
        """Return the lane of a request."""
        if scope["path"] == ALIVE:
            return self.alive
        if scope["path"] in PROBES:
            return self.probes
        if scope["path"].startswith(OUTSIDE):
            return self.outside
        if hashes_password(scope["method"], scope["path"]):
            return self.hashing
        if asked_by_program(scope):
            return self.programs
        return self.pages


def asked_by_program(scope: Scope) -> bool:
    """Return whether a request asks the API without the session of a browser."""
    asks_api = str(scope["path"]).startswith(API)
    return asks_api and settings.SESSION_COOKIE_NAME not in cookies_of(scope)


def hashes_password(method: str, path: str) -> bool:
    """Return whether a request may hash a password."""
    return method == "POST" and path.startswith(HASHING)


def waits_elsewhere(method: str, path: str) -> bool:
    """Return whether a request spends its time outside the interpreter: hashing, or asking."""
    return path.startswith(OUTSIDE) or hashes_password(method, path)


def standing(scope: Scope, address: str) -> tuple[int, str]:
    """Return the rank of a request, and the source it takes turns with.

    Players take turns with each other, strangers with other addresses: 200 players behind one
    router are 200 sources, and a thousand requests from one address are one.
    """
    key = cookies_of(scope).get(settings.SESSION_COOKIE_NAME)
    user = None if key is None else known.user_of(key)
    if user is not None:
        return PLAYER, f"user:{user}"
    return (STRANGER if key is None else VISITOR), address
