"""Counts of the decisions of bots in a tournament, and of those that the room made for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec
import structlog

from tables.dealer.state import MadeBy
from tables.records.archive import ArchiveAway
from tables.records.stored import decode_open

log = structlog.get_logger(__name__)

COLUMNS: Mapping[MadeBy, str] = {
    "time_out": "time_outs",
    "disconnected": "crashes",
    "absent": "missed",
}
"""Column that counts decisions of each origin besides the bot itself."""


def decision_counts(records: Iterable[bytes]) -> dict[int, Counter[str]]:
    """Return user -> counts by column of `DecisionCounts`, from the records of settled hands.

    A damaged record is passed over. Raises ArchiveAway.
    """
    found: dict[int, Counter[str]] = {}
    for stored in records:
        try:
            kept = decode_open(stored)
        except ArchiveAway:
            raise
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            log.error("damaged record is in no count of a ladder", error=str(error))
            continue
        users = {seat.seat: seat.user for seat in kept.seats}
        for played, note in zip(kept.actions, kept.notes, strict=False):
            counts = found.setdefault(users[played.seat], Counter())
            counts["decisions"] += 1
            if column := COLUMNS.get(note.made_by):
                counts[column] += 1
    return found
