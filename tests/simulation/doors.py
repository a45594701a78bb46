"""Exits of the simulated process: each Redis call, SQL statement and COMMIT may fail."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha1
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections
from psycopg.errors import AdminShutdown
from redis import Redis
from redis.exceptions import ConnectionError as RedisConnectionError

from tables.store import lua
from tables.workers import advance
from tests.simulation import spares
from tests.simulation.faults import Plan

T = TypeVar("T")

_TARGET = re.compile(r'(INSERT INTO|UPDATE|DELETE FROM|FROM)\s+"?(\w+)', re.IGNORECASE)
_PASSED = ("SAVEPOINT", "RELEASE", "ROLLBACK")


class WorkerDied(BaseException):
    """End of the simulated process; nothing it does afterwards may have an effect."""


class RedisLost(RedisConnectionError):
    """Loss of the simulated connection to Redis."""


class DatabaseLost(OperationalError):
    """Loss of the simulated connection to PostgreSQL."""


@dataclass
class Run:
    """One task in one process: the number of its calls so far, and the fault planned for it."""

    what: str
    plan: Plan | None = None
    points: int = 0
    dead: bool = False
    struck: bool = False
    sql: bool = False


@dataclass
class Doors:
    """Observer of the running task's calls to Redis and PostgreSQL, which fails them as planned.

    `sleep` runs other tasks while a process is frozen; `say` writes into the trace.
    """

    redis: Redis
    sleep: Callable[[int], None]
    say: Callable[[str], None]
    run: Run | None = None
    swallowed: list[BaseException] = field(default_factory=list)
    statements: int = 0
    resumed: Callable[[], None] = lambda: None
    used: Callable[[], None] = lambda: None
    _main: Any = None
    _depth: int = 0

    @contextmanager
    def task(self, run: Run) -> Iterator[Run]:
        """Count calls within the context as calls of this run; calls of the simulation itself are
        not counted.
        """
        before, self.run = self.run, run
        try:
            yield run
        finally:
            self.run = before

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Suspend counting and faults while the context reads the room."""
        before, self.run = self.run, None
        try:
            yield
        finally:
            self.run = before

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Read committed rows on a separate connection, whatever transaction a task holds open."""
        own = connections[DEFAULT_DB_ALIAS]
        connections[DEFAULT_DB_ALIAS] = spares.KEPT.looking
        try:
            with self.aside():
                yield
        finally:
            connections[DEFAULT_DB_ALIAS] = own

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Route all Redis clients and database connections of this process through these exits."""
        self._main = main = connections[DEFAULT_DB_ALIAS]
        main.close()
        log = logging.getLogger("django.db.backends.base")
        with ExitStack() as stack:
            # All threads of a process share these settings; a violation ends the world, too.
            stack.enter_context(patch.dict(main.settings_dict, CONN_MAX_AGE=None))
            spares.KEPT.follow(main)
            stack.enter_context(_client(self.redis, self))
            for connection in (main, *spares.KEPT.working):
                stack.enter_context(_connection(connection, self))
            stack.enter_context(patch.object(log, "error", self._swallowed))
            stack.enter_context(patch.object(advance, "log", _Log(self)))
            yield

    def connections(self) -> tuple[Any, ...]:
        """Return the connections of all processes to PostgreSQL, and of the laws."""
        return (self._main, *spares.KEPT.working, spares.KEPT.looking)

    def _swallowed(self, *_: object, **__: object) -> None:
        """Record an exception that the code caught and only logged; the world judges it."""
        failure = sys.exc_info()[1]
        if failure is not None:
            self.swallowed.append(failure)

    def through(self, name: str, lost: Callable[[str], Exception], act: Callable[[], T]) -> T:
        """Do one call to Redis or PostgreSQL, with the planned fault if it is due."""
        run = self.run
        if run is None:
            return act()
        if run.dead:
            raise WorkerDied(name)
        run.points += 1
        plan = run.plan
        if plan is None or run.struck or not _is_due(plan, run, name):
            return act()
        run.struck = True
        self.say(f"{plan.kind}: {run.what} at {name}")
        return self._strike(run, plan, name, lost, act)

    def _strike(
        self,
        run: Run,
        plan: Plan,
        name: str,
        lost: Callable[[str], Exception],
        act: Callable[[], T],
    ) -> T:
        match plan.kind:
            case "frozen":
                self._freeze(plan.events)
                return act()
            case "repeated" if lost is RedisLost:
                act()
                return act()
            case "line lost before" | "repeated":
                raise lost(name)
            case "line lost after":
                act()
                raise lost(name)
            case "dies after" | "dies after commit":
                act()
        run.dead = True
        raise WorkerDied(name)

    def _freeze(self, events: int) -> None:
        """Freeze the task, inside a transaction if one is open, while other tasks run."""
        own = connections[DEFAULT_DB_ALIAS]
        # A process may stand still before its connection is complete, in the check of the server.
        within = own.connection is None or own.in_atomic_block or not own.autocommit
        if self._depth >= spares.SPARES:
            return
        self._depth += 1
        if within:
            connections[DEFAULT_DB_ALIAS] = spares.KEPT.working[self._depth - 1]
        try:
            with self.aside():
                self.sleep(events)
        finally:
            self._depth -= 1
            connections[DEFAULT_DB_ALIAS] = own
            self.resumed()


def _is_due(plan: Plan, run: Run, name: str) -> bool:
    """Return whether a fault strikes at this call: at its drawn number, or at the COMMIT."""
    if plan.kind == "dies after commit":
        return name == "COMMIT"
    return plan.point == run.points


class _Log:
    """Log of the play worker, which continues with other tables when one fails."""

    def __init__(self, doors: Doors) -> None:
        self.exception = doors._swallowed

    def info(self, *_: object, **__: object) -> None:
        """Ignore the line."""


@contextmanager
def _client(redis: Redis, doors: Doors) -> Iterator[None]:
    call: Callable[..., Any] = redis.execute_command
    pipeline: Callable[..., Any] = redis.pipeline

    def execute_command(*words: Any, **options: Any) -> Any:
        name = _script(words[1]) if words[0] == "EVALSHA" else str(words[0]).lower()
        return doors.through(f"redis {name}", RedisLost, lambda: call(*words, **options))

    def through_pipeline(*words: Any, **options: Any) -> Any:
        pipe = pipeline(*words, **options)
        execute = pipe.execute

        def at_once(*flags: Any, **more: Any) -> Any:
            queued = list(pipe.command_stack)

            def again() -> Any:
                pipe.command_stack = list(queued)
                return execute(*flags, **more)

            return doors.through("redis pipeline", RedisLost, again)

        pipe.execute = at_once
        return pipe

    with (
        patch.object(redis, "execute_command", execute_command),
        patch.object(redis, "pipeline", through_pipeline),
    ):
        yield


@contextmanager
def _connection(connection: Any, doors: Doors) -> Iterator[None]:
    commit = connection._commit

    def statement(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        text = str(sql)
        # A process that stood still has its cursor, of a connection that may be gone by then.
        opened = context["cursor"].connection
        if text.startswith(_PASSED) or "advisory_unlock" in text:
            return _unless_cut_off(opened, text, lambda: execute(sql, params, many, context))
        if doors.run is not None:
            doors.run.sql = True
            doors.statements += 1
        name = _statement(text)
        try:
            return doors.through(
                name,
                DatabaseLost,
                lambda: _unless_cut_off(
                    opened, name, lambda: _used(execute(sql, params, many, context))
                ),
            )
        except (DatabaseLost, WorkerDied):
            if "advisory_lock" in text and not opened.closed:  # a closed session holds no lock
                opened.execute("SELECT pg_advisory_unlock_all()")
            raise

    def _used(answer: T) -> T:
        doors.used()
        return answer

    def through_commit() -> None:
        opened = connection.connection
        try:
            doors.through("COMMIT", DatabaseLost, lambda: _unless_cut_off(opened, "COMMIT", commit))
        except WorkerDied:
            if not opened.closed:
                opened.rollback()  # as the server does for a disconnected client
            raise

    with patch.object(connection, "_commit", through_commit):
        connection.execute_wrappers.append(statement)
        try:
            yield
        finally:
            connection.execute_wrappers.remove(statement)


def _unless_cut_off(opened: Any, name: str, act: Callable[[], T]) -> T:
    """Do one call; raise DatabaseLost when the server has ended the connection."""
    try:
        return act()
    except (OperationalError, InterfaceError) as failure:
        # The last words of a server may come before its connection is known to be closed.
        if isinstance(failure.__cause__, AdminShutdown):
            opened.close()
        if not opened.closed:
            raise
        raise DatabaseLost(name) from failure


@lru_cache(maxsize=8192)
def _statement(text: str) -> str:
    """Name of a statement in the trace: its kind and its table; values are not in its text."""
    found = _TARGET.search(text)
    return f"{text.split(None, 1)[0].lower()} {found[2] if found else ''}".strip()


@cache
def _script(digest: str) -> str:
    """File name of a script by its digest."""
    for path in Path(lua.__file__).parent.glob("*.lua"):
        if path.stem not in lua.PARTS.values():
            text = lua.source(path.stem).encode()
            if sha1(text, usedforsecurity=False).hexdigest() == digest:
                return path.name
    return "script"
