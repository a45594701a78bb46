"""Running tournaments whose chips have a cash value."""

from __future__ import annotations

from typing import Any

from tests.tournaments.cast import STACK, started
from tournaments.models import Tournament

CASH: dict[str, Any] = {
    "cash_value": True,
    "buy_in": STACK,
    "payout_preset": "winner_takes_all",
}


def cash(players: int, **fields: Any) -> Tournament:
    """A running tournament with chips worth one cent each."""
    return started(players, **(CASH | fields))
