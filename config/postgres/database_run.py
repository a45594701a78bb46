"""Run of a PostgreSQL server: which server it is, its timeline, its start, and its position.

A promotion and a recovery begin a new timeline, each start of the server a new run.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec


class DatabaseRun(NamedTuple):
    """Run of a server as one connection sees it; `position` in bytes of its log (WAL).

    `waits` is True when a commit is answered only once a standby has it.
    """

    system: str
    timeline: int
    started: str
    position: int
    waits: bool

    @property
    def name(self) -> str:
        """Return the name that no other run of any server has."""
        return f"{self.system} {self.timeline} {self.started}"


class DatabaseWitness(msgspec.Struct, frozen=True, array_like=True):
    """Witness, outside PostgreSQL, of its last adopted run: the run, and how far its log came.

    `number` counts adoptions from 1, so that of two witnesses the later one is known.
    """

    number: int
    run: str
    system: str
    timeline: int
    position: int
    waits: bool


def read(cursor: Any) -> DatabaseRun:
    """Return the run of the server of a psycopg connection or cursor.

    Raises psycopg.OperationalError for a standby, which has no position of its own.
    """
    system, timeline, started, position, waits = cursor.execute(_RUN).fetchone()
    return DatabaseRun(str(system), int(timeline), str(started), int(position), bool(waits))


def read_confirmed(cursor: Any) -> DatabaseRun:
    """Return the run with a position that is safe; for a cursor that commits each statement.

    The commit that ends the statement lies behind the position in the log. Once it is answered, so
    much is on the disk of the server, and of the standby that it waits for.
    """
    cursor.execute(_CONFIRMED)
    system, timeline, started, position, waits, _ = cursor.fetchone()
    return DatabaseRun(str(system), int(timeline), str(started), int(position), bool(waits))


def witness_of(run: DatabaseRun, number: int) -> DatabaseWitness:
    """Return the witness of a run that was adopted as the `number`-th, and came so far."""
    return DatabaseWitness(number, run.name, run.system, run.timeline, run.position, run.waits)


_RUN = """
SELECT (SELECT system_identifier FROM pg_control_system()),
       ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int,
       extract(epoch FROM pg_postmaster_start_time()),
       pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0'),
       current_setting('synchronous_standby_names') <> ''
       AND current_setting('synchronous_commit') NOT IN ('off', 'local')
"""

_CONFIRMED = _RUN.rstrip() + ",\n       pg_logical_emit_message(true, 'room', '')"
