"""Cost of fair dealing on the whole path through workers: two rooms play at once, with and without.

python -m tests.bench.fair_room [--rounds N]. As in `throughput`, bots without sockets stand for web
processes and clients; workers, the log's keeper among them, take the messages of the broker. Each
way is a room of its own, because a room that deals from seeds seals nothing. Both play at the same
time on one processor, which changes every round, and their bots on the others: so both meet the
same load in every moment. Hands have the pauses of a tournament, in which browsers cut.
"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from math import sqrt
from statistics import mean, median, stdev

import msgspec

from tests.bench.fair_path import MOST_DEARER, STACK
from tests.bench.shared import rooms
from tests.bench.shared.report import note
from tests.bench.throughput import NAMES, Measured, measure_decisions

SEED = 7
WAYS = ("fair", "unsealed")
READY = b"ready\n"
"""Line of a room whose tables are open, and of the one who lets both play."""


class Turn(msgspec.Struct):
    """Result of one room: decisions, hands, sealed and logged ones, cuts in time, processor s."""

    decisions: float
    hands: int
    sealed: int
    logged: int
    cuts: int
    cpu_s: dict[str, float]

    @property
    def decision_ms(self) -> float:
        """Return processor milliseconds of the room's own processes for one decision."""
        return sum(self.cpu_s.values()) * 1_000 / self.decisions


class PlayingRoom:
    """Room of one way in a process of its own: it waits with open tables until it may play."""

    def __init__(self, way: str, core: int, seconds: float, tables: int) -> None:
        asked = {"way": way, "core": core, "seconds": seconds, "tables": tables}
        given = [f"--{name}={value}" for name, value in asked.items()]
        command = [sys.executable, "-m", "tests.bench.fair_room", *given]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe)

    def await_open(self) -> None:
        """Wait until all tables are open."""
        assert self._process.stdout is not None
        while (line := self._process.stdout.readline()) != READY:
            if not line:
                raise subprocess.CalledProcessError(self._process.wait(), self._process.args)

    def result(self) -> Turn:
        """Return what the room played."""
        said, _ = self._process.communicate()
        return msgspec.json.decode(said.splitlines()[-1], type=Turn)

    def let_play(self) -> None:
        """Let the bots play."""
        assert self._process.stdin is not None
        self._process.stdin.write(READY)
        self._process.stdin.flush()


def main(seconds: float, tables: int, rounds: int) -> None:
    """Measure both ways at the same time; print and note them, and say whether the goal is met."""
    cores = sorted(os.sched_getaffinity(0))
    found: dict[str, list[Turn]] = {way: [] for way in WAYS}
    for number in range(rounds):
        for way, turn in measured(cores[number % len(cores)], seconds, tables).items():
            found[way].append(turn)
    pairs = zip(found["fair"], found["unsealed"], strict=True)
    dearer = [fair.decision_ms / unsealed.decision_ms - 1 for fair, unsealed in pairs]
    numbers = {name: value for way in WAYS for name, value in _costs(way, found[way]).items()}
    numbers["room.fair_beside_unsealed_percent"] = round(100 * mean(dearer), 1)
    note(numbers)
    print(f"  rounds: {', '.join(f'{share:+.1%}' for share in dearer)}")
    if rounds > 1:
        print(f"  mean: {mean(dearer):+.1%}, standard error {stdev(dearer) / sqrt(rounds):.1%}")
    is_met = mean(dearer) <= MOST_DEARER
    print(f"  goal of at most {MOST_DEARER:.0%} dearer: {'met' if is_met else 'missed'}")


def measured(core: int, seconds: float, tables: int) -> dict[str, Turn]:
    """Return what the rooms of both ways played at the same time, both on this processor."""
    playing = {way: PlayingRoom(way, core, seconds, tables) for way in WAYS}
    for room in playing.values():
        room.await_open()
    for room in playing.values():
        room.let_play()
    return {way: room.result() for way, room in playing.items()}


def _costs(way: str, turns: Sequence[Turn]) -> dict[str, float]:
    """Return the numbers of one way over all rounds, by name."""
    decisions, hands = sum(turn.decisions for turn in turns), sum(turn.hands for turn in turns)
    logged, cuts = sum(turn.logged for turn in turns), sum(turn.cuts for turn in turns)
    costs = {name: sum(turn.cpu_s.get(name, 0) for turn in turns) for name in NAMES}
    return {
        **{f"room.{way}_us.{name}": round(s * 1e6 / decisions, 1) for name, s in costs.items()},
        f"room.{way}_decisions_per_hand": round(decisions / hands, 2),
        f"room.{way}_cuts_per_hand": round(cuts / logged, 2) if logged else 0,
        f"room.{way}_decision_us": round(1_000 * median(turn.decision_ms for turn in turns), 1),
    }


def play(way: str, core: int, seconds: float, tables: int) -> Turn:
    """Play in a new room on this processor, with bots on the others, and return what it took."""
    others = os.sched_getaffinity(0) - {core} or {core}
    os.sched_setaffinity(0, {core})
    with rooms.opened(rooms.HOME.with_name(f"bench_{way}")) as (supervisor, layout):
        from django.db.models import Sum

        from tables.fairlog.models import LogDay
        from tables.models import SealedDeck
        from tables.seeds import marking

        if way == "unsealed":
            marking.mark_room()
        rooms.start_workers(supervisor, layout)
        seed = SEED if way == "unsealed" else None
        started = rooms.seated(tables, 9, stack=STACK, seed=seed, pauses={})
        rooms.await_open(started)
        sys.stdout.buffer.write(READY)
        sys.stdout.flush()
        sys.stdin.readline()
        os.sched_setaffinity(0, others)  # Inherited by the bots; the workers run already.
        measured = Measured()
        measure_decisions(supervisor, started, seconds, measured)
        rooms.end_tournaments()
        log = LogDay.objects.aggregate(played=Sum("played"), cuts=Sum("in_time"))
        own = {name: cpu_s for name, cpu_s in measured.cpu_s.items() if name in NAMES}
        return Turn(
            decisions=measured.done,
            hands=measured.hands,
            sealed=SealedDeck.objects.filter(fate=1).count(),
            logged=log["played"] or 0,
            cuts=log["cuts"] or 0,
            cpu_s=own,
        )


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=12.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=10, help="an even number")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--way", choices=WAYS, help="play one room in this way")
    parser.add_argument("--core", type=int, help="processor of that room")
    asked = parser.parse_args()
    if asked.way:
        turn = play(asked.way, asked.core, asked.seconds, asked.tables)
        print(msgspec.json.encode(turn).decode())
    else:
        main(asked.seconds, asked.tables, asked.rounds)
