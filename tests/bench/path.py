"""Time of a decision by step, with every step in one process, one after the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter, process_time
from typing import Any

from tests.bench.shared import rooms
from tests.bench.shared.report import note


class Steps:
    """Processor and wall time of this process by name of a step."""

    def __init__(self) -> None:
        self.cpu_s: defaultdict[str, float] = defaultdict(float)
        self.wall_s: defaultdict[str, float] = defaultdict(float)
        self.count: defaultdict[str, int] = defaultdict(int)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Measure the block."""
        cpu, wall = process_time(), perf_counter()
        yield
        self.cpu_s[name] += process_time() - cpu
        self.wall_s[name] += perf_counter() - wall
        self.count[name] += 1

    def around(self, module: Any, function: str, name: str) -> None:
        """Measure every call of a module's function from now on."""
        real: Callable[..., Any] = getattr(module, function)

        def measured(*args: Any, **kwargs: Any) -> Any:
            with self.step(name):
                return real(*args, **kwargs)

        setattr(module, function, measured)

    def print(self) -> None:
        """Print one line per step."""
        print(f"\n  {'step':<34} {'times':>7} {'CPU us':>9} {'wall us':>9}")
        for name, count in self.count.items():
            cpu, wall = self.cpu_s[name] / count * 1e6, self.wall_s[name] / count * 1e6
            print(f"  {name:<34} {count:>7} {cpu:>9.0f} {wall:>9.0f}")


def main(hands: int) -> None:
    """Play so many hands at ten tables in this process and print the time of each step."""
    with rooms.opened():
        tables = rooms.seated(10, 9)
        steps = Steps()
        play(tables, steps, hands)
        steps.print()
        names = {"play": "path.decision_us", "settle": "path.settle_us"}
        note(
            {
                key: round(steps.cpu_s[name] / max(1, steps.count[name]) * 1e6)
                for name, key in names.items()
            }
        )


def play(tables: Sequence[int], steps: Steps, hands: int) -> None:
    """Serve every table in turn: a command and its advance, or the settlement queue."""
    from random import Random

    import msgspec

    from config.redis import room
    from tables.engine.betting import legal_actions
    from tables.store import fenced, inbox
    from tables.wire.client_commands import Act
    from tables.workers import advance, settle, settle_rows
    from tables.workers.bells import ring
    from tests.bench.shared.players import choose

    redis, chance = room(), Random(1)
    steps.around(fenced, "load_all", "  load")
    steps.around(fenced, "commit_all", "  commit")
    steps.around(fenced, "stream_entries", "    stream entries")
    steps.around(advance, "step", "  engine step")
    steps.around(settle, "settle_hand", "  settle_hand")
    steps.around(settle_rows, "counts", "    count its players")
    steps.around(settle, "_ask", "  ask the director")
    settled = turn = 0
    while settled < hands:
        for table in tables:
            state = fenced.peek(redis, table)
            assert state is not None
            if state.phase in ("finished", "boundary"):
                with steps.step("settle"):
                    settle.settle(redis, table)
                settled += 1
                continue
            if state.phase == "hand" and state.turn is not None and state.hand is not None:
                turn += 1
                option = legal_actions(state.hand, state.turn.seat)
                action, amount = choose(chance, option)
                act = Act(
                    f"p{turn}", table, state.epoch, state.hand_number, state.turn.turn,
                    action, amount,  # type: ignore[arg-type]
                )  # fmt: skip
                user = state.at(state.turn.seat).user
                with steps.step("append"):
                    inbox.append(redis, table, user, msgspec.json.encode(act))
            with steps.step("play" if state.phase == "hand" else "deal"):
                advance.advance(redis, table)
    for _ in range(300):
        with steps.step("send a bell"):
            ring("table:1", "play")


if __name__ == "__main__":
    main(200)
