"""Ring games and players with money for tests of pages."""

from __future__ import annotations

from typing import Any

from accounts.ledger.credit import credit
from accounts.models import User
from tables.ring.models import RingGame
from tables.ring.sessions import operating, sit_down

BALANCE = 500_00
LEAST, MOST = 40_00, 100_00


def ring_game(**terms: Any) -> RingGame:
    """An open ring game with one table of six seats, blinds 0.50 / 1.00."""
    usual: dict[str, Any] = {
        "name": "Evening game",
        "small_blind": 50,
        "big_blind": 1_00,
        "buy_in_min": LEAST,
        "buy_in_max": MOST,
        "straddle": True,
        "hand_pause_ms": 0,
        "showdown_pause_ms": 0,
        "street_pause_ms": 0,
    }
    return operating.open_game(**(usual | terms))


def player(name: str, balance: int = BALANCE) -> User:
    """A player with play money."""
    user = User.objects.create(name=name)
    if balance:
        credit([user], amount=balance, reason="test", token=f"ring-{name}-{user.pk}")
    return user


def seated(game: RingGame, name: str, amount: int = MOST) -> User:
    """A player who has just sat down."""
    user = player(name)
    sit_down.sit(user, game.pk, amount=amount)
    return user
