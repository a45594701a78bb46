"""Drill on plain rows: commits go on during a base backup, then all is dropped and recovered."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg

from deploy.drills.point_in_time.server import (
    connected,
    end_archive,
    make_archive,
    size_of,
    start_recovered,
    take_base,
)
from deploy.embedded import base_backup, ports, postgres, program
from deploy.embedded.owner import ground, server_owner
from deploy.embedded.postgres import Postgres

READY_S = 180.0
STOP_S = 30.0


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """Drill: folder of the server's files, seconds of commits before and after the noted second."""

    home: Path
    before_s: float = 5.0
    after_s: float = 3.0
    writers: int = 2
    durable: bool = True


def run_restore_drill(plan: RestorePlan) -> dict[str, Any]:
    """Commit rows, drop them, recover to a second; return figures and violations."""
    server = _laid_out(plan)
    archive = make_archive(server)
    how = postgres.prepare(server, base_backup.archive_settings(archive))
    child = program.start(how)
    try:
        program.wait_ready(how, child, READY_S)
        found, copy, until, truth = _play(plan, server)
        found["archived_mb"] = round(size_of(archive) / 1e6, 1)
    finally:
        program.stop(how, child, STOP_S)
    began_s = time.monotonic()
    restored = start_recovered(copy, archive, until)
    found["recovered_s"] = round(time.monotonic() - began_s, 2)
    try:
        found |= _judged(copy, truth)
    finally:
        program.stop(how, restored, STOP_S)
    return found


def _play(plan: RestorePlan, server: Postgres) -> tuple[dict[str, Any], Postgres, str, _Truth]:
    """Commit rows during a base backup and after it, note a second, and drop everything."""
    with connected(server) as connection:
        connection.execute("CREATE TABLE bets (id bigserial PRIMARY KEY, chips int NOT NULL)")
        connection.execute("CREATE TABLE bank (chips bigint NOT NULL)")
        connection.execute("INSERT INTO bank VALUES (0)")
        with _Writers(server, plan.writers):
            began_s = time.monotonic()
            copy = take_base(server)
            base_s = time.monotonic() - began_s
            time.sleep(plan.before_s)
            row = connection.execute("SELECT date_trunc('second', clock_timestamp())").fetchone()
            assert row is not None
            until = row[0]
            time.sleep(plan.after_s)
        truth = _Truth(*_committed(connection, until))
        connection.execute("DROP TABLE bets, bank")
    end_archive(server)
    found = {
        "second": until.isoformat(),
        "base_s": round(base_s, 2),
        "base_mb": round(size_of(copy.data) / 1e6, 1),
        "committed": len(truth.before) + len(truth.after),
        "before": len(truth.before),
    }
    return found, copy, until.isoformat(), truth


@dataclass(frozen=True, slots=True)
class _Truth:
    """Rows committed up to the noted second and after it, by their commits' times."""

    before: frozenset[int]
    after: frozenset[int]
    nearest: timedelta


def _committed(
    connection: psycopg.Connection, until: Any
) -> tuple[frozenset[int], frozenset[int], timedelta]:
    query = "SELECT id, pg_xact_commit_timestamp(xmin) FROM bets"
    rows = connection.execute(query).fetchall()
    before = frozenset(number for number, at in rows if at <= until)
    nearest = min((abs(at - until) for _, at in rows), default=timedelta.max)
    return before, frozenset(number for number, _ in rows) - before, nearest


def _judged(copy: Postgres, truth: _Truth) -> dict[str, Any]:
    with connected(copy) as connection:
        rows: dict[int, int] = dict(connection.execute("SELECT id, chips FROM bets").fetchall())
        bank = connection.execute("SELECT chips FROM bank").fetchone()
        # What was recovered goes on.
        connection.execute("INSERT INTO bets (chips) VALUES (1)")
    violations = []
    if missing := truth.before - rows.keys():
        violations.append(f"{len(missing)} rows committed before the second are missing")
    if later := rows.keys() - truth.before:
        violations.append(f"{len(later)} rows committed after the second are there")
    if bank != (sum(rows.values()),):
        violations.append("a transaction is there in part")
    if not truth.before or not truth.after:
        violations.append("the drill shows nothing: all commits were on one side of the second")
    return {
        "restored": len(rows),
        "nearest_commit_ms": round(truth.nearest / timedelta(milliseconds=1), 1),
        "violations": violations,
    }


class _Writers:
    """Threads that commit inside the block, one transaction of two statements after the other."""

    def __init__(self, server: Postgres, writers: int) -> None:
        self._server = server
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._write) for _ in range(writers)]

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_error: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _write(self) -> None:
        with connected(self._server) as connection:
            chips = 0
            while not self._over.is_set():
                chips += 1
                with connection.transaction():
                    connection.execute("INSERT INTO bets (chips) VALUES (%s)", [chips])
                    connection.execute("UPDATE bank SET chips = chips + %s", [chips])
                time.sleep(0.001)


def _laid_out(plan: RestorePlan) -> Postgres:
    owner = server_owner()
    plan.home.mkdir(parents=True, exist_ok=True)
    place = ground(plan.home / "servers", owner)
    secrets = plan.home / "secrets"
    secrets.mkdir(mode=0o700, exist_ok=True)
    log = plan.home / "postgres.log"
    return Postgres(place, secrets, log, ports.free(), owner, plan.durable)
