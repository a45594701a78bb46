"""Gate before PostgreSQL: a process uses no run of it that is not adopted (decision 0023).

A settle worker that connects to a new run adopts it when nothing that was told is missing in it.
All other processes wait, as for a server that is away.
"""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from functools import partial
from typing import Any

import psycopg
import structlog
from django.db import Error as DatabaseError
from django.db import connection, connections
from kombu.exceptions import OperationalError as BrokerError
from msgspec.structs import replace
from redis import Redis
from redis.exceptions import RedisError

from config import metrics
from config.celery import SETTLE, app
from config.postgres import database_run
from config.postgres.database_run import DatabaseRun, DatabaseWitness
from config.postgres.engine import base
from config.redis import room, room_at_once
from tables.store import database_witnesses
from tables.workers import database_losses

log = structlog.get_logger(__name__)

ADOPTION_LOCK = 7_011_001
NUMBER_OF_DATABASE = -1
"""Keys of the advisory lock of an adoption; shards have the numbers from 0 on."""

ASKS_EVERY_S = 1.0
SAID_EVERY_S = 10.0
NOTED_EVERY_S = 1.0
TASK = "tables.adopt_database"
SETTLING = "settle"


class NotBelieved(psycopg.OperationalError):
    """This run of PostgreSQL is not adopted: what it lacks may have been told."""


class _Known:
    """Memory of this process, which outlives a Redis that was emptied."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.witness: DatabaseWitness | None = None
        self.asked_s = self.said_s = self.noted_s = float("-inf")

    def is_time(self, name: str, every_s: float) -> bool:
        with self.lock:
            now_s = time.monotonic()
            if now_s - getattr(self, name) < every_s:
                return False
            setattr(self, name, now_s)
            return True


known = _Known()


def close_for(kind: str) -> None:
    """Close the gate in this process of a kind: from here each connection is checked."""
    base.on_connect(partial(_pass, adopts=kind == SETTLING))
    connections.close_all()


def look_again() -> None:
    """Connect anew in a settle worker, which adopts a run of PostgreSQL that waits for it."""
    connection.close()
    connection.ensure_connection()


def note() -> None:
    """Note how far PostgreSQL came, once a second; for a settle worker after its work."""
    witness = known.witness
    if witness is None or not known.is_time("noted_s", NOTED_EVERY_S):
        return
    try:
        with connection.cursor() as cursor:
            run = database_run.read_confirmed(cursor)
        if run.name == witness.run:
            _remember(database_run.witness_of(run, witness.number))
            database_witnesses.attest(room(), database_run.witness_of(run, witness.number))
    except (DatabaseError, psycopg.Error, RedisError) as error:
        log.warning("position of postgresql not noted", error=str(error))


def _pass(made: Any, *, adopts: bool) -> None:
    """Let a connection pass when its run is adopted; raise NotBelieved for any other one."""
    try:
        run = database_run.read(made)
        witness = _latest()
        if witness is not None and witness.run == run.name:
            _remember(witness)
        elif adopts:
            _adopt(made, run)
        elif witness is not None:
            _ask_for_adoption()
            raise NotBelieved("this run of PostgreSQL is not adopted yet")
    except (RedisError, OSError) as error:
        raise NotBelieved(f"the witness of PostgreSQL is away: {error}") from error


def _adopt(made: Any, run: DatabaseRun) -> None:
    redis = room()
    cursor = made.cursor()
    # 1. One process adopts at a time; nobody waits for it.
    lock = [ADOPTION_LOCK, NUMBER_OF_DATABASE]
    (is_mine,) = cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", lock).fetchone()
    if not is_mine:
        raise NotBelieved("another process adopts this run of PostgreSQL")
    witness = _latest()
    if witness is not None and witness.run == run.name:
        _remember(witness)
        return
    accepted = database_witnesses.is_accepted(redis, run.name)
    # 2. Without a witness nobody remembers anything that this run could lack.
    lacks = [] if witness is None else list(database_losses.signs(cursor, redis, run, witness))
    if lacks and not accepted:
        _say(run, lacks)
        raise NotBelieved(f"this run of PostgreSQL is not believed: {'; '.join(lacks)}")
    # 3. What is lost stays lost: numbers go on above it, and hands in play are void.
    if lacks:
        database_losses.go_on_above(cursor, redis)
        made.commit()
    number = 1 if witness is None else witness.number + 1
    # Nobody has confirmed its position yet; that is noted with the next settlement.
    adopted = replace(database_run.witness_of(run, number), position=0)
    database_witnesses.attest(redis, adopted)
    _remember(adopted)
    tell = log.error if lacks else log.info
    tell("postgresql adopted", timeline=run.timeline, number=number, lost=lacks)


def _latest() -> DatabaseWitness | None:
    """Return the latest witness, of Redis or of this process' own memory.

    Raises RedisError without an answer in a process that remembers nothing.
    """
    redis, own = room_at_once(), known.witness
    try:
        kept = database_witnesses.latest(redis)
    except (RedisError, OSError):
        if own is None:
            raise
        return own
    witness = database_witnesses.newest(kept, own)
    if witness is not None and witness != kept:
        database_witnesses.attest(redis, witness)  # Redis was emptied or set back
    return witness


def _remember(witness: DatabaseWitness) -> None:
    with known.lock:
        known.witness = database_witnesses.newest(known.witness, witness)


def _ask_for_adoption() -> None:
    """Ring for a settle worker: it may have nothing else to do."""
    if known.is_time("asked_s", ASKS_EVERY_S):
        ask_for_adoption()


def ask_for_adoption() -> None:
    """Ask a settle worker to look at the PostgreSQL that answers."""
    with suppress(BrokerError, OSError):
        app.send_task(TASK, queue=SETTLE, expires=10.0, ignore_result=True, retry=False)


def _say(run: DatabaseRun, lacks: list[str]) -> None:
    """Tell the operator, once in a while."""
    if not known.is_time("said_s", SAID_EVERY_S):
        return
    metrics.FAULTS.labels("postgresql_lost_data").inc()
    log.error(
        "postgresql is not believed: tables and pages wait",
        timeline=run.timeline,
        lacks=lacks,
        remedy="bring the right server back, or: manage.py database_run --accept-loss",
    )


def lacking(made: Any, redis: Redis) -> tuple[DatabaseRun, DatabaseWitness | None, list[str]]:
    """Return the run of a connection, its witness and what it lacks; for the operator."""
    run = database_run.read(made)
    witness = database_witnesses.latest(redis)
    if witness is None or witness.run == run.name:
        return run, witness, []
    return run, witness, list(database_losses.signs(made.cursor(), redis, run, witness))
