"""Counted requests: log-ins, sign-ups, searches, switches of language."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

from django.conf import settings

from config import limits
from config.door.lanes import HASHING, OUTSIDE, PLAYER, standing
from config.door.rates import Rate
from config.door.refusals import RequestRefused, Scope, busy
from config.door.turns import Full, Turns

SIGN_UP = "/accounts/signup/"
SEARCH = "/players/"
LANGUAGE = "/i18n/setlang/"
_EVERYBODY = "everybody"

Try = tuple[Rate, str]
"""Rate and the subject of the try."""


class Attempts:
    """Limiter that refuses too frequent requests before their body is read and before Django.

    Counts are shared by the whole room. A refusal costs no session, no template, no page thread and
    no PostgreSQL connection; while a subject is refused it costs no trip to Redis either. While
    Redis hangs, addresses wait in turn and in bounds.
    """

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(limits.ATTEMPT_THREADS, "attempts")
        self._turns = Turns(limits.ATTEMPT_THREADS, waiting_max=limits.ATTEMPTS_WAITING_MAX)

    async def admit(self, scope: Scope, source: str) -> None:
        """Spend the tries of a request; raise RequestRefused: 429, which costs nothing, or 503."""
        tries = list(_tries(scope, source))
        if not tries:
            return
        wait_s = max(rate.refused_s(subject) for rate, subject in tries)
        if wait_s == 0.0:
            wait_s = await self._count(tries, source)
        if wait_s:
            raise RequestRefused(
                HTTPStatus.TOO_MANY_REQUESTS, "too_often", retry_s=math.ceil(wait_s)
            )

    async def _count(self, tries: Sequence[Try], source: str) -> float:
        loop = asyncio.get_running_loop()
        try:
            async with self._turns.turn(0, source, within_s=limits.PAGE_WAITS_S):
                return await loop.run_in_executor(self._threads, _take, tries)
        except Full:
            raise busy() from None


def _tries(scope: Scope, source: str) -> Iterator[Try]:
    method, path = scope["method"], scope["path"]
    if method == "POST" and path.startswith(SIGN_UP):
        yield _sign_ups(), source
    elif path.startswith(OUTSIDE) or (method == "POST" and path.startswith(HASHING)):
        # The address first: tries refused to an address stay available to the others.
        yield _log_ins(), source
        yield _all_log_ins(), _EVERYBODY
    elif method == "POST" and path.startswith(LANGUAGE):
        yield _languages(), _who(scope, source)
    elif path.startswith(SEARCH) and scope.get("query_string"):
        yield _searches(), _who(scope, source)


def _who(scope: Scope, source: str) -> str:
    """Return the user where known, so that players behind one router do not share tries."""
    rank, subject = standing(scope, source)
    return subject if rank == PLAYER else source


def _take(tries: Sequence[Try]) -> float:
    for rate, subject in tries:
        if wait_s := rate.take(subject):
            return wait_s
    return 0.0


def _log_ins() -> Rate:
    per_minute = settings.LOGINS_PER_MINUTE_PER_ADDRESS
    return Rate("login", max(limits.LOGINS_BURST_PER_ADDRESS, per_minute), per_minute)


def _all_log_ins() -> Rate:
    per_minute = settings.LOGINS_PER_MINUTE
    return Rate("logins", max(limits.LOGINS_BURST, per_minute), per_minute)


def _sign_ups() -> Rate:
    per_minute = settings.SIGNUPS_PER_MINUTE_PER_ADDRESS
    return Rate("signup", max(limits.SIGNUPS_BURST_PER_ADDRESS, per_minute), per_minute)


def _searches() -> Rate:
    per_minute = settings.SEARCHES_PER_MINUTE
    return Rate("search", max(limits.SEARCHES_BURST, per_minute), per_minute)


def _languages() -> Rate:
    per_minute = settings.LANGUAGE_SWITCHES_PER_MINUTE
    return Rate("language", max(limits.LANGUAGE_SWITCHES_BURST, per_minute), per_minute)
