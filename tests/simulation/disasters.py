"""Faults of the whole room at once: loss of Redis, clock jumps, an outage, a raised fence."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from tables.gateway.streams.recent import Position, position
from tables.models import ShardGeneration, Table
from tables.store import keys
from tables.workers import recovery
from tests.simulation.clock import KEY, RUN
from tests.simulation.faults import DAMAGE, POWER, ROOM

if TYPE_CHECKING:
    from tests.simulation.world import World

COPY_EVERY, TAIL_EVERY = 25, 4
OURS = {KEY.encode(), RUN.encode()}
OUTAGE_MS = (500, 40_000)
BACK_MS = (50, 5_000)
ALL_LEAVE = 0.3
"""Probability that all who were told more than Redis holds have left when it comes back."""


class Copy(NamedTuple):
    """Copy of all of Redis at one time."""

    step: int
    values: dict[bytes, bytes]
    adopted_at: datetime | None
    heads: dict[str, Position]


class Disasters:
    """Disasters between two steps; keeps older copies of Redis to restore.

    `lacks` is what its server says of itself: why it may hold less than it answered. `kept` is the
    generation that must go on, because Redis came back with all that it answered.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.lacks = ""
        self.kept: bytes | None = None
        self._copies: deque[Copy] = deque(maxlen=2)
        self._tails: deque[Copy] = deque(maxlen=2)

    @property
    def is_adopted(self) -> bool:
        """Return whether the run of Redis that answers is adopted."""
        [run] = self.world.line.ask(("GET", keys.run(0)))
        return bool(run == self.world.clock.run_id.encode())

    def strike(self, chance: random.Random) -> None:
        """Apply the disaster that the plan draws for this step, if any."""
        world = self.world
        world.database.strike()
        if "redis set back" in world.faults.kinds and world.steps % COPY_EVERY == 1:
            self._copies.append(self._copy())
        if world.faults.cuts_power and world.steps % TAIL_EVERY == 1:
            self._tails.append(self._copy())
        damage = world.faults.damage(world.steps)
        if damage is not None:
            self._damage(damage)
        power = world.faults.power(world.steps)
        if power is not None:
            self._lose_power(power)
        kind = world.fault(ROOM, "room", chance)
        if kind is None:
            return
        world.say(f"*** {kind}")
        match kind:
            case "redis wiped":
                self._come_back(None, lacks=chance.choice(("", "it says so")))
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
        names = sorted(set(line.ask(("KEYS", "*"))[0]) - OURS)
        values = line.ask(*(("DUMP", name) for name in names))
        streams = [keys.table(table) for table in self.world.laws.tables]
        last = line.ask(
            *(("XREVRANGE", keys.events(one, 1), "+", "-", "COUNT", 1) for one in streams)
        )
        heads = {
            one: position(found[0][0]) for one, found in zip(streams, last, strict=True) if found
        }
        held = dict(zip(names, values, strict=True))
        return Copy(self.world.steps, held, self._adopted_at(), heads)

    def _set_back(self, chance: random.Random) -> None:
        """Restore an old copy of Redis that nobody need remember.

        A server without the guarantee is never believed. One with it is not either when its file
        was put back: PostgreSQL knows a newer generation.
        """
        copy, victim = self._copies[0], chance.randrange(4)
        if victim < 2:
            self.world.timers.restart(victim)
        is_older = self._adopted_at() != copy.adopted_at
        lacks = chance.choice(("", "it says so")) if is_older else "it says so"
        self._come_back(copy, lacks=lacks)

    def _lose_power(self, chance: random.Random) -> None:
        """Restart a server with the guarantee: with all it answered, or with a file cut at the end.

        Its file is cut only by so much that the web process told more: somebody outlived the loss.
        """
        victims = chance.randrange(4)
        for timer in range(2):
            if victims in (timer, 2):
                self.world.timers.restart(timer)
        tail = self._tails[0] if self._tails else None
        if tail is not None and chance.random() < 0.5 and self._was_told_more(tail):
            self._note(POWER[1])
            self._come_back(tail, lacks="")
            if chance.random() < ALL_LEAVE:
                self.world.viewers.leave()
        else:
            self._note(POWER[0])
            # What the run before lost is lost in this one, too, however whole its own file is.
            generation, run = self._adopted()
            is_believed = run == self.world.clock.run_id.encode() and not self.world.laws.in_doubt
            if is_believed and not self._is_lost(generation):
                self.kept, self.lacks = generation, ""
            self._start_anew()
            self.world.viewers.edge.lose_redis()

    def _is_lost(self, generation: bytes | None) -> bool:
        """Return whether a PostgreSQL that was set back lost the adoption of this generation."""
        if not self.world.database.was_set_back:
            return False
        with self.world.doors.aside():
            known = ShardGeneration.objects.values_list("generation", flat=True).first()
        return known is None or known.encode() != generation

    def _note(self, kind: str) -> None:
        self.world.say(f"*** {kind}")
        self.world.counts[kind] += 1

    def _was_told_more(self, tail: Copy) -> bool:
        """Return whether the web process told more of a table than Redis held at a copy."""
        if self._adopted_at() != tail.adopted_at:
            return False
        return any(
            at > tail.heads.get(stream, at) for stream, at in self.world.viewers.edge.told().items()
        )

    def _adopted_at(self) -> datetime | None:
        """Return the time of the last adoption, which tells it from all others."""
        with self.world.doors.aside():
            return ShardGeneration.objects.values_list("adopted_at", flat=True).first()

    def _come_back(self, copy: Copy | None, *, lacks: str) -> None:
        """Let another run of Redis answer, older or empty: every hand in play must be void."""
        self.lacks, self.kept = lacks, None
        values = {} if copy is None else copy.values
        if copy is not None:
            self.world.database.redis_remembers(copy.step)
        restored = (("RESTORE", name, 0, value) for name, value in values.items())
        self.world.line.ask(("FLUSHALL",), *restored)
        self._start_anew()
        self.world.laws.doubt()

    def _start_anew(self) -> None:
        self.world.clock.run += 1
        self.world.clock.tell()

    def look(self) -> Iterator[str]:
        """Yield a violation when a Redis that came back whole was adopted as one that lost data."""
        if self.kept is None:
            return
        generation, run = self._adopted()
        if run == self.world.clock.run_id.encode():
            if generation != self.kept:
                yield "hands are void although Redis came back with all that it answered"
            self.kept = None

    def _adopted(self) -> list[bytes | None]:
        """Return the generation that Redis holds, and the run of it that was adopted last."""
        return self.world.line.ask(("GET", keys.generation(0)), ("GET", keys.run(0)))

    def _raise_a_fence(self, chance: random.Random) -> None:
        if not self.world.database.is_adopted:
            return
        with self.world.doors.aside():
            rows = Table.objects.filter(status=Table.Status.OPEN).order_by("pk")
            tables = list(rows.values_list("pk", "epoch"))
            if tables:
                table, epoch = chance.choice(tables)
                recovery.rebuild(self.world.redis, table, seen_epoch=epoch)
