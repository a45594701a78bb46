"""Daily limit of newcomers per address who receive the first play money."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import WelcomeCount
from accounts.retention.rows import AgingRows

KEPT = timedelta(days=2)

COUNTS = AgingRows("welcome-counts", WelcomeCount, "day", lambda: KEPT, bound=datetime.date)


def take(source: str) -> bool:
    """Take one of today's welcomes of an address; return False when all are taken.

    The caller's transaction decides: a failed sign-up takes none. Days are in UTC.
    """
    now = timezone.now()
    COUNTS.going(now).delete()
    with connection.cursor() as cursor:
        # A single statement, so that of two concurrent sign-ups only one takes the last welcome.
        cursor.execute(
            "INSERT INTO accounts_welcomecount (day, source, given) SELECT %(day)s, %(source)s, 1"
            " WHERE %(most)s > 0 ON CONFLICT (day, source) DO UPDATE"
            " SET given = accounts_welcomecount.given + 1"
            " WHERE accounts_welcomecount.given < %(most)s RETURNING given",
            {
                "day": now.date(),
                "source": _hidden(source),
                "most": settings.WELCOMES_PER_ADDRESS_PER_DAY,
            },
        )
        return cursor.fetchone() is not None


def _hidden(source: str) -> str:
    """Return the keyed hash of an address: equal for equal addresses, not reversible."""
    return salted_hmac("accounts.welcomes", source, algorithm="sha256").hexdigest()
