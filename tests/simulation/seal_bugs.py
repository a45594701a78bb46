"""Planted defects of sealed decks."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from tables.dealer import deal, sealed
from tables.dealer.sealed import CutCards, SealedHand
from tables.fairness.sealing import seal_deck
from tables.workers import recovery, settle


def void_keeps_its_seal() -> AbstractContextManager[Any]:
    """Raise the epoch of a table and leave the seal of its hand open."""
    return patch.object(recovery.sealing, "end", lambda *_, **__: None)


def row_after_the_grant() -> AbstractContextManager[Any]:
    """Grant the first hand of a table although no row holds its seal."""
    return patch.object(settle, "_require_seal", lambda *_: None)


def seal_made_after_the_call() -> AbstractContextManager[Any]:
    """Seal a hand anew once its roster is known."""
    real = sealed.cut

    def cut(kept: SealedHand, entries: dict[int, int]) -> CutCards:
        other = replace(kept, secret=kept.secret[::-1])
        return real(replace(other, seal=seal_deck(other.secret, other.name).seal), entries)

    return patch.object(deal.sealed, "cut", cut)
