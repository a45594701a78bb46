"""Access tokens of requests to the API, with limits by token and by address."""

from __future__ import annotations

import math

from django.http import HttpRequest
from ninja.security import HttpBearer

from accounts.models import User
from accounts.users import access_tokens
from accounts.users.lockout import source_of_request
from config import limits
from config.door.rates import Rate
from tournaments.api.problems import TooManyRequests

REQUESTS = Rate("api-token", limits.API_BURST, limits.API_REQUESTS_PER_MINUTE)
"""Requests of one user, over all tokens and web processes."""
FAILURES = Rate("api-address", limits.API_FAILURES_BURST, limits.API_FAILURES_PER_MINUTE)
"""Requests of one address with tokens that are not valid."""


class ScopedBearer(HttpBearer):
    """Authentication by an access token with one right; `request.auth` is its user."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__()

    def authenticate(self, request: HttpRequest, token: str) -> User:
        """Return the user; raises InvalidToken, MissingScope, TooManyRequests."""
        try:
            accepted = access_tokens.accept(token, self.scope)
        except access_tokens.InvalidToken:
            refuse_above(FAILURES.take(source_of_request(request)))
            raise
        refuse_above(REQUESTS.take(str(accepted.user_id)))
        return accepted.user


def refuse_above(wait_s: float) -> None:
    """Raise TooManyRequests unless a request is free now."""
    if wait_s:
        raise TooManyRequests(wait_s=math.ceil(wait_s))
