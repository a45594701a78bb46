"""Results of a tournament as CSV, one line per entry, for leagues and spreadsheets.

`entry` counts from 1 in the tournament; events name an entry by its `id`.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from django.db.models import F

from accounts.ledger.export import plain
from tournaments.models import Entry, Tournament

HEADINGS = (
    *("place", "player", "entry", "rebuys", "add_ons", "prize", "bounties_won"),
    *("registered_at", "out_at", "id"),
)
_COLUMNS = (
    *("place", "name", "number", "rebuys", "add_ons", "prize", "bounties_won"),
    *("registered_at", "out_at", "pk"),
)
ROWS_AT_ONCE = 2_000


def as_csv(tournament: Tournament) -> str:
    """Return every entry not withdrawn as CSV: live ones, then by place; money in minor units."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(HEADINGS)
    entries = tournament.entries.exclude(state__in=Entry.TAKEN_BACK)
    rows = entries.order_by(F("place").asc(nulls_first=True), "number").values_list(*_COLUMNS)
    # No object for each entry, and few rows at once: a field may have a hundred thousand.
    for row in rows.iterator(ROWS_AT_ONCE):
        writer.writerow(plain(cell) for cell in _cells(row))
    return text.getvalue()


def _cells(row: tuple[Any, ...]) -> tuple[object, ...]:
    place, *facts, registered_at, out_at, key = row
    out = out_at.isoformat() if out_at else ""
    return (place or "", *facts, registered_at.isoformat(), out, key)
