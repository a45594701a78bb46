"""Cost of statistics: each hand settled with or without its counting, in turns, in one process."""

from __future__ import annotations

from collections import defaultdict
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any

from tests.bench import rooms
from tests.bench.report import note


def main(hands: int) -> None:
    """Settle so many hands at ten tables of nine, and print the medians of both kinds."""
    with rooms.opened():
        taken = measured(rooms.seated(10, 9), hands)
    print(f"\n  {'settled hand with its next grant':<34} {'hands':>7} {'CPU us':>9} {'wall us':>9}")
    found: dict[str, float] = {}
    for kind, times in taken.items():
        cpu, wall = (median(one[at] for one in times) * 1e6 for at in (0, 1))
        print(f"  {kind:<34} {len(times):>7} {cpu:>9.0f} {wall:>9.0f}")
        found |= {f"counting.{kind}_cpu_us": round(cpu), f"counting.{kind}_wall_us": round(wall)}
    note(found)


def measured(tables: list[int], hands: int) -> dict[str, list[tuple[float, float]]]:
    """Return processor and wall seconds of each settlement, `with` and `without` counting."""
    import msgspec

    from config.redis import room
    from tables.engine.betting import legal_actions
    from tables.statistics.counting import COUNT
    from tables.store import fenced, inbox
    from tables.wire.client_commands import Act
    from tables.workers import advance, settle, settle_rows
    from tests.bench.players import choose

    whole, counts = settle_rows._WRITE, settle_rows.counts
    bare = whole.replace(f", c AS (\n{COUNT})", "")
    assert bare != whole
    redis, chance, turn = room(), Random(1), 0
    taken: dict[str, list[tuple[float, float]]] = defaultdict(list)
    while sum(map(len, taken.values())) < hands:
        for table in tables:
            state = fenced.peek(redis, table)
            assert state is not None
            if state.phase == "finished":
                kind = ("with", "without")[chance.random() < 0.5]
                settle_rows._WRITE = whole if kind == "with" else bare
                nothing: Any = lambda _hand: {}  # noqa: E731
                settle_rows.counts = counts if kind == "with" else nothing
                cpu, wall = process_time(), perf_counter()
                settle.settle(redis, table)
                taken[kind].append((process_time() - cpu, perf_counter() - wall))
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


if __name__ == "__main__":
    main(800)
