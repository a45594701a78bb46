"""Files without a row as a kind of data that ages."""

from __future__ import annotations

from datetime import datetime

from accounts.retention.kinds import KindSurvey
from accounts.stored_files.orphans import KEPT, are_most, orphans, remove_orphans, stored_names


class OrphanFiles:
    """Stored files that no row names; they go a day after they were stored."""

    name, unit, setting = "orphan-files", "files", ""
    kept = f"{KEPT.days} day"

    def survey(self, now: datetime) -> KindSurvey:
        """Count the files of the room's folders, and the old ones that no row names."""
        return KindSurvey(len(stored_names()), "", sum(1 for _ in orphans(now)))

    def prune(self, now: datetime, most: int) -> int:
        """Delete some orphans and return their number; none while most files are orphans."""
        return 0 if are_most() else len(remove_orphans(now, most))
