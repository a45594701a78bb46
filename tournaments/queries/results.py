"""Results of a tournament as CSV, one line per entry, for leagues and spreadsheets.

`entry` counts from 1 in the tournament; events name an entry by its `id`.
"""

from __future__ import annotations

import csv
import io

from django.db.models import F

from accounts.ledger.export import plain
from tournaments.models import Entry, Tournament

HEADINGS = (
    *("place", "player", "entry", "rebuys", "add_ons", "prize", "bounties_won"),
    *("registered_at", "out_at", "id"),
)


def as_csv(tournament: Tournament) -> str:
    """Return every entry not withdrawn as CSV: live ones, then by place; money in minor units."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(HEADINGS)
    entries = tournament.entries.exclude(state__in=Entry.TAKEN_BACK)
    for entry in entries.order_by(F("place").asc(nulls_first=True), "number"):
        writer.writerow(plain(cell) for cell in _cells(entry))
    return text.getvalue()


def _cells(entry: Entry) -> tuple[object, ...]:
    return (
        entry.place or "",
        entry.name,
        entry.number,
        entry.rebuys,
        entry.add_ons,
        entry.prize,
        entry.bounties_won,
        entry.registered_at.isoformat(),
        entry.out_at.isoformat() if entry.out_at else "",
        entry.pk,
    )
