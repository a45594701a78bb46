"""Rows of finished hands prepared for export; the caller has checked the reader's rights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from tables.history.exports import hand
from tables.history.exports.games import facts_of
from tables.history.exports.hand import ExportedHand
from tables.history.kept import all_kept, all_whole
from tables.models import Hand

ROWS_AT_ONCE = 100
"""Most rows that an export holds in memory."""


def exported(row: Hand, user: int | None) -> ExportedHand:
    """Return a released hand as a user was shown it (None: the public)."""
    [prepared] = all_exported([row], user)
    return prepared


def all_exported(
    rows: Iterable[Hand], user: int | None, *, all_cards: bool = False
) -> Iterator[ExportedHand]:
    """Yield released hands one by one, as a user was shown them, or with all cards.

    Raises NoMonthKey for all cards where this process has no record key.
    """
    facts = cache(facts_of)
    left = iter(rows)
    while chunk := list(islice(left, ROWS_AT_ONCE)):
        records = all_whole(chunk) if all_cards else all_kept(chunk, user)
        for row, kept in zip(chunk, records, strict=True):
            number, seats_max = row.table.number, row.table.seats_max
            game = facts(row.table.director, row.table.game)
            if all_cards:
                yield hand.with_all_cards(kept, game=game, table=number, seats_max=seats_max)
            else:
                yield hand.seen_by(user, kept, game=game, table=number, seats_max=seats_max)
