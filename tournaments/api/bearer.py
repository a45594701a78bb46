"""Access tokens of requests to the API."""

from __future__ import annotations

from django.http import HttpRequest
from ninja.security import HttpBearer

from accounts.models import User
from accounts.users import token_requests
from accounts.users.lockout import source_of_request


class ScopedBearer(HttpBearer):
    """Authentication by an access token with one right; `request.auth` is its user."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__()

    def authenticate(self, request: HttpRequest, token: str) -> User:
        """Return the user; raises InvalidToken, MissingScope, TooManyRequests."""
        return token_requests.accept(token, self.scope, source_of_request(request)).user
