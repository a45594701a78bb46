"""Planted defects of work in batches: what is left is forgotten."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from unittest.mock import patch

from tournaments.running import cancelling, forward, paying


def one_batch_of_refunds() -> AbstractContextManager[Any]:
    """Let the first batch of refunds say that none is left."""
    real = cancelling.wind_up

    def wind_up(tx: Any, reason: str | None = None) -> None:
        real(tx, reason)
        tx.tournament.refunding = False

    return patch.object(cancelling, "wind_up", wind_up)


def one_batch_of_shares() -> AbstractContextManager[Any]:
    """Let the first batch of shares say that none is left."""
    real = forward._make_batch

    def make_batch(tx: Any, reason: str) -> None:
        real(tx, reason)
        tx.tournament.sharing = None

    return patch.object(forward, "_make_batch", make_batch)


def one_batch_of_prizes() -> AbstractContextManager[Any]:
    """Let the first batch of prizes say that none is left."""
    real = paying._make_batch

    def make_batch(tx: Any, **how: bool) -> None:
        real(tx, **how)
        tx.tournament.paying = None

    return patch.object(paying, "_make_batch", make_batch)
