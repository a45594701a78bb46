"""Money of a simulated tournament: accounts that always sum to zero."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

POOL = "pool"
BOUNTY = "bounty"
FEES = "fees"
ROOM = "room"
TICKETS = "tickets"


def player(user: int) -> str:
    """Return the account of a user."""
    return f"player:{user}"


class Bank:
    """Balances in cents by account; only accounts of players and the room may be negative."""

    def __init__(self) -> None:
        self.balances: Counter[str] = Counter()

    def move(self, changes: Mapping[str, int]) -> None:
        """Book one transfer, account -> cents, credits positive; the sum is zero."""
        assert sum(changes.values()) == 0, "a transfer sums to zero"
        for account, amount in changes.items():
            self.balances[account] += amount
            floored = account not in (ROOM,) and not account.startswith("player:")
            assert not floored or self.balances[account] >= 0, f"{account} would be negative"

    def __getitem__(self, account: str) -> int:
        return self.balances[account]

    def total(self) -> int:
        """Return the sum of all accounts."""
        return sum(self.balances.values())
