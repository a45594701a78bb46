"""Ledger of a simulation: every movement has two sides, so that all accounts sum to zero."""

from __future__ import annotations

from collections import defaultdict

BANK = ("bank", 0)
"""Issuer of all play money; its balance is what the room gave out, negative."""

RAKE = ("rake", 0)
"""Rake of all tables that the jackpots left to the room, and the room's part of jackpots."""

AccountName = tuple[str, int | str]


def player(number: int) -> AccountName:
    """Return the account of a player."""
    return ("player", number)


def ring(table: int) -> AccountName:
    """Return the account with all chips of a table."""
    return ("ring", table)


def jackpot(kind: str) -> AccountName:
    """Return the account with the pool of a jackpot."""
    return ("jackpot", kind)


class RingBank:
    """Balances in minor units; only the bank may owe."""

    def __init__(self) -> None:
        self.balances: defaultdict[AccountName, int] = defaultdict(int)
        self.sums: defaultdict[str, int] = defaultdict(int)

    def move(self, kind: str, source: AccountName, target: AccountName, amount: int) -> None:
        """Book a transfer of this kind; `sums` has the total of each kind."""
        assert amount >= 0, f"{kind} moves a negative amount"
        self.balances[source] -= amount
        self.balances[target] += amount
        self.sums[kind] += amount
        assert source == BANK or self.balances[source] >= 0, f"{source} is overdrawn by {kind}"

    def total(self) -> int:
        """Return the sum of all balances."""
        return sum(self.balances.values())
