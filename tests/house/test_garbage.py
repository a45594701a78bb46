"""The collector's portions: new garbage goes at once, old garbage when its time comes."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from config.garbage import FEW, FULL_EVERY_S, Sparing


class Ring:
    """Two objects that only hold each other: no count of references frees them."""

    def __init__(self) -> None:
        self.other: object = [self]


@pytest.fixture
def sparing() -> Iterator[Sparing]:
    gc.disable()
    yield Sparing(0.0)
    gc.unfreeze()
    gc.enable()


def _gone(sparing: Sparing, connections: int, now_s: float) -> weakref.ref[Ring]:
    """A ring that outlived a look and was dropped then."""
    ring = Ring()
    sparing.look(connections, now_s)
    assert gc.get_freeze_count() > 0
    return weakref.ref(ring)


def test_new_garbage_is_collected_at_every_look(sparing: Sparing) -> None:
    sparing.look(10, 0.0)
    dropped = weakref.ref(Ring())
    sparing.look(10, 5.0)
    assert dropped() is None


def test_what_lived_on_is_looked_through_once_an_hour(sparing: Sparing) -> None:
    dropped = _gone(sparing, 1_000, 0.0)
    sparing.look(1_000, FULL_EVERY_S - 1)
    assert dropped() is not None
    sparing.look(1_000, FULL_EVERY_S)
    assert dropped() is None


@pytest.mark.parametrize(("most", "rest"), [(1_000, 499), (FEW, 0)])
def test_what_lived_on_is_looked_through_when_most_connections_are_gone(
    sparing: Sparing, most: int, rest: int
) -> None:
    dropped = _gone(sparing, most, 0.0)
    sparing.look(most // 2, 5.0)
    assert dropped() is not None
    sparing.look(rest, 10.0)
    assert dropped() is None
