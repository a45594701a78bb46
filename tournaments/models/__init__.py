"""The rows of tournaments, one file per idea."""

from tournaments.models.announcement import Announcement, StreamHead
from tournaments.models.audit import AuditRow
from tournaments.models.entry import Entry
from tournaments.models.knock_out import KnockOut
from tournaments.models.move import Move
from tournaments.models.structure import Structure
from tournaments.models.tournament import Tournament

__all__ = [
    "Announcement",
    "AuditRow",
    "Entry",
    "KnockOut",
    "Move",
    "StreamHead",
    "Structure",
    "Tournament",
]
