"""Planted defects of sealed decks."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from tables.dealer import commands, cuts
from tables.dealer.sealed import CalledHand
from tables.dealer.state import TableSeat, TableState
from tables.engine.events import Card
from tables.wire.client_commands import CutDeck
from tables.workers import recovery, settle


def void_keeps_its_seal() -> AbstractContextManager[Any]:
    """Raise the epoch of a table and leave the seal of its hand open."""
    return patch.object(recovery.sealing, "end", lambda *_, **__: None)


def row_after_the_grant() -> AbstractContextManager[Any]:
    """Grant the first hand of a table although no row holds its seal."""
    return patch.object(settle, "_require_seal", lambda *_: None)


def cut_left_out() -> AbstractContextManager[Any]:
    """Leave the cuts of the odd seats out, though they came in time."""
    real = cuts.take_cut

    def take(state: TableState, seat: TableSeat, cut: CutDeck) -> TableState:
        known = replace(cut, seed=None) if seat.seat % 2 else cut
        return real(state, seat, known)

    return patch.object(commands, "take_cut", take)


def pledge_called_twice() -> AbstractContextManager[Any]:
    """Call a pledge again whose seed is known."""
    return patch.object(cuts, "without_called_pledges", lambda state: state)


def late_seed_counts() -> AbstractContextManager[Any]:
    """Count a seed that was opened when the cards were dealt."""
    real = CalledHand.opened

    def opened(called: CalledHand, seat: int, seed: bytes, *, late: bool) -> CalledHand:
        return real(called, seat, seed, late=False)

    return patch.object(CalledHand, "opened", opened)


def seal_made_after_the_call() -> AbstractContextManager[Any]:
    """Seal a hand anew once its roster was called."""
    real = CalledHand.deck

    def deck(called: CalledHand) -> tuple[Card, ...]:
        other = replace(called.sealed, secret=called.sealed.secret[::-1])
        return real(replace(called, sealed=other))

    return patch.object(CalledHand, "deck", deck)
