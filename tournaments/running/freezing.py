"""Freeze a whole tournament while a table's worker is down, so no table plays ahead (T-13)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import structlog
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from config import clock, limits, redis
from tables.dealer.state import TableState, wake
from tables.models import Table
from tables.store import fenced, keys, readable, wakes
from tournaments import locks
from tournaments.engine import levels, lifecycle
from tournaments.events import bells, standstill
from tournaments.events.client_events import Resumed
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import AuditRow, Tournament
from tournaments.models.tournament import State
from tournaments.words import FROZEN

log = structlog.get_logger(__name__)

UNREAD_KEPT_MS = 60_000
"""Time for which the begin of a silence is kept: then it is taken to begin anew."""


def overdue(tournament_id: int) -> list[int] | None:
    """Open tables whose hand in play no worker has advanced for `TABLE_OVERDUE_MS`.

    None where they were read less than a tick's interval ago: the ticks that open tables or are
    woken early come faster than any table can become overdue.

    1. A pipeline reads how often each table's bell rang without an answer.
    2. Only tables with enough unanswered bells have their whole state read.
    3. A table between hands never counts: it waits for the same queue that would freeze it. Nor
       does a table with a state that nobody can read: it is being rebuilt.
    4. Tables on a node of a cluster that does not answer count once it was silent for as long; None
       until then.
    """
    client, shard = redis.room(), keys.shard(bells.member(tournament_id), settings.SHARDS)
    read_ms = wakes.now_ms(client, shard)
    if not _is_due(client, tournament_id, read_ms):
        return None
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament_id, status=Table.Status.OPEN
    )
    tables = list(rows.values_list("pk", flat=True))
    rings = _rings(client, tables)
    rings_max = limits.TABLE_OVERDUE_MS // limits.WAKE_RING_AGAIN_MS
    late = _late(client, [table for table, count in rings.items() if count >= rings_max])
    unread = [table for table in tables if table not in rings]
    if not unread:
        client.delete(unread_key(tournament_id))
    elif _unread_ms(client, tournament_id, read_ms) <= limits.TABLE_OVERDUE_MS:
        return late or None
    return late + unread


def is_untended(tournament: Tournament) -> bool:
    """Return whether no tick looked at a tournament for `TABLE_OVERDUE_MS`, on a cluster.

    There its own wake may be on a silent node while its tables on other nodes are served: they
    stand until a tick charges the outage. One server that is away stops tables and ticks alike.
    """
    since_ms = tournament.heartbeat_ms
    if settings.ROOM_REDIS_MODE != "cluster" or since_ms is None:
        return False
    # The clocks of machines differ by less; the database is asked when that may matter.
    if clock.now_ms() - since_ms <= limits.TABLE_OVERDUE_MS // 2:
        return False
    return clock.database_now_ms() - since_ms > limits.TABLE_OVERDUE_MS


def forget(tournament_id: int) -> None:
    """Delete when the tables of a tournament were read last."""
    redis.room().delete(read_key(tournament_id), unread_key(tournament_id))


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
    return f"{_prefix(tournament_id)}:overdue_read"


def unread_key(tournament_id: int) -> str:
    """Return the Redis key of the time, in ms, since which some tables could not be read."""
    return f"{_prefix(tournament_id)}:overdue_unread"


def _prefix(tournament_id: int) -> str:
    member = bells.member(tournament_id)
    return f"{keys.tag(keys.shard(member, settings.SHARDS))}{member}"


def _is_due(client: Redis, tournament_id: int, now_ms: int) -> bool:
    """Return whether the tables are to be read again, and note that they are.

    Two ticks at the same time may both read them.
    """
    key = read_key(tournament_id)
    read_ms = readable.count(client.get(key))
    # A clock that was set back is no reason to wait for the old time.
    if 0 <= now_ms - read_ms < limits.TOURNAMENT_TICK_MS:
        return False
    client.set(key, now_ms, ex=keys.KEY_LIFETIME_S)
    return True


def _rings(client: Redis, tables: Sequence[int]) -> dict[int, int]:
    """Return how often the bells of tables rang without an answer; not of those on a silent node.

    A cluster is asked shard by shard, else one silent node would hide the tables of all others.
    """
    groups = defaultdict[int, list[int]](list)
    is_cluster = settings.ROOM_REDIS_MODE == "cluster"
    for table in tables:
        groups[keys.shard(keys.table(table), settings.SHARDS) if is_cluster else 0].append(table)
    found: dict[int, int] = {}
    for some in groups.values():
        pipe = client.pipeline(transaction=False)
        for table in some:
            pipe.hget(keys.state(keys.table(table), settings.SHARDS), "rings")
        try:
            counts = [readable.count(reply) for reply in pipe.execute(raise_on_error=False)]
        except RedisError:
            if not is_cluster:
                raise
            continue
        found |= zip(some, counts, strict=True)
    return found


def _late(client: Redis, suspects: Sequence[int]) -> list[int]:
    if not suspects:
        return []
    now_ms = wakes.now_ms(client, keys.shard(keys.table(suspects[0]), settings.SHARDS))
    states = zip(suspects, fenced.peek_open_all(client, suspects), strict=True)
    return [table for table, state in states if _late_ms(state, now_ms) > limits.TABLE_OVERDUE_MS]


def _unread_ms(client: Redis, tournament_id: int, now_ms: int) -> int:
    """Return for how long some tables could not be read; forgotten after a while without a tick."""
    key = unread_key(tournament_id)
    client.set(key, now_ms, nx=True, px=UNREAD_KEPT_MS)
    return now_ms - readable.count(client.get(key))


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
