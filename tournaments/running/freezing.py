"""A fault never lets one table play on against frozen ones: all freeze and thaw together (T-13)."""

from __future__ import annotations

import structlog
from django.conf import settings

from config import clock, limits, redis
from tables.dealer.state import wake
from tables.models import Table
from tables.store import fenced, keys
from tournaments import locks
from tournaments.engine import levels, lifecycle
from tournaments.events import bells, standstill
from tournaments.events.client_events import Resumed
from tournaments.events.outbox import Outbox
from tournaments.events.outbox import tournament as stream_of
from tournaments.models import AuditRow, Tournament
from tournaments.models.tournament import State
from tournaments.words import FROZEN

log = structlog.get_logger(__name__)


def overdue(tournament_id: int) -> list[int]:
    """Open tables with a hand in play that nobody has advanced for too long: a desk is down.

    Only tables that were rung for again and again are looked at in whole. Tables that stand
    between hands do not count: they wait for the same desk that would have to freeze them.
    """
    rows = Table.objects.filter(
        director=locks.DIRECTOR, game=tournament_id, status=Table.Status.OPEN
    )
    tables = list(rows.values_list("pk", flat=True))
    client = redis.room()
    pipe = client.pipeline(transaction=False)
    for table in tables:
        pipe.hget(keys.state(keys.table(table), settings.SHARDS), "rings")
    rung = zip(tables, pipe.execute(), strict=True)
    rings_max = limits.TABLE_OVERDUE_MS // limits.WAKE_RING_AGAIN_MS
    suspects = [table for table, rings in rung if int(rings or 0) >= rings_max]
    now_ms = clock.redis_now_ms(client) if suspects else 0
    return [table for table in suspects if _late_ms(table, now_ms) > limits.TABLE_OVERDUE_MS]


def review(tournament: Tournament, late: list[int], now_ms: int, outbox: Outbox) -> None:
    """Freeze a locked tournament while tables are late, thaw it when none is.

    The caller saves, and writes the outbox last: it tells everybody in play, whose accounts must
    not be asked for after that.
    """
    if late and tournament.state == State.RUNNING:
        _freeze(tournament, late, now_ms, outbox)
    elif not late and FROZEN in tournament.stops:
        _thaw(tournament, now_ms, outbox)


def _freeze(tournament: Tournament, late: list[int], now_ms: int, outbox: Outbox) -> None:
    tournament.state = lifecycle.after(State.RUNNING, "freeze")
    tournament.set_clock(levels.stop(tournament.clock(), now_ms, FROZEN))
    standstill.tell_paused(tournament, FROZEN, outbox)
    AuditRow.objects.create(tournament=tournament, action="freeze", details={"tables": late})
    log.warning("tournament frozen", tournament=tournament.pk, tables=late)


def _thaw(tournament: Tournament, now_ms: int, outbox: Outbox) -> None:
    """Tables and clock go on together, unless an operator paused it meanwhile."""
    tournament.set_clock(levels.go_on(tournament.clock(), now_ms, FROZEN))
    if tournament.state == State.FROZEN:
        tournament.state = lifecycle.after(State.FROZEN, "thaw")
        AuditRow.objects.create(tournament=tournament, action="thaw")
        standstill.tell_resumed(tournament, outbox)
        bells.wake_tables_after_commit(tournament.pk)
    elif tournament.state == State.RUNNING:
        # An operator paused and resumed it meanwhile: the tables play, and now the clock goes.
        outbox.tell(stream_of(tournament.pk), Resumed())


def _late_ms(table: int, now_ms: int) -> int:
    state = fenced.peek(redis.room(), table)
    due = None if state is None else wake(state)
    return now_ms - due[0] if due is not None and due[1] == "play" else 0
