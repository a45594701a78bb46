"""Faults of the whole room at once: loss of Redis, clock jumps, an outage, a raised fence."""

from __future__ import annotations

import random
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from tables.models import ShardGeneration, Table
from tables.store import keys
from tables.workers import recovery
from tests.simulation.clock import KEY
from tests.simulation.faults import DAMAGE, ROOM

if TYPE_CHECKING:
    from tests.simulation.world import World

COPY_EVERY = 25
OUTAGE_MS = (500, 40_000)
BACK_MS = (50, 5_000)


class Copy(NamedTuple):
    """Copy of all of Redis at one time."""

    values: dict[bytes, bytes]
    generation: str
    at_ms: int


class Disasters:
    """Disasters between two steps; keeps an old copy of Redis to restore."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._copies: deque[Copy] = deque(maxlen=2)

    def strike(self, chance: random.Random) -> None:
        """Apply the disaster that the plan draws for this step, if any."""
        world = self.world
        if "redis set back" in world.faults.kinds and world.steps % COPY_EVERY == 1:
            self._copies.append(self._copy())
        damage = world.faults.damage(world.steps)
        if damage is not None:
            self._damage(damage)
        kind = world.fault(ROOM, "room", chance)
        if kind is None:
            return
        world.say(f"*** {kind}")
        match kind:
            case "redis wiped":
                self._restore({})
            case "redis set back":
                self._set_back(chance)
            case "outage":
                gap_ms = chance.randint(*OUTAGE_MS)
                world.outages.append((world.now_ms, gap_ms))
                world.clock.go_to(world.now_ms + gap_ms)
            case "clock back":
                gap_ms = chance.randint(*BACK_MS)
                world.outages.append((world.now_ms, -gap_ms))
                world.clock.go_to(world.now_ms - gap_ms)
            case "database clock":
                world.clock.database_ahead_ms = chance.choice((0, -3_000, 3_000, 20_000))
            case "fence raised":
                self._raise_a_fence(chance)

    def _damage(self, chance: random.Random) -> None:
        """Leave a table with a state that nobody can read: cut off, or never written by a room."""
        table = self.world.laws.damage(chance)
        if table is None:
            return
        self.world.say(f"*** {DAMAGE} of table {table}")
        self.world.counts[DAMAGE] += 1
        key = keys.state(keys.table(table), 1)
        [raw] = self.world.line.ask(("HGET", key, "state"))
        self.world.line.ask(("HSET", key, "state", chance.choice((raw[:-40], b"", b"\xc1"))))

    def _copy(self) -> Copy:
        line = self.world.line
        names = sorted(line.ask(("KEYS", "*"))[0])
        values = line.ask(*(("DUMP", name) for name in names))
        [generation] = line.ask(("GET", keys.generation(0)))
        kept = dict(zip(names, values, strict=True))
        return Copy(kept, (generation or b"").decode(), self.world.now_ms)

    def _set_back(self, chance: random.Random) -> None:
        """Restore an old copy of Redis, no older than some live timer can remember.

        A machine that fails may take a worker with it, whose successor remembers nothing; the last
        worker that knows of another failure survives until it has reported it.
        """
        copy, victim = self._copies[0], chance.randrange(4)
        if victim < 2 and not self.world.laws.in_doubt:
            self.world.restart(victim)
        remembered = self.world.remembered()
        if any(last > copy.at_ms for last in remembered.values()) and (
            remembered.get(copy.generation, 0) > copy.at_ms or not self._is_adopted(copy)
        ):
            self._restore(copy.values)

    def _is_adopted(self, copy: Copy) -> bool:
        with self.world.doors.aside():
            return ShardGeneration.objects.filter(generation=copy.generation).exists()

    def _restore(self, copy: dict[bytes, bytes]) -> None:
        kept = {name: value for name, value in copy.items() if name != KEY.encode()}
        restored = (("RESTORE", name, 0, value) for name, value in kept.items())
        self.world.line.ask(("FLUSHALL",), *restored)
        self.world.clock.tell()
        self.world.laws.doubt()

    def _raise_a_fence(self, chance: random.Random) -> None:
        with self.world.doors.aside():
            rows = Table.objects.filter(status=Table.Status.OPEN).order_by("pk")
            tables = list(rows.values_list("pk", "epoch"))
            if tables:
                table, epoch = chance.choice(tables)
                recovery.rebuild(self.world.redis, table, seen_epoch=epoch)
