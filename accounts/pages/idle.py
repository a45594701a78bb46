"""Middleware that ends sessions after the idle time-out, at their next request."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse

from accounts.logins import idle
from accounts.pages import seen
from config.door.refusals import API

COOKIE = "ended"
"""Cookie that tells the log-in page why it is shown."""


class EndIdleSessions:
    """Middleware that logs a user out who did nothing for too long, and leads to the log-in.

    The API answers programs and scripts itself, as for any session that is over. Ending the
    session dismisses its sockets, as every end of a session does.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request, or lead to the log-in."""
        if not _is_over(request):
            return self._get_response(request)
        logout(request)
        is_api = request.path.startswith(API)
        answer = self._get_response(request) if is_api else _to_login(request)
        answer.set_cookie(
            COOKIE,
            "idle",
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
        return answer


def _is_over(request: HttpRequest) -> bool:
    """Return whether the request's session was idle too long.

    Without a query for a session that this process saw in use a moment ago.
    """
    key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
    if not key or not idle.is_in_force() or seen.is_in_use(key):
        return False
    return request.user.is_authenticated and idle.is_idle(request.user, key)


def _to_login(request: HttpRequest) -> HttpResponse:
    """Return the way to the log-in: back to a page, never to a form that was not carried out."""
    onward = request.get_full_path() if request.method == "GET" else settings.LOGIN_REDIRECT_URL
    return redirect_to_login(onward)
