"""Cost of fair dealing on the whole path through workers: decisions with and without it, in turns.

python -m tests.bench.fair_room [--rounds N]. As in `throughput`, bots without sockets stand for web
processes and clients; workers, the log's keeper among them, take the messages of the broker. Each
turn is a room of its own, because a room that deals from seeds seals nothing.
"""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser
from random import Random
from statistics import median

import msgspec

from tests.bench import rooms
from tests.bench.fair_path import MOST_DEARER, STACK
from tests.bench.report import note
from tests.bench.throughput import NAMES, Measured, measure_decisions

SEED = 7
WAYS = ("fair", "unsealed")


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


def main(seconds: float, tables: int, rounds: int) -> None:
    """Measure both ways in a drawn order; print and note them, and say whether the goal is met."""
    found: dict[str, list[Turn]] = {way: [] for way in WAYS}
    chance = Random(3)
    for _ in range(rounds):
        for way in chance.sample(WAYS, len(WAYS)):
            found[way].append(_asked(way, seconds, tables))
    numbers: dict[str, float] = {}
    for way, turns in found.items():
        whole = sum(turn.decisions for turn in turns)
        for name in NAMES:
            cpu_s = sum(turn.cpu_s.get(name, 0) for turn in turns)
            numbers[f"room.{way}_us.{name}"] = round(cpu_s * 1e6 / whole, 1)
        hands = sum(turn.hands for turn in turns)
        numbers[f"room.{way}_decisions_per_hand"] = round(whole / hands, 2)
        logged = sum(turn.logged for turn in turns)
        cuts = sum(turn.cuts for turn in turns)
        numbers[f"room.{way}_cuts_per_hand"] = round(cuts / logged, 2) if logged else 0
        numbers[f"room.{way}_decision_us"] = round(
            1_000 * median(turn.decision_ms for turn in turns), 1
        )
    pairs = zip(found["fair"], found["unsealed"], strict=True)
    dearer = [fair.decision_ms / unsealed.decision_ms - 1 for fair, unsealed in pairs]
    numbers["room.fair_beside_unsealed_percent"] = round(100 * median(dearer), 1)
    note(numbers)
    print(f"  rounds: {', '.join(f'{share:+.1%}' for share in dearer)}")
    is_met = median(dearer) <= MOST_DEARER
    print(f"  goal of at most {MOST_DEARER:.0%} dearer: {'met' if is_met else 'missed'}")


def _asked(way: str, seconds: float, tables: int) -> Turn:
    """Return what a room of its own played in this way."""
    given = ("--way", way, "--seconds", str(seconds), "--tables", str(tables))
    command = [sys.executable, "-m", "tests.bench.fair_room", *given]
    said = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return msgspec.json.decode(said.splitlines()[-1], type=Turn)


def play(way: str, seconds: float, tables: int) -> Turn:
    """Play in a new room, and return what it took."""
    with rooms.opened() as (supervisor, layout):
        from django.db.models import Sum

        from tables.fairlog.models import LogDay
        from tables.models import SealedDeck
        from tables.seeds import marking

        if way == "unsealed":
            marking.mark_room()
        rooms.start_workers(supervisor, layout)
        started = rooms.seated(tables, 9, stack=STACK, seed=SEED if way == "unsealed" else None)
        rooms.await_open(started)
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
    parser.add_argument("--seconds", type=float, default=8.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--way", choices=WAYS, help="play one room in this way")
    asked = parser.parse_args()
    if asked.way:
        print(msgspec.json.encode(play(asked.way, asked.seconds, asked.tables)).decode())
    else:
        main(asked.seconds, asked.tables, asked.rounds)
