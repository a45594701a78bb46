"""Access to the API: tokens of programs, and sessions of the room's own pages and bots."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from ninja.security import APIKeyCookie, HttpBearer
from ninja.utils import check_csrf

from accounts.logins.lockout import source_of_request
from accounts.models import User
from accounts.users import token_requests
from config.refusals import Refusal
from config.refusals import marked as _


class LoginNeeded(Refusal):
    """Refusal of a script whose session has ended."""

    code = "login"
    sentence = _("You are no longer logged in. Please log in first.")


class ForeignRequest(Refusal):
    """Refusal of a change by a session without the CSRF token, as another site would send it."""

    code = "foreign_request"
    sentence = _("The request is not one of this page. Load the page again; nothing was done.")


class ScopedBearer(HttpBearer):
    """Authentication by an access token with one right; `request.auth` is its user."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__()

    def authenticate(self, request: HttpRequest, token: str) -> User:
        """Return the user; raises InvalidToken, MissingScope, TooManyRequests."""
        return token_requests.accept(token, self.scope, source_of_request(request)).user


class RoomSession(APIKeyCookie):
    """Authentication by the session of a logged-in browser or bot, with pages' own limits.

    A cookie alone only reads: a changing request carries the CSRF token and the room's origin, as
    a form of a page does.
    """

    param_name = settings.SESSION_COOKIE_NAME

    def __init__(self) -> None:
        super().__init__(csrf=False)

    def authenticate(self, request: HttpRequest, key: str | None) -> User | None:
        """Return the user, None without any session; raises LoginNeeded, ForeignRequest."""
        if not isinstance(request.user, User):
            if key or settings.CSRF_HEADER_NAME in request.META:
                raise LoginNeeded
            return None
        # Read first: the check looks for a form in the body, and the route reads it again.
        assert isinstance(request.body, bytes)
        if check_csrf(request) is not None:
            raise ForeignRequest
        return request.user


def token_or_session(scope: str) -> list[ScopedBearer | RoomSession]:
    """Return the ways in of a route that pages use too; a token that is sent counts alone."""
    return [ScopedBearer(scope), RoomSession()]
