"""Portions of garbage collection: new garbage at once, old garbage later."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator

import pytest

from config.process import garbage
from config.process.garbage import (
    CONNECTIONS_FEW,
    FULL_EVERY_S,
    NEW_OBJECTS_MAX,
    Sparing,
    spare_start,
    spare_waiting,
)


class Ring:
    """Two objects that refer to each other: reference counts never free them."""

    def __init__(self) -> None:
        self.other: object = [self]


@pytest.fixture
def sparing() -> Iterator[Sparing]:
    gc.disable()
    gc.unfreeze()  # what the tests' own collector froze
    yield Sparing(0.0)
    gc.freeze()
    gc.enable()


def _gone(sparing: Sparing, connections: range) -> weakref.ref[Ring]:
    """Return a ring that survived a collection and was dropped then."""
    ring = Ring()
    sparing.collect_when_due(connections, 0.0)
    assert gc.get_freeze_count() > 0
    return weakref.ref(ring)


def test_new_garbage_is_collected_at_every_look(sparing: Sparing) -> None:
    sparing.collect_when_due(range(10), 0.0)
    dropped = weakref.ref(Ring())
    sparing.collect_when_due(range(10), 5.0)
    assert dropped() is None


def test_survivors_are_collected_once_an_hour(sparing: Sparing) -> None:
    dropped = _gone(sparing, range(2_000))
    sparing.collect_when_due(range(2_000), FULL_EVERY_S - 1)
    assert dropped() is not None
    sparing.collect_when_due(range(2_000), FULL_EVERY_S)
    assert dropped() is None


def test_survivors_are_collected_when_as_many_connections_ended_as_are_open(
    sparing: Sparing,
) -> None:
    dropped = _gone(sparing, range(2_000))
    sparing.collect_when_due(range(1_000, 3_000), 5.0)
    assert dropped() is not None, "half of the connections were replaced"
    sparing.collect_when_due(range(2_000, 4_000), 10.0)
    assert dropped() is None


def test_few_ended_connections_start_no_full_collection(sparing: Sparing) -> None:
    dropped = _gone(sparing, range(CONNECTIONS_FEW))
    sparing.collect_when_due(range(1, CONNECTIONS_FEW), 5.0)
    sparing.collect_when_due(range(CONNECTIONS_FEW - 1, CONNECTIONS_FEW), 10.0)
    assert dropped() is not None
    sparing.collect_when_due((), 15.0)
    assert dropped() is None


def test_the_objects_of_a_start_are_never_looked_at_again(sparing: Sparing) -> None:
    ring = Ring()
    dropped = weakref.ref(ring)
    spare_start()
    del ring
    new = weakref.ref(Ring())
    gc.collect()
    assert dropped() is not None and new() is None


def test_only_many_new_objects_start_a_collection_by_themselves(sparing: Sparing) -> None:
    usual = gc.get_threshold()
    gc.collect()
    gc.enable()
    spare_waiting()
    try:
        dropped = weakref.ref(Ring())
        held: list[list[int]] = [[] for _ in range(NEW_OBJECTS_MAX // 2)]
        assert dropped() is not None
        held += [[] for _ in range(NEW_OBJECTS_MAX)]
        assert dropped() is None and len(held) > NEW_OBJECTS_MAX
    finally:
        gc.set_threshold(*usual)


def test_a_loop_collects_new_garbage_until_it_is_cancelled(
    sparing: Sparing, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(garbage, "EVERY_S", 0.01)

    async def drop() -> None:
        task = asyncio.create_task(garbage.collect_sparingly())
        dropped = weakref.ref(Ring())
        async with asyncio.timeout(30):
            while dropped() is not None:
                await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(drop())
    assert gc.get_freeze_count() > 0
