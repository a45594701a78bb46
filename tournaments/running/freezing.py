"""Freeze a whole tournament while a table's worker is down, so no table plays ahead (T-13)."""

from __future__ import annotations

import structlog
from django.conf import settings

from config import limits, redis
from tables.dealer.state import TableState, wake
from tables.models import Table
from tables.store import fenced, keys, readable, wakes
from tournaments import locks
from tournaments.engine import levels, lifecycle
from tournaments.events import bells, standstill
from tournaments.events.client_events import Resumed
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import AuditRow
from tournaments.models.tournament import State
from tournaments.words import FROZEN

log = structlog.get_logger(__name__)


def overdue(tournament_id: int) -> list[int] | None:
    """Open tables whose hand in play no worker has advanced for `TABLE_OVERDUE_MS`.

    None where they were read less than a tick's interval ago: the ticks that open tables or are
    woken early come faster than any table can become overdue.

    1. One pipeline reads how often each table's bell rang without an answer.
    2. Only tables with enough unanswered bells have their whole state read.
    3. A table between hands never counts: it waits for the same queue that would freeze it. Nor
       does a table with a state that nobody can read: it is being rebuilt.
    """
    if not _is_due(tournament_id):
        return None
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament_id, status=Table.Status.OPEN
    )
    tables = list(rows.values_list("pk", flat=True))
    client = redis.room()
    pipe = client.pipeline(transaction=False)
    for table in tables:
        pipe.hget(keys.state(keys.table(table), settings.SHARDS), "rings")
    rung = zip(tables, pipe.execute(raise_on_error=False), strict=True)
    rings_max = limits.TABLE_OVERDUE_MS // limits.WAKE_RING_AGAIN_MS
    suspects = [table for table, rings in rung if readable.count(rings) >= rings_max]
    if not suspects:
        return []
    now_ms = wakes.now_ms(client, keys.shard(keys.table(suspects[0]), settings.SHARDS))
    states = zip(suspects, fenced.peek_open_all(client, suspects), strict=True)
    return [table for table, state in states if _late_ms(state, now_ms) > limits.TABLE_OVERDUE_MS]


def forget(tournament_id: int) -> None:
    """Delete when the tables of a tournament were read last."""
    redis.room().delete(read_key(tournament_id))


def review_freeze(tx: TournamentTransaction, late: list[int] | None, now_ms: int) -> None:
    """Freeze a locked tournament while tables are overdue; thaw it when none is.

    Change nothing where `late` is None, unknown.
    """
    if late is None:
        return
    if late and tx.tournament.state == State.RUNNING:
        _freeze(tx, late, now_ms)
    elif not late and FROZEN in tx.tournament.stops:
        _thaw(tx, now_ms)


def read_key(tournament_id: int) -> str:
    """Return the Redis key of the time, in ms, of the last reading of a tournament's tables."""
    member = bells.member(tournament_id)
    return f"{keys.tag(keys.shard(member, settings.SHARDS))}{member}:overdue_read"


def _is_due(tournament_id: int) -> bool:
    """Return whether the tables are to be read again, and note that they are.

    Two ticks at the same time may both read them.
    """
    client, key = redis.room(), read_key(tournament_id)
    now_ms = wakes.now_ms(client, keys.shard(bells.member(tournament_id), settings.SHARDS))
    read_ms = readable.count(client.get(key))
    # A clock that was set back is no reason to wait for the old time.
    if 0 <= now_ms - read_ms < limits.TOURNAMENT_TICK_MS:
        return False
    client.set(key, now_ms, ex=keys.KEY_LIFETIME_S)
    return True


def _freeze(tx: TournamentTransaction, late: list[int], now_ms: int) -> None:
    tournament = tx.tournament
    tournament.state = lifecycle.after("running", "freeze")
    tournament.set_clock(levels.stop(tournament.clock(), now_ms, FROZEN))
    standstill.tell_paused(tx, FROZEN)
    AuditRow.objects.create(tournament=tournament, action="freeze", details={"tables": late})
    log.warning("tournament frozen", tournament=tournament.pk, tables=late)


def _thaw(tx: TournamentTransaction, now_ms: int) -> None:
    """Restart tables and clock together, unless an operator paused the tournament meanwhile."""
    tournament = tx.tournament
    tournament.set_clock(levels.go_on(tournament.clock(), now_ms, FROZEN))
    if tournament.state == State.FROZEN:
        tournament.state = lifecycle.after("frozen", "thaw")
        AuditRow.objects.create(tournament=tournament, action="thaw")
        standstill.tell_resumed(tx)
        tx.wake_all_tables()
    elif tournament.state == State.RUNNING:
        # An operator paused and resumed it during the fault: tables play, only the clock restarts.
        tx.announce(Resumed())


def _late_ms(state: TableState | None, now_ms: int) -> int:
    due = None if state is None else wake(state)
    return now_ms - due[0] if due is not None and due[1] == "play" else 0
