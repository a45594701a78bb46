"""Rows of one table that age: counted, and deleted by short statements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import connection, models
from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from accounts.retention.kinds import KindSurvey
from config import limits


def _itself(at: datetime) -> Any:
    return at


@dataclass(frozen=True, slots=True)
class AgingRows:
    """Rows of a model that go once their `age` is longer ago than `lasts`.

    `setting` names the setting behind `lasts`; "" for a fixed time. Rows that are not `only` stay.
    `bound` makes a value of the field of age from a time, for months and days.
    """

    name: str
    model: type[models.Model]
    age: str
    lasts: Callable[[], timedelta]
    setting: str = ""
    only: Q = field(default_factory=Q)
    bound: Callable[[datetime], Any] = _itself
    unit: str = "rows"

    @property
    def kept(self) -> str:
        """Time for which rows are kept, for people."""
        lasts = self.lasts()
        return f"{lasts.days} days" if lasts else "until they end"

    def going(self, now: datetime) -> QuerySet[Any]:
        """Return the rows past their time."""
        past = {f"{self.age}__lt": self.bound(now - self.lasts())}
        return self.model._default_manager.filter(self.only, **past)

    def survey(self, now: datetime) -> KindSurvey:
        """Count the rows and those past their time."""
        rows = self.model._default_manager.all()
        oldest = rows.aggregate(oldest=Min(self.age))["oldest"]
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_total_relation_size(%s)", [self.model._meta.db_table])
            size = int(cursor.fetchone()[0])
        told = f"{oldest:%Y-%m-%d}" if hasattr(oldest, "strftime") else str(oldest or "")
        return KindSurvey(rows.count(), told, self.going(now).count(), size)

    def prune(self, now: datetime | None = None, most: int | None = None) -> int:
        """Delete rows past their time, PRUNED_AT_ONCE_MAX unless `most` is given; return their
        number.

        Each statement deletes few rows and commits, so that nobody waits long for its locks.
        """
        old = self.going(now or timezone.now()).order_by("pk").values("pk")
        left = limits.PRUNED_AT_ONCE_MAX if most is None else most
        gone = 0
        while left > gone:
            some = old[: min(limits.PRUNED_PER_STATEMENT_MAX, left - gone)]
            keys = [row["pk"] for row in some]
            rows = self.model._default_manager.filter(pk__in=keys)
            deleted = rows.delete()[1] if keys else {}
            gone += deleted.get(self.model._meta.label, 0)
            if len(keys) < limits.PRUNED_PER_STATEMENT_MAX:
                break
        return gone
