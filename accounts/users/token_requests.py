"""Limits of requests with access tokens, at the HTTP API and at the handshake of sockets."""

from __future__ import annotations

import math

from accounts.models import AccessToken
from accounts.users import access_tokens
from config import limits
from config.door.rates import Rate
from config.refusals import Refusal
from config.refusals import marked as _

REQUESTS = Rate("api-token", limits.API_BURST, limits.API_REQUESTS_PER_MINUTE)
"""Requests of one user, over all tokens and web processes."""
FAILURES = Rate("api-address", limits.API_FAILURES_BURST, limits.API_FAILURES_PER_MINUTE)
"""Requests of one address with tokens that are not valid."""


class TooManyRequests(Refusal):
    """Refusal of a request above the rate of its token or address; `wait_s` until the next one."""

    code = "too_many_requests"
    sentence = _("Too many requests. Try again in %(wait_s)s seconds.")


def accept(text: str, scope: str, source: str) -> AccessToken:
    """Return the valid token with this text and right, and count the request, also without it.

    `source` is the client's address as limits count it. Raises InvalidToken, MissingScope,
    TooManyRequests.
    """
    try:
        token = access_tokens.valid_token(text)
    except access_tokens.InvalidToken:
        refuse_above(FAILURES.take(source))
        raise
    refuse_above(REQUESTS.take(str(token.user_id)))
    access_tokens.use(token, scope)
    return token


def refuse_above(wait_s: float) -> None:
    """Raise TooManyRequests unless a request is free now."""
    if wait_s:
        raise TooManyRequests(wait_s=math.ceil(wait_s))
