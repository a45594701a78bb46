"""Gate before PostgreSQL in each kind of process of a world, which remembers the run it uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import psycopg
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from psycopg.errors import AdminShutdown

from config.postgres import database_run
from config.postgres.database_run import DatabaseRun, DatabaseWitness
from config.postgres.engine import base
from tables.store import database_witnesses, keys
from tables.workers import database_gate
from tables.workers.database_gate import NotBelieved
from tables.workers.tasks import adopt_database, settle_table
from tests.simulation.doors import DatabaseLost
from tournaments.running.tasks import tick

if TYPE_CHECKING:
    from tests.simulation.world import World

OPERATOR = "postgresql"
"""First word of the steps of the operator who looks after PostgreSQL."""
SETTLE, PLAY, WEB = "settle", "play", "web"
_SETTLE_TASKS = {settle_table.name, tick.name, adopt_database.name}

Patch = tuple[Any, str, Any]
"""Module, a name in it, and what stands there in a world."""


class Gate:
    """The room's own gate, with one memory for all processes of a kind.

    `run` returns the run of the server that answers.
    """

    def __init__(self, world: World, run: Callable[[], DatabaseRun]) -> None:
        self.world = world
        self.is_closed = world.faults.strikes_database
        self._run = run
        self._memories = {kind: database_gate._Known() for kind in (SETTLE, PLAY, WEB)}

    def patches(self) -> Iterator[Patch]:
        """Yield what closes the gate in all processes."""
        clock = SimpleNamespace(monotonic=lambda: self.world.now_ms / 1_000)
        yield base, "_checks", [self._check]
        yield database_run, "read", lambda _: self._run()
        yield database_run, "read_confirmed", self._confirmed
        yield database_gate, "known", self._memories[WEB]
        yield database_gate, "time", clock
        yield database_gate, "room_at_once", lambda: self.world.redis

    @contextmanager
    def process(self, what: str) -> Iterator[None]:
        """Do a task with the memory and the connection of its kind of process."""
        if not self.is_closed:
            yield
            return
        before = database_gate.known
        database_gate.known = self._memories.get(_kind(what), database_gate._Known())
        self.reconnect()
        try:
            yield
        finally:
            database_gate.known = before

    def reconnect(self) -> None:
        """Let the process connect anew that runs now, unless it knows the run that answers."""
        task, own = self.world.doors.run, connections[DEFAULT_DB_ALIAS]
        if not self.is_closed or task is None or _kind(task.what) == PLAY:
            return
        known = database_gate.known.witness
        if (known is None or known.run != self._run().name) and not own.in_atomic_block:
            own.close()

    def died(self, what: str) -> None:
        """Forget what a process remembered that has died; a web process stands for many."""
        if self.is_closed and _kind(what) in (SETTLE, PLAY):
            self._memories[_kind(what)] = database_gate._Known()

    def require(self) -> None:
        """Raise what a web process gets that may not use this run."""
        own = self._memories[WEB]
        if not self.is_closed or (own.witness is not None and own.witness.run == self._run().name):
            return
        before, database_gate.known = database_gate.known, own
        try:
            database_gate._pass(None, adopts=False)
        except NotBelieved as refused:
            raise OperationalError(str(refused)) from refused
        finally:
            database_gate.known = before

    def witnesses(self) -> list[DatabaseWitness]:
        """Return the witnesses in Redis and in all processes."""
        [raw] = self.world.line.ask(("HGET", keys.database(0), "witness"))
        kept = None if raw is None else database_witnesses._decode(raw)
        known = (memory.witness for memory in self._memories.values())
        return [one for one in (kept, *known) if one is not None]

    def _check(self, made: Any) -> None:
        """Check a new connection as the kind of process does that runs now."""
        task = self.world.doors.run
        if task is None or _kind(task.what) not in self._memories:
            return
        try:
            database_gate._pass(made, adopts=_kind(task.what) == SETTLE)
        except NotBelieved:
            raise
        except psycopg.OperationalError as failure:
            # The server died while the process stood still at this question.
            if not (made.closed or isinstance(failure, AdminShutdown)):
                raise
            raise DatabaseLost("connect") from failure

    def _confirmed(self, cursor: Any) -> DatabaseRun:
        run = self._run()
        cursor.execute("SELECT pg_logical_emit_message(true, 'room', '')")
        return run


def _kind(what: str) -> str:
    """Return the kind of process that does a task; "" for the operator's own."""
    name, _, number = what.partition(" ")
    if name == OPERATOR:
        return ""
    if name in _SETTLE_TASKS or what == "timer 0":
        return SETTLE
    return PLAY if name == "tables.advance" or (number == "1" and name == "timer") else WEB
