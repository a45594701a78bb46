"""Pruning of rows that only grow: log-ins noted by django-axes, sessions, answers of the API."""

from __future__ import annotations

from datetime import timedelta

import structlog
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.contrib.sessions.models import Session
from django.utils import timezone

from accounts.models import ApiAnswer
from config import limits
from config.door.rates import Rate

log = structlog.get_logger(__name__)

API_ANSWERS_KEPT = timedelta(days=1)
"""Time for which a repeated request to the API gets its first answer."""

HOURLY = Rate("prune-accounts", burst=1, per_minute=1 / 60)
"""Rate of one turn an hour for the whole room."""


def prune_hourly() -> int:
    """Prune at most once an hour; return the number of deleted rows."""
    return prune() if HOURLY.take("room") == 0.0 else 0


def prune() -> int:
    """Delete old log-ins, expired sessions and old answers of the API; return their number.

    At most PRUNED_AT_ONCE_MAX rows of a kind are deleted per call, to keep statements short. Rows
    that still lock a user out are younger than any LOGIN_ROWS_KEPT_DAYS.
    """
    now = timezone.now()
    ended = now - timedelta(days=settings.LOGIN_ROWS_KEPT_DAYS)
    kinds = [
        kind.objects.filter(attempt_time__lt=ended)
        for kind in (AccessAttempt, AccessFailureLog, AccessLog)
    ]
    kinds.append(Session.objects.filter(expire_date__lt=now))
    kinds.append(ApiAnswer.objects.filter(made_at__lt=now - API_ANSWERS_KEPT))
    gone = 0
    for old in kinds:
        some = old.order_by("pk").values("pk")[: limits.PRUNED_AT_ONCE_MAX]
        deleted = old.model.objects.filter(pk__in=some).delete()[1]
        gone += deleted.get(old.model._meta.label, 0)
    if gone:
        log.info("rows pruned", rows=gone)
    return gone
