"""Type of the fixture that creates players with money."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from accounts.models import Account


class NewPlayer(Protocol):
    """Function that creates a player and returns the account, with a balance in minor units."""

    def __call__(self, money: int = 0) -> Account: ...
