"""Pruning of rows that only grow: log-ins noted by django-axes, sessions, tokens, API answers."""

from __future__ import annotations

from datetime import timedelta

import structlog
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import AccessToken, ApiAnswer
from accounts.retention.rows import AgingRows
from config.door.rates import Rate

log = structlog.get_logger(__name__)

TOKENS_KEPT = timedelta(days=30)
"""Time for which an access token is listed in the admin after it expired."""
API_ANSWERS_KEPT = timedelta(days=1)
"""Time for which a repeated request to the API gets its first answer."""

HOURLY = Rate("prune-accounts", burst=1, per_minute=1 / 60)
"""Rate of one turn an hour for the whole room."""


def _noted() -> timedelta:
    # Rows that still lock a user out are younger than any LOGIN_ROWS_KEPT_DAYS.
    return timedelta(days=settings.LOGIN_ROWS_KEPT_DAYS)


KINDS = (
    *(
        AgingRows(name, model, "attempt_time", _noted, "LOGIN_ROWS_KEPT_DAYS")
        for name, model in (
            ("log-in-tries", AccessAttempt),
            ("log-in-failures", AccessFailureLog),
            ("log-ins", AccessLog),
        )
    ),
    AgingRows("access-tokens", AccessToken, "expires_at", lambda: TOKENS_KEPT),
    AgingRows("sessions", Session, "expire_date", timedelta),
    AgingRows("api-answers", ApiAnswer, "made_at", lambda: API_ANSWERS_KEPT),
)


def prune_hourly() -> int:
    """Prune at most once an hour; return the number of deleted rows."""
    return prune() if HOURLY.take("room") == 0.0 else 0


def prune() -> int:
    """Delete old rows of these kinds; return their number.

    At most PRUNED_AT_ONCE_MAX rows of a kind are deleted per call.
    """
    now = timezone.now()
    gone = sum(kind.prune(now) for kind in KINDS)
    if gone:
        log.info("rows pruned", rows=gone)
    return gone
