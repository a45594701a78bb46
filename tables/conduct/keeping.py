"""Time for which figures are kept, by whole months (as 202611)."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone


def kept_for() -> timedelta:
    """Return the time for which figures, log-ins and reports are kept."""
    return timedelta(days=settings.CONDUCT_KEPT_DAYS)


def month_of(at: datetime) -> int:
    """Return the month of a time in UTC."""
    return at.year * 100 + at.month


def oldest_month() -> int:
    """Return the first month whose figures count; those before it may be half deleted."""
    return month_of(timezone.now() - kept_for())
