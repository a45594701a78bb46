"""Simulation of one room in one process: a queue of future steps, run one after the other."""

from __future__ import annotations

import heapq
import logging
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from math import inf
from typing import Any
from unittest.mock import patch

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from psycopg.errors import AdminShutdown, LockNotAvailable
from redis.exceptions import RedisError

from accounts.research import mark
from accounts.users import bots, pruning
from config import entropy
from config import redis as redis_door
from config.celery import app
from config.process import durable
from tables.chat import pruning as chat_pruning
from tables.gateway import snapshots
from tables.records import hand_months
from tables.seeds import marking
from tables.workers import bells, recovery
from tables.workers.database_gate import NotBelieved
from tables.workers.tasks import adopt_database, advance, settle_table
from tests.simulation import columns, options, ring_terms
from tests.simulation.clock import START_MS, VirtualClock
from tests.simulation.defects.bugs import Bug
from tests.simulation.disasters import Disasters
from tests.simulation.doors import DatabaseLost, Doors, RedisLost, Run, WorkerDied
from tests.simulation.ending import Ending
from tests.simulation.faults import BELL, Faults
from tests.simulation.laws.set_backs import elapsed_ms
from tests.simulation.laws.world_laws import LOOK_EVERY_SQL, Laws
from tests.simulation.line import Line
from tests.simulation.people.clients import Clients
from tests.simulation.people.cuts import Cuts
from tests.simulation.people.operators import MINUTE, Operators
from tests.simulation.people.ring_people import RingPeople
from tests.simulation.people.viewers import Viewers
from tests.simulation.postgres.database import Database
from tests.simulation.timers import Timers
from tournaments.events import bells as tournament_bells
from tournaments.running.tasks import tick

STEPS_MAX = 6_000
ENSURED_EVERY_MS = tournament_bells.ENSURE_EVERY_S * 1_000

_TASKS = {task.name: task for task in (advance, settle_table, tick, adopt_database)}

Event = tuple[int, int, str, Callable[[], object]]


class Violation(Exception):
    """Broken invariant of the room."""


class World:
    """State of one seed; `run` plays it to its end or raises Violation.

    `only` are the steps at which faults may strike, `bug` is a planted defect, `look_every` is the
    number of steps with PostgreSQL calls between two checks of the auditor.
    """

    def __init__(
        self,
        seed: int,
        *,
        only: frozenset[int] | None = None,
        bug: Bug | None = None,
        look_every: int = LOOK_EVERY_SQL,
    ) -> None:
        self.seed = seed
        self.bug = bug
        self.look_every = look_every
        self.redis = redis_door.room()
        self.aside = redis_door.room_at(_address())
        self.line = Line(_address())
        self.clock = VirtualClock(self.line)
        self.faults = Faults(seed, only)
        self.chance = random.Random(f"{seed} cards and lots")
        self.step_chance = self.chance
        self.doors = Doors(self.redis, self._sleep, self.say)
        self.clients = Clients(self)
        self.cuts = Cuts(self)
        self.operators = Operators(self)
        self.disasters = Disasters(self)
        self.database = Database(self)
        self.doors.resumed, self.doors.used = self.database.gate.reconnect, self.database.used
        self.laws = Laws(self)
        self.viewers = Viewers(self)
        self.timers = Timers(self)
        self.users: list[int] = []
        self.trace: list[str] = []
        self.steps = 0
        self.outages: list[tuple[int, int]] = []
        self.counts: Counter[str] = Counter()
        self.queue: list[Event] = []
        self._order = 0
        self._points: dict[str, int] = {}
        self.ending = Ending(self)

    @property
    def now_ms(self) -> int:
        """Time of the world in ms since the epoch."""
        return self.clock.now_ms

    @property
    def awake_ms(self) -> int:
        """Time without outages in ms: the time processes had for recovery."""
        return self.clock.now_ms - sum(gap for _, gap in self.outages)

    @property
    def elapsed_ms(self) -> int:
        """Time in ms that goes on where the clock is set back."""
        return elapsed_ms(self.clock.now_ms, self.outages)

    @property
    def played_ms(self) -> int:
        """Duration of this world so far, in ms."""
        return self.clock.now_ms - START_MS

    @property
    def is_calm(self) -> bool:
        """True when no more faults strike: everything must come to its end from here on."""
        return self.steps > self.faults.until_step

    def digest(self) -> str:
        """Digest of the trace."""
        return sha256("\n".join(self.trace).encode()).hexdigest()

    def say(self, what: str) -> None:
        """Append a line to the trace."""
        self.trace.append(f"{self.steps:>5} {self.now_ms - START_MS:>7} ms  {what}")

    def soon(self, in_ms: int, what: str, act: Callable[[], object]) -> None:
        """Schedule a step for later."""
        self._order += 1
        heapq.heappush(self.queue, (self.now_ms + in_ms, self._order, what, act))

    def fault(self, family: dict[str, str], rate: str, chance: random.Random) -> str | None:
        """Return the kind of fault that strikes at this step, or None."""
        kind = self.faults.strike(self.steps, family, rate, chance)
        if kind is not None:
            self.counts[kind] += 1
        return kind

    def run(self) -> None:
        """Play the seed: offer, faults, calm, end; raises Violation."""
        with self._installed():
            _empty_database()
            self.aside.flushall()
            # A process keeps both, which would make its first seed differ from later ones.
            self.aside.script_flush()
            marking.deals_by_seed()
            self.clock.tell()
            self._prepare()
            while self._step():
                if self.steps >= STEPS_MAX:
                    raise Violation(self.ending.stuck())
            self._check(self.viewers.at_the_end())
            self._check(self.laws.at_the_end())
            self.counts += self.ending.counted() + self.viewers.counts

    @contextmanager
    def _installed(self) -> Iterator[None]:
        with ExitStack() as stack:
            stack.callback(self.aside.close)
            stack.callback(self.line.close)
            logging.disable(logging.CRITICAL)
            stack.callback(logging.disable, logging.NOTSET)
            snapshots._stored.cache_clear()  # states of an equal world may be seen with a defect
            stack.enter_context(columns.written_once())
            # Whether hourly work is due depends on the worlds before; so that a seed plays the same
            # after any other, it was just done.
            for rate in (pruning.HOURLY, chat_pruning.HOURLY, hand_months.HOURLY):
                rate._remember("room", inf)
            # Nor is the mark of a research room read, which pages read again by their own clock.
            stack.enter_context(patch.object(mark, "READ_AGAIN_S", inf))
            mark.told.know(False)
            scripts = {} if self.bug is None else self.bug.scripts
            stack.enter_context(self.clock.installed(scripts))
            stack.enter_context(patch.object(entropy, "system", lambda: self.chance))
            fresh = partial(self.chance.randbytes, 32)
            stack.enter_context(patch.object(entropy, "secret", fresh))
            stack.enter_context(patch.object(recovery, "run_id", lambda *_: self.clock.run_id))
            lacks = patch.object(durable, "lacking_in_redis", lambda *_: self.disasters.lacks)
            stack.enter_context(lacks)
            stack.enter_context(patch.object(app, "send_task", self._post))
            stack.enter_context(patch.object(bells, "broker", lambda: self))
            stack.enter_context(options.small_batches(self.seed))
            if self.bug is not None:
                stack.enter_context(self.bug.planted())
            stack.enter_context(self.doors.installed())
            stack.enter_context(self.database.installed(table_names()))
            stack.enter_context(self.laws.record.installed())
            stack.enter_context(self.viewers.installed())
            yield

    def _prepare(self) -> None:
        chance = random.Random(f"{self.seed} offer")
        self.users = [user.pk for user in bots.create(options.PLAYERS_MAX)]
        recovery.adopt(self.redis, 0)

        def later(in_ms: int) -> datetime:
            return datetime.fromtimestamp((self.now_ms + in_ms) / 1_000, UTC)

        hands = random.Random(f"{self.seed} rules of the hand")
        wanted = options.draw(chance, hands, later)
        ring = ring_terms.of_ring_seed(self.seed)
        self.tournament = self.operators.offer(wanted, chance)
        self.say(f"offered {wanted.players} players {wanted.fields}")
        self.operators.plan(self.tournament, wanted, chance)
        if ring is not None:
            self.say(f"ring game for {ring.players} players {ring}")
            RingPeople(self.operators, ring).open(random.Random(f"{self.seed} ring players"))
        self.soon(ENSURED_EVERY_MS, MINUTE, self._minute)

    # ---- one step ----

    def _step(self) -> bool:
        """Run the next step and check the laws; return False at the end."""
        self.steps += 1
        self.step_chance = self.faults.at(self.steps)
        self.disasters.strike(self.step_chance)
        found = self._next()
        if found is None:
            return False
        at_ms, what, act = found
        self.clock.go_to(max(self.now_ms, at_ms))
        self._do(what, act)
        return True

    def _next(self) -> tuple[int, str, Callable[[], object]] | None:
        """Return the due timer or the first step of the queue; None at the end."""
        timer = self.timers.next()
        if self.queue and self.queue[0][0] <= self.timers.sweep_ms(timer):
            at_ms, _, what, act = heapq.heappop(self.queue)
            return at_ms, what, act
        if self.ending.is_over():
            return None
        return self.timers.sweep_ms(timer), f"timer {timer}", lambda: self.timers.sweep(timer)

    def _do(self, what: str, act: Callable[[], object]) -> None:
        """Run one task as a process of its own, then check the laws."""
        kind = what.split()[0]
        plan = self.faults.plan(self.steps, self.step_chance, self._points.get(kind, 8))
        run = Run(what, plan)
        self.say(what)
        try:
            with self.doors.task(run), self.database.gate.process(what):
                act()
        except WorkerDied:
            self.database.gate.died(what)
            connections[DEFAULT_DB_ALIAS].run_on_commit = []
        except (OperationalError, RedisError) as failure:
            self._forgive(what, failure)
        except Violation:
            raise  # violation found while this task was frozen
        except Exception as failure:
            raise Violation(f"{what} failed: {failure!r}") from failure
        if run.struck and plan is not None:
            self.counts[plan.kind] += 1
        else:
            self._points[kind] = max(1, run.points)
        for swallowed in self.doors.swallowed:
            if isinstance(swallowed, Violation):
                raise swallowed
            self._forgive(f"{what}, after its commit,", swallowed)
        self.doors.swallowed.clear()
        if run.sql:
            self.ending.forget()
        self._observe(run.sql)

    def _forgive(self, what: str, failure: BaseException) -> None:
        """Ignore errors of broken connections and of locks that a frozen process holds."""
        waits = isinstance(failure.__cause__, LockNotAvailable | NotBelieved | AdminShutdown)
        if not waits and not isinstance(failure, RedisLost | DatabaseLost):
            raise Violation(f"{what} failed: {failure!r}") from failure
        self.say(f"{what} failed: {type(failure).__name__}")

    def _observe(self, touched_sql: bool) -> None:
        self._check(self.database.look())
        self._check(self.disasters.look())
        self._check(self.laws.look(touched_sql))
        for table in self.laws.changed:
            look = self.laws.tables[table].before
            if look is not None:
                state = look.state
                self.say(
                    f"  table {table}: {look.epoch}.{look.version} hand {state.hand_number}"
                    f" {state.phase} {[seat.chips for seat in state.seats]}"
                )
                self.laws.log.saw(state)
                self.clients.see(state, self.step_chance)
                self.cuts.see(state, self.step_chance)
        self._check(self.viewers.look(self.laws.changed))

    def _check(self, found: Iterator[str]) -> None:
        for violation in found:
            raise Violation(violation)

    def _sleep(self, events: int) -> None:
        """Run other steps while a process is frozen."""
        kept = self.step_chance
        self.ending.forget()
        for _ in range(events):
            if self.steps >= STEPS_MAX or not self._step():
                break
        self.step_chance = kept

    # ---- Celery: bells are entries of the queue ----

    def _post(
        self, name: str, args: Sequence[str] = (), *, queue: str, expires: float, **_: Any
    ) -> None:
        """Post a bell: it arrives in the queue unless a fault loses or doubles it."""
        chance = self.faults.at(self.steps * 1_000 + self._order)
        kind = self.fault(BELL, "bell", chance)
        self.counts["bells"] += 1
        what = " ".join([name, *args])
        if kind == "bell lost":
            self.say(f"bell lost: {what}")
            return
        delay_ms = chance.randint(1, 5)
        if kind == "bell late":
            delay_ms = chance.randint(200, 14_000)
        if delay_ms >= expires * 1_000:
            return
        self.soon(delay_ms, what, lambda: _TASKS[name](*args))
        if kind == "bell doubled":
            again_ms = chance.choice((0, 3, 900))
            self.soon(again_ms, what, lambda: _TASKS[name](*args))

    def llen(self, queue: str) -> int:
        """Return the number of waiting bells as the broker does; always low here."""
        return 0

    def _minute(self) -> None:
        """Expire Redis keys by the world's clock instead of Redis' own."""
        for shard in range(settings.SHARDS):
            self.aside.delete(tournament_bells.ensured_key(shard))
        self.soon(ENSURED_EVERY_MS, MINUTE, self._minute)


def _address() -> str:
    assert settings.SHARDS == 1, "a world has exactly one shard"
    return str(settings.ROOM_REDIS_URL)


def _empty_database() -> None:
    """Empty all rows and restart all sequences, so that every seed begins alike.

    A table whose file is empty held no row since it was truncated, which a new file need not say.
    """
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(_WRITTEN, [table_names()])
        written = ", ".join(name for (name,) in cursor.fetchall())
        if written:
            cursor.execute(f"TRUNCATE {written} CASCADE")
        cursor.execute(_RESTART, [table_names()])


_WRITTEN = """
SELECT oid::regclass::text FROM pg_class
 WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0
   AND coalesce(pg_partition_root(oid), oid)::regclass::text = ANY(%s)
"""
_RESTART = """
SELECT setval(seqrelid::regclass, seqstart, false)
  FROM pg_sequence JOIN pg_depend ON objid = seqrelid AND classid = 'pg_class'::regclass
   AND refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i')
 WHERE refobjid::regclass::text = ANY(%s) AND pg_sequence_last_value(seqrelid) IS NOT NULL
"""
_KEPT = ("django_", "auth_permission")
_found: list[str] = []


def table_names() -> list[str]:
    """Return the tables of the room's own rows, which each seed begins without."""
    if not _found:
        names = connections[DEFAULT_DB_ALIAS].introspection.django_table_names(only_existing=True)
        _found.extend(sorted(name for name in names if not name.startswith(_KEPT)))
    return _found
