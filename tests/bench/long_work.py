"""Waits of other tournaments while a large one starts and is cancelled.

`python -m tests.bench.long_work PLAYERS` starts a room with its workers and prints the longest
waits, in ms, of another tournament: of its settlements (with the next grant), of its ticks, and of
a registration; and the longest lock of the large one's row. PLAYERS `forward` shares what is unpaid
instead of refunding. PLAYERS `finish` ends a field that stands by its play time, with a prize for
each entry; it starts before the measure.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread
from time import monotonic, perf_counter, sleep
from typing import Any

from tests.bench.shared import rooms
from tests.bench.shared.report import note

CALM_S = 10.0
"""Time in which the other tournament plays alone, for comparison."""

STEPS_MAX_S = 180.0
BATCH = 1_000
PROBES = ("settlement", "tick", "registration", "row")


class Probe:
    """Longest wait of one kind since the last `take`, measured again and again in a thread."""

    def __init__(self, measure: Callable[[], float]) -> None:
        self._measure = measure
        self._longest = 0.0
        self._stopping = Event()
        self._thread = Thread(target=self._run, daemon=True)

    def take(self) -> float:
        """Return the longest wait in ms, and forget it."""
        longest, self._longest = self._longest, 0.0
        return longest

    def start(self) -> None:
        """Measure from now on."""
        self._thread.start()

    def stop(self) -> None:
        """End after the measurement in progress."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        from django.db import connections

        while not self._stopping.is_set():
            waited = self._measure()
            self._longest = max(self._longest, waited)
        connections.close_all()


def main(players: int, ending: str) -> None:
    """Start and end a tournament of so many players beside another one, and print the waits."""
    with rooms.opened() as (supervisor, layout):
        others = rooms.seated(2, 9)
        large = filled(players)
        if ending == "finish":
            _stand(large)
        rooms.start_workers(supervisor, layout)
        found: dict[str, float] = {}
        with probing(others, large) as probes:
            if ending == "finish":
                timed(lambda: None, partial(is_open, large))
            sleep(2.0)  # the workers answer what waited for them
            _ = [probe.take() for probe in probes.values()]
            sleep(CALM_S)
            found |= _waits("calm", probes)
            if ending != "finish":
                found["long_work.start_s"] = timed(
                    partial(fill_last_place, large), partial(is_started, large)
                )
                found |= _waits("start", probes)
            found[f"long_work.{ending}_s"] = timed(
                partial(ENDINGS[ending], large), partial(is_ended, large)
            )
            found |= _waits(ending, probes)
        note(found)


@contextmanager
def probing(others: list[int], large: int) -> Iterator[dict[str, Probe]]:
    """Measure in the block the waits of a tournament with these tables, and locks of the large."""
    from tables.models import Table

    game = Table.objects.get(pk=others[0]).game
    measures = (settlements(others), ticks(game), registrations(), locked_row(large))
    probes = dict(zip(PROBES, map(Probe, measures), strict=True))
    for probe in probes.values():
        probe.start()
    try:
        yield probes
    finally:
        for probe in probes.values():
            probe.stop()


def filled(players: int, **fields: Any) -> int:
    """Open a Sit & Go and register bots in bulk, all but the last place."""
    from accounts.ledger import transfers
    from accounts.users import bots
    from tournaments.models import Entry, Structure
    from tournaments.prizes import money
    from tournaments.running import operations
    from tournaments.schedule import making

    made = making.create_from_structure(
        Structure.objects.get(name=f"bench {rooms.STACK}"),
        name="large",
        start="sit_and_go",
        players_max=players + 1,
        buy_in=10_00,
        fee=1_00,
        **({"seats_per_table": 9, "action_ms": 60_000} | fields),
    )
    operations.open(made.pk)
    users = bots.create(players)
    entries = Entry.objects.bulk_create(
        Entry(
            tournament=made, user=user, name=user.name, number=number, paid_buy_in=made.buy_in,
            paid_fee=made.fee, chips_bought=made.starting_stack,
        )
        for number, user in enumerate(users, start=1)
    )  # fmt: skip
    till = money.till(made)
    for first in range(0, players, BATCH):
        few = entries[first : first + BATCH]
        payers = money.accounts_of(entry.user_id for entry in few)
        orders = [order for one in few for order in money.price(one, payers[one.user_id], till)]
        transfers.transfer_all(orders)
    made.entrants = made.entries_made = players
    made.save(update_fields=["entrants", "entries_made"])
    return made.pk


def settlements(tables: list[int]) -> Callable[[], float]:
    """Return the measure of a settlement: from a finished hand to its settlement and next grant."""
    from random import Random

    from config.redis import room
    from tables.store import fenced, keys
    from tables.workers.bells import ring

    redis, chance, turn = room(), Random(1), 0

    def measure() -> float:
        nonlocal turn
        sleep(0.02)
        for table in tables:
            turn += 1
            state: Any = fenced.peek_open(redis, table)
            if state.phase not in ("finished", "boundary"):
                _act(redis, table, state, chance, turn)
                continue
            began, hand = perf_counter(), state.hand_number
            ring(keys.table(table), "settle")
            while state.phase != "hand" or state.hand_number == hand:
                sleep(0.002)
                state = fenced.peek_open(redis, table)
            return (perf_counter() - began) * 1_000
        return 0.0

    return measure


def _act(redis: Any, table: int, state: Any, chance: Any, turn: int) -> None:
    """Send the action of the turn to the table and let a worker take it."""
    import msgspec

    from tables.engine.betting import legal_actions
    from tables.store import inbox, keys
    from tables.wire.client_commands import Act
    from tables.workers.bells import ring
    from tests.bench.shared.players import choose

    if state.phase != "hand" or state.turn is None or state.hand is None:
        return
    action, amount = choose(chance, legal_actions(state.hand, state.turn.seat))
    act = Act(
        f"p{turn}", table, state.epoch, state.hand_number, state.turn.turn,
        action, amount,  # type: ignore[arg-type]
    )  # fmt: skip
    inbox.append(redis, table, state.at(state.turn.seat).user, msgspec.json.encode(act))
    ring(keys.table(table), "play")


def ticks(game: int) -> Callable[[], float]:
    """Return the measure of a tick: how much later than its interval the heartbeat is renewed."""
    from config import limits
    from tournaments.models import Tournament

    heartbeat = Tournament.objects.filter(pk=game).values_list("heartbeat_ms", flat=True)

    def measure() -> float:
        began, first = perf_counter(), heartbeat.get()
        while heartbeat.get() == first:
            sleep(0.02)
        return (perf_counter() - began) * 1_000 - limits.TOURNAMENT_TICK_MS

    return measure


def registrations() -> Callable[[], float]:
    """Return the measure of a registration with a fee: its time until the commit."""
    from accounts.users import bots
    from tournaments.entries import registration
    from tournaments.models import Structure
    from tournaments.running import operations
    from tournaments.schedule import making

    made = making.create_from_structure(
        Structure.objects.get(name=f"bench {rooms.STACK}"),
        name="third",
        start="sit_and_go",
        players_max=9,
        fee=1_00,
    )
    operations.open(made.pk)
    [user] = bots.create(1)

    def measure() -> float:
        began = perf_counter()
        registration.register(user, made)
        took_ms = (perf_counter() - began) * 1_000
        registration.unregister(user, made)
        sleep(0.1)
        return took_ms

    return measure


def locked_row(large: int) -> Callable[[], float]:
    """Return the measure of a lock: for how long transactions hold the row of this tournament."""
    from django.db import connection

    free = "SELECT 1 FROM tournaments_tournament WHERE id = %s FOR NO KEY UPDATE SKIP LOCKED"

    def measure() -> float:
        sleep(0.01)
        began = perf_counter()
        with connection.cursor() as cursor:
            cursor.execute(free, [large])
            while cursor.fetchone() is None:
                sleep(0.002)
                cursor.execute(free, [large])
        return (perf_counter() - began) * 1_000

    return measure


def timed(begin: Callable[[], object], is_done: Callable[[], bool]) -> float:
    """Return the seconds from the call until it is done and the room is calm again."""
    began = monotonic()
    begin()
    while not is_done():
        assert monotonic() - began < STEPS_MAX_S, "the step never ends"
        sleep(0.1)
    took = monotonic() - began
    sleep(2.0)
    return round(took, 1)


def is_started(large: int) -> bool:
    """Return whether every table of the tournament has its first hand."""
    from tables.models import Table
    from tournaments.models import Tournament

    rows = Table.objects.filter(director="tournament", game=large)
    is_running = Tournament.objects.filter(pk=large, state="running").exists()
    return is_running and not rows.filter(granted_hand=0).exists()


def is_open(large: int) -> bool:
    """Return whether every table of the start is open."""
    from tournaments.models import Tournament

    return Tournament.objects.filter(pk=large, opening=0).exists()


def is_ended(large: int) -> bool:
    """Return whether every entry is paid and every table is closed."""
    from tournaments.models import Tournament
    from tournaments.models.tournament import is_over

    return Tournament.objects.filter(is_over(), pk=large).exists()


def fill_last_place(large: int) -> None:
    """Make the tournament full, and wake it: its next tick starts it."""
    from django.db.models import F

    from tournaments.events import bells
    from tournaments.models import Tournament

    Tournament.objects.filter(pk=large).update(players_max=F("entrants"))
    bells.wake(large)


def _stand(large: int) -> None:
    """Start the tournament in this process and pause it, so that every table stands."""
    from tournaments.running import operations

    operations.start(large)
    operations.pause(large, reason="measured")


def _end(large: int, how: str) -> None:
    # In a process of its own, as an operator's page does.
    subprocess.run([sys.executable, "-m", "tests.bench.long_work", how, str(large)], check=True)


def _finish(large: int) -> None:
    from tournaments.events import bells
    from tournaments.models import Tournament

    Tournament.objects.filter(pk=large).update(play_time_ms=1, time_up="proportional")
    bells.wake(large)


ENDINGS: dict[str, Callable[[int], None]] = {
    "cancel": partial(_end, how="cancel"),
    "forward": partial(_end, how="forward"),
    "finish": _finish,
}


def _waits(when: str, probes: dict[str, Probe]) -> dict[str, float]:
    return {f"long_work.{when}.{name}_ms": round(probes[name].take()) for name in PROBES}


if __name__ == "__main__":
    if sys.argv[1] in ENDINGS:
        import django

        django.setup()
        from tournaments.running import operations

        step = operations.cancel if sys.argv[1] == "cancel" else operations.cancel_forward
        step(int(sys.argv[2]), reason="measured")
        os._exit(0)  # without waiting for threads of the clients
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "cancel")
