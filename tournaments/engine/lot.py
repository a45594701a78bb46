"""Chance as an argument: what a fair draw must offer, and the drawings built on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Lot(Protocol):
    """A fair source of chance; `random.Random` and `random.SystemRandom` are ones."""

    def randrange(self, start: int, /) -> int:
        """A whole number from 0 up to, not including, `start`, all equally likely."""


def shuffled(items: Iterable[Item], lot: Lot) -> list[Item]:
    """The items in an order drawn by lot, every order equally likely."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        drawn = lot.randrange(last + 1)
        order[last], order[drawn] = order[drawn], order[last]
    return order


def drawn(items: Sequence[Item], lot: Lot) -> Item:
    """One of the items, drawn by lot."""
    assert items, "nothing to draw from"
    return items[lot.randrange(len(items))]
