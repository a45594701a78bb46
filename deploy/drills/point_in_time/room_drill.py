"""Drill on a playing room: dropped during play, recovered to a second, played to its end."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, LiteralString

import psycopg
from django.db import connection
from psycopg import sql

from config import redis
from deploy.cluster import headless
from deploy.cluster.room import Room
from deploy.drills.point_in_time import server as servers
from deploy.drills.tending import tend_until
from deploy.embedded import base_backup
from deploy.embedded.postgres import KEEPER, Postgres
from tables.models import Hand
from tournaments.locks import DIRECTOR
from tournaments.monitor import report as reports

APPENDED = ("tables_hand", "accounts_transfer", "accounts_posting")
"""Tables whose rows are written once, each with an `id`: what is in them tells what was kept."""

KEPT_RUNNING = ("postgres", "room", "broker", "swarm")
"""Processes that are not stopped for the recovery: servers, and the bots, which reconnect."""

READY_WITHIN_S = 60.0
DROPS_MAX = 20

Rows = dict[str, frozenset[int]]


class RoomDrill:
    """Drill on one room, in which `hands` are settled between its steps."""

    def __init__(self, room: Room, hands: int, within_s: float) -> None:
        self._room = room
        self._hands = hands
        self._server = room.layout.servers().postgres
        self._give_up_s = time.monotonic() + within_s
        self._tournament = 0

    def run(self) -> dict[str, Any]:
        """Play, drop, recover and play on; return figures and violations."""
        archive = self._archive()
        self._tournament = headless.create(self._room.options).pk
        swarm = ["--tournament", str(self._tournament), *headless.swarm_arguments(self._room)]
        self._room.start_swarm(swarm)
        self._await_hands(self._hands)
        began_s = time.monotonic()
        copy = replace(servers.take_base(self._server), port=self._server.port)
        found: dict[str, Any] = {
            "base_s": round(time.monotonic() - began_s, 2),
            "base_mb": round(servers.size_of(copy.data) / 1e6, 1),
        }
        self._await_hands(2 * self._hands)
        until = self._second()
        self._await_hands(3 * self._hands)
        truth, lost = self._drop(until)
        dropped_s = time.monotonic()
        servers.end_archive(self._server)
        found["archived_mb"] = round(servers.size_of(archive) / 1e6, 1)
        recovered = self._recover(copy, archive, until)
        found["recovered_s"] = round(time.monotonic() - dropped_s, 2)
        self._await_hands(len(recovered["tables_hand"]) + 1)
        found["went_on_s"] = round(time.monotonic() - dropped_s, 2)
        found |= {
            "second": until.isoformat(),
            "before": {name: len(rows) for name, rows in truth.items()},
            "lost_after": {name: len(rows) for name, rows in lost.items()},
            "restored": {name: len(rows) for name, rows in recovered.items()},
        }
        found["violations"] = [*_compared(truth, recovered, lost), *self._ended()]
        return found

    def _archive(self) -> Path:
        """Let the room's server archive its WAL: it is restarted for that."""
        archive = servers.make_archive(self._server)
        with servers.connected(self._server, KEEPER) as keeper:
            for name, value in base_backup.archive_settings(archive).items():
                change = sql.SQL("ALTER SYSTEM SET {} = {}")
                keeper.execute(change.format(sql.Identifier(name), sql.Literal(value)))
        self._room.supervisor.kill("postgres")
        give_up_s = time.monotonic() + READY_WITHIN_S
        self._tend(lambda: self._ask("SHOW archive_mode") == "on", give_up_s)
        return archive

    def _second(self) -> datetime:
        """Return the last whole second, with hands settled before and after it."""
        at = self._ask("SELECT date_trunc('second', clock_timestamp())")
        assert isinstance(at, datetime)
        return at

    def _drop(self, until: datetime) -> tuple[Rows, Rows]:
        """Drop the whole schema during play; return rows of up to a time and of after it."""
        with servers.connected(self._server) as owner:
            before = {name: _rows(owner, name, "<=", until) for name in APPENDED}
            after = {name: _rows(owner, name, ">", until) for name in APPENDED}
            for _ in range(DROPS_MAX):
                # Workers hold locks of their own, in another order.
                with contextlib.suppress(psycopg.errors.DeadlockDetected):
                    owner.execute("DROP SCHEMA public CASCADE")
                    return before, after
        raise servers.RecoveryFailed("the schema could not be dropped beside the workers")

    def _recover(self, copy: Postgres, archive: Path, until: datetime) -> Rows:
        """Put the recovered copy in the server's place and empty Redis, then start the processes
        again; return its rows.
        """
        supervisor = self._room.supervisor
        stopped = [name for name in supervisor.restarts() if name not in KEPT_RUNNING]
        for name in stopped:
            supervisor.lose(name)
        supervisor.lose("postgres")
        how = base_backup.prepare_recovery(copy, archive, until.isoformat())
        supervisor.start([replace(how, ready=lambda: servers.takes_writes(copy))])
        with servers.connected(copy) as owner:
            recovered = {name: _rows(owner, name) for name in APPENDED}
        connection.close()
        redis.room().flushall()
        for name in stopped:
            supervisor.revive(name)
        return recovered

    def _ended(self) -> list[str]:
        """Play to the end; return what is wrong then."""
        self._tend(lambda: headless.is_over(self._tournament), self._give_up_s)
        swarm = self._room.swarm_report
        self._tend(swarm.exists, time.monotonic() + headless.SWARM_ENDS_WITHIN_S)
        answer = json.loads(swarm.read_text()) if swarm.exists() else {}
        report = reports.build(self._tournament, answer)
        wrong = list(report["violations"])
        if not wrong and not reports.is_right(report):
            wrong = [f"the tournament is {report['state']}, or does not add up"]
        return wrong

    def _await_hands(self, hands: int) -> None:
        rows = Hand.objects.filter(table__director=DIRECTOR, table__game=self._tournament)
        self._tend(lambda: rows.count() >= hands, self._give_up_s)

    def _ask(self, query: LiteralString) -> object:
        try:
            with servers.connected(self._server) as owner:
                row = owner.execute(query).fetchone()
        except psycopg.OperationalError:  # it restarts
            return None
        return row and row[0]

    def _tend(self, holds: Callable[[], bool], give_up_s: float) -> None:
        """Keep the processes alive until a condition holds; raise RecoveryFailed after a time."""
        if not tend_until(self._room, holds, give_up_s):
            raise servers.RecoveryFailed("the room did not go on in time; see its logs")


def _rows(
    owner: psycopg.Connection, table: str, than: LiteralString = "", at: Any = None
) -> frozenset[int]:
    """Return the ids of a table's rows; with a time, of those committed up to it, or after it."""
    query = sql.SQL("SELECT id FROM {}").format(sql.Identifier(table))
    if than:
        # Rows of before the times were kept have none.
        time_of = sql.SQL(" WHERE coalesce(pg_xact_commit_timestamp(xmin), '-infinity') {} %s")
        query += time_of.format(sql.SQL(than))
    return frozenset(number for (number,) in owner.execute(query, [at] if than else []))


def _compared(before: Rows, recovered: Rows, after: Rows) -> list[str]:
    wrong = []
    for name in APPENDED:
        if missing := before[name] - recovered[name]:
            wrong.append(f"{name}: {len(missing)} rows committed before the second are missing")
        if later := recovered[name] - before[name]:
            wrong.append(f"{name}: {len(later)} rows committed after the second are there")
    if not before["tables_hand"] or not after["tables_hand"]:
        wrong.append("the drill shows nothing: all hands were on one side of the second")
    return wrong
