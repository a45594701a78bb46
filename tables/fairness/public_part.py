"""Public part of a hand: times, seats with their seeds, cards open to all (section 3)."""

from __future__ import annotations

from collections.abc import Sequence

from tables.fairness.cutting import RosterRow
from tables.fairness.encoding import digest, optional_hash, tag, u8, u64
from tables.fairness.openings import Opening


def public_part(
    hand: bytes,
    seal: bytes,
    *,
    called_ms: int,
    dealt_ms: int,
    roster: Sequence[RosterRow],
    openings: Sequence[Opening],
) -> bytes:
    """Return the bytes whose hash the fate leaf holds; openings to one viewer are left out.

    Times are UTC milliseconds, 0 for an event that did not happen. `roster` has the published
    states, late seeds included.
    """
    rows = [
        u8(row.seat)
        + u64(row.entry)
        + u8(row.state)
        + optional_hash(row.pledge)
        + optional_hash(row.seed)
        for row in sorted(roster, key=lambda row: row.seat)
    ]
    opened = [
        u8(opening.position) + u8(opening.place) + u8(opening.card) + opening.salt
        for opening in sorted(openings, key=lambda opening: opening.position)
        if opening.to == "all"
    ]
    times = u64(called_ms) + u64(dealt_ms)
    head = tag("public") + hand + seal + times + u8(len(rows))
    return b"".join([head, *rows, u8(len(opened)), *opened])


def public_hash(part: bytes) -> bytes:
    """Return the hash of a public part."""
    return digest(part)
