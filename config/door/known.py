"""Recently seen log-in sessions of this process, served before those of strangers."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from config import limits

_lock = threading.Lock()
_users: OrderedDict[str, tuple[int, float]] = OrderedDict()


def note(session_key: str, user: int) -> None:
    """Remember that this session belongs to a logged-in user."""
    with _lock:
        _users.pop(session_key, None)
        _users[session_key] = (user, time.monotonic())
        while len(_users) > limits.SESSIONS_KNOWN_MAX:
            _users.popitem(last=False)


def user_of(session_key: str) -> int | None:
    """Return the user of a session seen lately; the answer grants no access and None proves
    nothing.
    """
    found = _users.get(session_key)
    if found is None or time.monotonic() - found[1] > limits.SESSION_KNOWN_S:
        return None
    return found[0]


def forget(session_key: str) -> None:
    """Forget an ended session in this process; the others do by themselves, SESSION_KNOWN_S on."""
    with _lock:
        _users.pop(session_key, None)


class NoteSessions:
    """Django middleware that notes the session of every request with a loaded user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, then note its session if the user was loaded."""
        answer = self._get_response(request)
        user = getattr(request, "_cached_user", None)  # set by django.contrib.auth when asked for
        key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        if key and user is not None and user.is_authenticated:
            note(key, user.pk)
        return answer
