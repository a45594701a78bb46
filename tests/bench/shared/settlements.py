"""Hands settled in this process in several ways in turns, each settlement measured."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from statistics import median
from time import perf_counter, process_time

Taken = defaultdict[str, list[tuple[float, float]]]
"""Processor and wall seconds of each measured block by its name."""


@contextmanager
def timed(taken: Taken, name: str) -> Iterator[None]:
    """Measure the block."""
    cpu, wall = process_time(), perf_counter()
    yield
    taken[name].append((process_time() - cpu, perf_counter() - wall))


def in_turns(
    tables: Sequence[int],
    hands: int,
    ways: Mapping[str, Callable[[], None]],
    before: Callable[[int, Taken], None] = lambda table, taken: None,
) -> Taken:
    """Settle so many hands, each in one of `ways` by lot, and return what they took.

    A way is called before its settlement and prepares the process for it; `before` is called with
    each finished table first.
    """
    import msgspec

    from config.redis import room
    from tables.engine.betting import legal_actions
    from tables.store import fenced, inbox
    from tables.wire.client_commands import Act
    from tables.workers import advance, settle
    from tests.bench.shared.players import choose

    redis, chance, turn, settled = room(), Random(1), 0, 0
    taken: Taken = defaultdict(list)
    while settled < hands:
        for table in tables:
            state = fenced.peek_open(redis, table)
            assert state is not None
            if state.phase == "finished":
                before(table, taken)
                way = chance.choice(list(ways))
                ways[way]()
                with timed(taken, way):
                    settle.settle(redis, table)
                settled += 1
                continue
            if state.phase == "boundary":
                settle.settle(redis, table)
                continue
            if state.phase == "hand" and state.turn is not None and state.hand is not None:
                turn += 1
                action, amount = choose(chance, legal_actions(state.hand, state.turn.seat))
                act = Act(
                    f"p{turn}", table, state.epoch, state.hand_number, state.turn.turn,
                    action, amount,  # type: ignore[arg-type]
                )  # fmt: skip
                user = state.at(state.turn.seat).user
                inbox.append(redis, table, user, msgspec.json.encode(act))
            advance.advance(redis, table)
    return taken


def shown(taken: Taken, area: str) -> dict[str, float]:
    """Print the medians of each block in microseconds, and return them for the report."""
    print(f"\n  {'settled hand with its next grant':<34} {'hands':>7} {'CPU us':>9} {'wall us':>9}")
    found: dict[str, float] = {}
    for name, times in taken.items():
        cpu, wall = (median(one[at] for one in times) * 1e6 for at in (0, 1))
        print(f"  {name:<34} {len(times):>7} {cpu:>9.0f} {wall:>9.0f}")
        found |= {f"{area}.{name}_cpu_us": round(cpu), f"{area}.{name}_wall_us": round(wall)}
    return found
