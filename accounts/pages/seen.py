"""Middleware that notes log-in sessions: at log-in, and at most every few minutes."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import structlog
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from accounts.logins import devices, languages, open_sessions
from accounts.models import User
from accounts.pages.confirm import note_confirmed
from accounts.pages.second_factor import factor_first
from config import limits

log = structlog.get_logger(__name__)

STAFF_PAGES = ("/admin/", "/organise/")
"""Path prefixes of the pages that STAFF_SECOND_FACTOR guards."""

_lock = threading.Lock()
_noted: OrderedDict[str, float] = OrderedDict()


class NoteLogins:
    """Middleware that notes sessions and sets the cookies of a device that logged in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, then note its session if the user was loaded and it is due."""
        answer = _second_factor_first(request) or self._get_response(request)
        if (user := getattr(request, "logged_in_user", None)) is not None:
            devices.remember(request, answer, user.pk)
            languages.follow(request, answer, user)
        if not hasattr(request, "_cached_user") or not request.user.is_authenticated:
            return answer
        key = request.session.session_key
        if key and not _is_by_itself(request) and _is_due(key):
            try:
                open_sessions.note_seen(request, request.user)
            except DatabaseError as error:
                # The page is answered already; the next request notes the session.
                log.warning("session not noted", error=str(error))
        return answer


def _second_factor_first(request: HttpRequest) -> HttpResponse | None:
    """Lead staff without a second factor to its page where the room requires one."""
    if not settings.STAFF_SECOND_FACTOR or not request.path.startswith(STAFF_PAGES):
        return None
    return factor_first(request)


def is_in_use(session_key: str) -> bool:
    """Return whether this process noted a session lately; False proves nothing."""
    last = _noted.get(session_key)
    return last is not None and time.monotonic() - last < limits.LOGIN_SEEN_EVERY_S


def _is_by_itself(request: HttpRequest) -> bool:
    """Return whether a page asked by itself, as the live pages do: nobody need sit there."""
    if request.method != "GET":
        return False
    return bool(request.headers.get("HX-Request")) or request.headers.get("Sec-Fetch-Dest") == (
        "empty"
    )


def announce_logins() -> None:
    """Note the session of every log-in, whichever page it comes from."""
    user_logged_in.connect(_logged_in, dispatch_uid="login-sessions")


def _logged_in(request: HttpRequest, user: User, **_: Any) -> None:
    note_confirmed(request)
    open_sessions.note_login(request, user)
    languages.keep_first(user)
    request.logged_in_user = user  # type: ignore[attr-defined]
    _is_due(request.session.session_key or "")


def _is_due(key: str) -> bool:
    """Return whether this process did not note a session lately, and count it as noted."""
    now = time.monotonic()
    with _lock:
        last = _noted.get(key)
        if last is not None and now - last < limits.LOGIN_SEEN_EVERY_S:
            return False
        _noted[key] = now
        _noted.move_to_end(key)
        while len(_noted) > limits.SESSIONS_KNOWN_MAX:
            _noted.popitem(last=False)
    return True
