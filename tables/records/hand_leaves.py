"""Leaf of the end of a hand, which its settlement knows already."""

from __future__ import annotations

from typing import NamedTuple

from tables.dealer.seen_record import SeenRecord
from tables.fairness.leaves import Fate, FateReason, fate_leaf
from tables.fairness.openings import Opening
from tables.fairness.public_part import public_hash, public_part


class PlayedLeaf(NamedTuple):
    """Leaf of a played hand, and the states of its seats' seeds, one byte for each seat."""

    leaf: bytes
    states: bytes


def of_played(seen: SeenRecord, course: bytes) -> PlayedLeaf | None:
    """Return the leaf of a hand as all saw it, given the last link of its course.

    None without one, and for a hand without a seal: the log's keeper replays such a hand.
    """
    called = seen.called
    if called is None or not course:
        return None
    sealed, roster = called.sealed, called.roster()
    openings = [Opening(one.position, one.place, one.card, one.salt) for one in seen.known_cards]
    part = public_part(
        sealed.hand_id,
        sealed.seal,
        called_ms=called.called_ms,
        dealt_ms=seen.began_ms,
        roster=roster,
        openings=openings,
    )
    leaf = fate_leaf(
        sealed.hand_id,
        sealed.seal,
        fate=Fate.PLAYED,
        reason=FateReason.NONE,
        ended_ms=seen.ended_ms,
        public=public_hash(part),
        course=course,
    )
    return PlayedLeaf(leaf, bytes(row.state for row in roster))
