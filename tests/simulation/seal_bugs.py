"""Planted defects of sealed decks."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from msgspec.structs import replace

from tables.dealer.sealed import CalledHand
from tables.engine.events import Card
from tables.workers import recovery, settle


def void_keeps_its_seal() -> AbstractContextManager[Any]:
    """Raise the epoch of a table and leave the seal of its hand open."""
    return patch.object(recovery.sealing, "end", lambda *_, **__: None)


def row_after_the_grant() -> AbstractContextManager[Any]:
    """Grant the first hand of a table although no row holds its seal."""
    return patch.object(settle, "_require_seal", lambda *_: None)


def seal_made_after_the_call() -> AbstractContextManager[Any]:
    """Seal a hand anew once its roster was called."""
    real = CalledHand.deck

    def deck(called: CalledHand) -> tuple[Card, ...]:
        other = replace(called.sealed, secret=called.sealed.secret[::-1])
        return real(replace(called, sealed=other))

    return patch.object(CalledHand, "deck", deck)
