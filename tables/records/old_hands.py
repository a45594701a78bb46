"""Hands as a kind of data that ages: their records are archived, their rows stay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Min

from accounts.retention.kinds import KindSurvey
from tables.models import Hand
from tables.records import archiving

MONTHS_MIN = 1
"""Least whole months: hands of this one are still counted, told again and looked at by staff."""
MONTHS_MAX = 1_200


@dataclass(frozen=True, slots=True)
class OldHands:
    """Finished hands; records older than so many whole months go into files, with None none."""

    older: int | None
    name: str = "hands"
    unit: str = "rows"
    setting: str = "--older"

    @property
    def kept(self) -> str:
        """Time for which records stay in their rows, for people."""
        return "for ever" if self.older is None else f"in rows {self.older} months"

    def survey(self, now: datetime) -> KindSurvey:
        """Count the hands and those whose records are to be archived."""
        oldest = Hand.objects.aggregate(oldest=Min("pk"))["oldest"]
        when = Hand.objects.filter(pk=oldest).values_list("finished_at", flat=True).first()
        with connection.cursor() as cursor:
            cursor.execute(_SIZE)
            size = int(cursor.fetchone()[0])
        going = 0 if self.older is None else archiving.waiting(self._until(now))
        return KindSurvey(Hand.objects.count(), f"{when:%Y-%m-%d}" if when else "", going, size)

    def prune(self, now: datetime, most: int) -> int:
        """Archive the records of some hands; return their number."""
        return 0 if self.older is None else archiving.archive_some(self._until(now), most)

    def _until(self, now: datetime) -> datetime:
        assert self.older is not None
        return archiving.end_of_months(self.older, now)


_SIZE = """
SELECT sum(pg_total_relation_size(relid)) FROM pg_partition_tree('tables_hand')
"""
