"""Randomness as an argument: the protocol of a fair source, and the draws built on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Lot(Protocol):
    """A fair source of randomness, such as `random.Random` or `random.SystemRandom`."""

    def randrange(self, start: int, /) -> int:
        """Return an integer from 0 up to, not including, `start`, all equally likely."""


def shuffled(items: Iterable[Item], lot: Lot) -> list[Item]:
    """Return the items in a random order, every order equally likely."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        drawn = lot.randrange(last + 1)
        order[last], order[drawn] = order[drawn], order[last]
    return order


def drawn(items: Sequence[Item], lot: Lot) -> Item:
    """Return one of the items by lot."""
    assert items, "a draw needs at least one item"
    return items[lot.randrange(len(items))]
