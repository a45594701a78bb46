"""Only source of randomness: cryptographic in play, seeded in tests."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Chance(Protocol):
    """Interface of a random source; `random.Random` fits."""

    def randrange(self, start: int, /) -> int:
        """Return a number from 0 up to, not including, `start`; every one equally likely."""
        ...


def system() -> random.Random:
    """Return the operating system's cryptographic source, for everything that decides chips."""
    return random.SystemRandom()


def name() -> str:
    """Return a unique name of 32 hexadecimal digits."""
    return f"{system().getrandbits(128):032x}"


def secret() -> bytes:
    """Return 32 fresh bytes of the operating system, of which a deck is made and sealed."""
    return system().randbytes(32)


def key() -> bytes:
    """Return 32 fresh bytes of the operating system, for a key of boxes."""
    return os.urandom(32)


def nonce() -> bytes:
    """Return 12 fresh bytes of the operating system, for one box under a key."""
    return os.urandom(12)


def seeded(seed: int | str) -> random.Random:
    """Return a repeatable source for tests, simulations and research rooms; never for people."""
    return random.Random(seed)  # nosec B311


def shuffled(items: Sequence[Item], chance: Chance) -> tuple[Item, ...]:
    """Return `items` in a random order (Fisher-Yates), every order equally likely."""
    order = list(items)
    for last in range(len(order) - 1, 0, -1):
        pick = chance.randrange(last + 1)
        order[last], order[pick] = order[pick], order[last]
    return tuple(order)
