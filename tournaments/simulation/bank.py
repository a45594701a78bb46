"""The money of a simulated tournament: accounts that always sum to zero."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

POOL = "pool"
BOUNTY = "bounty"
FEES = "fees"
ROOM = "room"
TICKETS = "tickets"


def player(user: int) -> str:
    """The account of a user."""
    return f"player:{user}"


class Bank:
    """Balances in cents by account; only players and the room may fall below nothing."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()

    def move(self, changes: Mapping[str, int]) -> None:
        """Book one transfer: account -> cents, a credit above nothing (the sum is zero)."""
        assert sum(changes.values()) == 0, "no money is made or lost"
        for account, amount in changes.items():
            self.balances[account] += amount
            floored = account not in (ROOM,) and not account.startswith("player:")
            assert not floored or self.balances[account] >= 0, f"{account} has no such money"

    def __getitem__(self, account: str) -> int:
        return self.balances[account]

    def total(self) -> int:
        """All accounts together."""
        return sum(self.balances.values())
