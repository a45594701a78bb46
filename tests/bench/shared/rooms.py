"""Room to measure: fresh servers and the workers of a cluster, without web and bots."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import process_time, sleep
from typing import Any

import django

from deploy.processes import layout as layouts
from deploy.processes.layout import Layout
from deploy.processes.supervisor import Supervisor

HOME = Path(".local/bench")

REGISTRATION_CPU_MS: list[float] = []
"""Time of one registration in its process, for each seated field."""


@contextmanager
def opened(home: Path = HOME) -> Iterator[tuple[Supervisor, Layout]]:
    """Start servers with an empty database and configure Django; workers are not started."""
    shutil.rmtree(home, ignore_errors=True)
    layout, _ = layouts.choose(home, None)
    os.environ.update(layout.environment(), LOG_LEVEL="WARNING")
    os.environ.setdefault("DATABASE_CONNECTION_AGE_S", "600")
    django.setup()
    from deploy.cluster.room import clear
    from deploy.preparation import room
    from deploy.processes import programs
    from tables.records.month_keys import own_keys, record_keys
    from tables.store import deck_keys

    clear(layout)
    layouts.remember(layout)
    supervisor = Supervisor(print)
    try:
        supervisor.start(programs.servers(layout))
        room.migrate(layout.owner_url())
        room.make_keys()
        deck_keys.held.load_files()
        record_keys.load_file()
        own_keys.load_file()
        yield supervisor, layout
    finally:
        supervisor.stop()
        (layout.home / "environment").unlink(missing_ok=True)


def start_workers(supervisor: Supervisor, layout: Layout) -> None:
    """Start the workers of a cluster, with the empty task registered."""
    from deploy.processes import programs

    workers = programs.workers(layout)
    supervisor.start(
        [replace(how, argv=(*how.argv, "-I", "tests.bench.shared.empty")) for how in workers]
    )


STACK = 100_000


NO_PAUSES: Mapping[str, Any] = {
    "hand_pause_ms": 0,
    "showdown_pause_ms": 0,
    "street_pause_ms": 0,
}


def seated(
    tables: int,
    seats: int,
    *,
    stack: int = STACK,
    seed: int | None = None,
    pauses: Mapping[str, Any] = NO_PAUSES,
) -> list[int]:
    """Create a running tournament with that many full tables and deep stacks; return their ids.

    Empty `pauses` (ms) are those that tournaments have by default. With a `seed`, which takes a
    room of research, hands are dealt from it and nothing is sealed.
    """
    from accounts.users import bots
    from tables.models import Table
    from tables.seeds import marking
    from tournaments.engine.structure import BlindStructure, Level
    from tournaments.entries import registration
    from tournaments.locks import DIRECTOR
    from tournaments.models import Structure
    from tournaments.models.structure import encoded
    from tournaments.models.tournament import Start
    from tournaments.running import operations
    from tournaments.schedule import making

    levels = BlindStructure((Level(small_blind=50, big_blind=100, lasts_ms=3_600_000),))
    row, _ = Structure.objects.get_or_create(
        name=f"bench {stack}", defaults={"items": encoded(levels), "starting_stack": stack}
    )
    count = tables * seats
    made = making.create_from_structure(
        row,
        name=f"bench {count}",
        start=Start.SIT_AND_GO,
        players_min=2,
        players_max=count + 1,
        seats_per_table=seats,
        buy_in=10_00,
        **pauses,
    )
    if seed is not None:
        marking.give_seed(DIRECTOR, made.pk, seed)
    operations.open(made.pk)
    began_s = process_time()
    for user in bots.create(count):
        registration.register(user, made)
    REGISTRATION_CPU_MS.append((process_time() - began_s) * 1_000 / count)
    operations.start(made.pk)
    return list(Table.objects.filter(game=made.pk).order_by("pk").values_list("pk", flat=True))


def await_open(tables: Sequence[int]) -> None:
    """Wait until the ticks of running workers opened all tables of a start."""
    from config.redis import room
    from tables.store import fenced

    while any(fenced.peek_open(room(), table) is None for table in tables):
        sleep(0.05)


def end_tournaments() -> None:
    """Cancel running tournaments and wait until their tables are closed."""
    from tables.models import Table
    from tournaments.models import Tournament
    from tournaments.models.tournament import State
    from tournaments.running import operations

    for tournament in Tournament.objects.filter(state=State.RUNNING):
        operations.cancel(tournament.pk, reason="measured")
    while Table.objects.filter(status=Table.Status.OPEN).exists():
        sleep(0.2)
    sleep(1.0)


def shares(items: Sequence[int], parts: int) -> list[Sequence[int]]:
    """Split the items into that many shares."""
    return [items[number::parts] for number in range(parts)]
