"""Retention of conduct: figures, log-ins and reports past the setting are deleted each hour."""

from __future__ import annotations

from datetime import date, datetime

from accounts.retention.rows import AgingRows
from config.door.rates import Rate
from tables.conduct.keeping import kept_for, month_of
from tables.conduct.models import (
    ConductCase,
    LoginNetwork,
    PairConduct,
    PlayerConduct,
    PlayerDay,
    PlayerReport,
    SharedBrowser,
)

HOURLY = Rate("prune-conduct", burst=1, per_minute=1 / 60)
"""Rate of one turn an hour for the whole room.

The pairs of a month are millions in a large room, and a turn deletes PRUNED_AT_ONCE_MAX of them.
"""

SETTING = "CONDUCT_KEPT_DAYS"


def _first_day(at: datetime) -> date:
    return at.date().replace(day=1)


# Figures go by whole months, their days too. Open cases have no time of decision and stay.
KINDS = (
    AgingRows("conduct-players", PlayerConduct, "month", kept_for, SETTING, bound=month_of),
    AgingRows("conduct-pairs", PairConduct, "month", kept_for, SETTING, bound=month_of),
    AgingRows("conduct-days", PlayerDay, "day", kept_for, SETTING, bound=_first_day),
    AgingRows("conduct-browsers", SharedBrowser, "last_at", kept_for, SETTING),
    AgingRows("conduct-networks", LoginNetwork, "last_at", kept_for, SETTING),
    AgingRows("conduct-reports", PlayerReport, "made_at", kept_for, SETTING),
    AgingRows("conduct-cases", ConductCase, "decided_at", kept_for, SETTING),
)


def prune_conduct_hourly() -> int:
    """Prune at most once an hour; return the number of deleted rows."""
    return prune_conduct() if HOURLY.take("room") == 0.0 else 0


def prune_conduct() -> int:
    """Delete what is older than CONDUCT_KEPT_DAYS; return the number of rows.

    Figures go by whole months, their days too. Open cases stay until they are decided. At most
    PRUNED_AT_ONCE_MAX rows of each kind go per call.
    """
    return sum(kind.prune() for kind in KINDS)
