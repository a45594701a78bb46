"""Time from a start to the first hands: `python -m tests.bench.starting PLAYERS`.

A room with its workers starts a field whose players never act, so that hands in play keep the
settle queue busy meanwhile. With `--alone` one process does what workers do instead, and the
processor time of each step is printed; with `--profile` that of each function as well.
"""

from __future__ import annotations

import cProfile
import pstats
from argparse import ArgumentParser
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

from deploy.measuring.processes import since, usages
from tests.bench.long_work import fill_last_place, filled, is_started, probing
from tests.bench.path import Steps
from tests.bench.shared import rooms
from tests.bench.shared.report import note
from tests.bench.throughput import NAMES

DRAWN, OPENED, GRANTED = "the tick that starts", "a tick that opens", "a first hand granted"
ROWS = 45
ENDS_S = 1_200.0
EVERY_S = 5.0


@dataclass(frozen=True)
class Field:
    """Size of the field, and the pause before each of its hands."""

    players: int
    seats: int
    pause_ms: int

    def fill(self) -> int:
        """Open the tournament with all but its last place taken; return its id."""
        fields = {"seats_per_table": self.seats, "hand_pause_ms": self.pause_ms}
        return filled(self.players, **fields, action_ms=500, bank_ms=0)


def main(field: Field) -> None:
    """Start the tournament beside another one, and print its time and what it cost Redis."""
    with rooms.opened() as (supervisor, layout):
        others = rooms.seated(2, 9)
        large = field.fill()
        rooms.start_workers(supervisor, layout)
        with probing(others, large) as probes:
            sleep(2.0)  # the workers answer what waited for them
            _ = [probe.take() for probe in probes.values()]
            leaders = {name: pid for name in NAMES if (pid := supervisor.pid(name)) is not None}
            before = usages(leaders)
            took_s, opened_s, calls, hands = started(large)
            cpu_s = sum(usage.cpu_s for usage in since(before, usages(leaders)).values())
            waits = {name: probe.take() for name, probe in probes.items()}
        commands, hgets = sum(calls.values()), calls.get("cmdstat_hget", 0)
        note(
            {
                "starting.opened_s": round(opened_s, 1),
                "starting.first_hands_s": round(took_s, 1),
                "starting.hands_meanwhile": hands,
                "starting.cpu_s": round(cpu_s, 1),
                "starting.commands_per_hand": round(commands / max(1, hands)),
                "starting.hgets_per_hand": round(hgets / max(1, hands)),
                **{f"starting.{name}_wait_ms": round(ms) for name, ms in waits.items()},
            }
        )


def started(large: int) -> tuple[float, float, dict[str, int], int]:
    """Start the tournament; return its seconds, those until all tables were open, Redis' commands
    by kind, and the hands settled meanwhile.
    """
    from config.redis import broker
    from tables.models import Hand, Table
    from tournaments.models import Tournament

    before, began = _calls(), monotonic()
    opened_s = told_s = 0.0
    fill_last_place(large)
    while not is_started(large):
        now_s = monotonic() - began
        assert now_s < ENDS_S, "the start never ends"
        opening, state = Tournament.objects.values_list("opening", "state").get(pk=large)
        if state == "running" and not opening:
            opened_s = opened_s or now_s
        if now_s >= told_s:
            told_s = now_s + EVERY_S
            waiting = Table.objects.filter(game=large, granted_hand=0, number__gt=opening).count()
            queue = broker().llen("settle")
            print(
                f"  {now_s:6.0f} s: {opening} to open, {waiting} wait for a hand, {queue} bells,"
                f" {Hand.objects.count()} hands"
            )
        sleep(0.2)
    took_s = monotonic() - began
    after = _calls()
    calls = {name: count - before.get(name, 0) for name, count in after.items()}
    return took_s, opened_s or took_s, calls, Hand.objects.count()


def _calls() -> dict[str, int]:
    from config.redis import room

    stats: dict[str, Any] = room().info("commandstats")
    return {name: int(stat["calls"]) for name, stat in stats.items()}


def alone(field: Field, *, profiled: bool) -> None:
    """Start the tournament in this process, in a crowded room, and print what each step takes."""
    with rooms.opened():
        rooms.seated(1, 2)  # connections, scripts and statements that are built once
        large = field.fill()
        steps, seen = Steps(), cProfile.Profile()
        if profiled:
            seen.enable()
        before = _calls()
        step_by_step(large, steps)
        calls = {name: count - before.get(name, 0) for name, count in _calls().items()}
        seen.disable()
        steps.print()
        note(
            {
                "starting.draw_cpu_s": round(steps.cpu_s[DRAWN], 2),
                "starting.open_cpu_s": round(steps.cpu_s[OPENED], 2),
                "starting.grant_cpu_s": round(steps.cpu_s[GRANTED], 2),
                "starting.ticks": steps.count[OPENED],
                "starting.hgets": calls.get("cmdstat_hget", 0),
            }
        )
        if profiled:
            for order, rows in (("tottime", ROWS), ("cumulative", 2 * ROWS)):
                pstats.Stats(seen).strip_dirs().sort_stats(order).print_stats(rows)


def step_by_step(large: int, steps: Steps) -> None:
    """Make the ticks of the start, and settle opened tables until they have their first hands.

    Bells that no worker answers stand in the settle queue, as in a busy room.
    """
    from config import limits
    from config.celery import SETTLE
    from config.redis import broker, room
    from tables.models import Table
    from tables.workers import settle
    from tournaments.models import Tournament
    from tournaments.running import tick

    broker().rpush(SETTLE, *["a bell"] * (limits.BELLS_WAITING_MAX + 1))
    fill_last_place(large)
    with steps.step(DRAWN):
        tick.tick(large)
    rows = Tournament.objects.filter(pk=large)
    while opening := rows.values_list("opening", flat=True).get():
        waiting = Table.objects.filter(game=large, number__gt=opening, granted_hand=0)
        for table in waiting.values_list("pk", flat=True):
            with steps.step(GRANTED):
                settle.settle(room(), table)
        with steps.step(OPENED):
            tick.tick(large)


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("players", type=int)
    parser.add_argument("--seats", type=int, default=9)
    parser.add_argument("--pause-ms", type=int, default=30_000)
    parser.add_argument("--alone", action="store_true")
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    chosen = Field(asked.players, asked.seats, asked.pause_ms)
    if asked.alone or asked.profile:
        alone(chosen, profiled=asked.profile)
    else:
        main(chosen)
