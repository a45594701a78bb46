"""The only place that asks for chance: cryptographic in play, seeded where a test wants it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Chance(Protocol):
    """What the house needs of a source of chance; `random.Random` fits."""

    def randrange(self, start: int, /) -> int:
        """A number from 0 up to, not including, `start`; every one equally likely."""
        ...


def system() -> random.Random:
    """The operating system's cryptographic source, used for everything that decides chips."""
    return random.SystemRandom()


def name() -> str:
    """A name nothing else has, as 32 hexadecimal digits."""
    return f"{system().getrandbits(128):032x}"


def seeded(seed: int) -> random.Random:
    """A repeatable source for tests and simulations; never for play."""
    return random.Random(seed)  # nosec B311


def shuffled(items: Sequence[Item], chance: Chance) -> tuple[Item, ...]:
    """All `items` in a random order (Fisher-Yates), every order equally likely."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        pick = chance.randrange(last + 1)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)
