"""Judgement of hands and epochs by the leaves of the log: left out, or dealt again (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tables.fairaudit.findings import FairDifference, Finding
from tables.fairness.leaves import Fate, LeafKind

NAME = (slice(18, 26), slice(26, 34), slice(34, 38))
"""Places of table, epoch and hand in the leaf of a seal or fate."""

SEAL = slice(38, 70)
_FATE = 70


class _LastSeal(NamedTuple):
    epoch: int
    hand: int
    seal: bytes


def judge_epochs(leaves: Sequence[bytes]) -> Iterator[Finding]:
    """Yield seals that do not count up in their epoch, and epochs that were left without a void.

    An epoch that is followed by a higher one ends with fate 2, 3 or 4. One that ends with a played
    hand is honest only if the next epoch counts on: a hand that was decided before its table was
    set back is settled with its own deck.
    """
    last: dict[int, _LastSeal] = {}
    fates: dict[bytes, int] = {}
    for index, leaf in enumerate(leaves):
        if leaf[1] == LeafKind.FATE:
            fates.setdefault(leaf[SEAL], leaf[_FATE])
        if leaf[1] != LeafKind.SEAL:
            continue
        table, epoch, hand = (int.from_bytes(leaf[place]) for place in NAME)
        before, last[table] = last.get(table), _LastSeal(epoch, hand, leaf[SEAL])
        if before is None:
            continue
        if epoch <= before.epoch:
            if (epoch, hand) != (before.epoch, before.hand + 1):
                detail = f"leaf {index}, after hand {before.hand} of epoch {before.epoch}"
                yield Finding(FairDifference.NUMBER, table, epoch, hand, detail)
            continue
        fate = fates.get(before.seal)
        counts_on = fate == Fate.PLAYED and hand == before.hand + 1
        if not counts_on and fate not in (
            Fate.VOID_IN_PLAY,
            Fate.VOID_BEFORE_CARDS,
            Fate.UNPLAYED,
        ):
            end = "was played" if fate == Fate.PLAYED else "has no fate before"
            detail = f"leaf {index}, and hand {before.hand} of epoch {before.epoch} {end}"
            yield Finding(FairDifference.EPOCH, table, epoch, hand, detail)
