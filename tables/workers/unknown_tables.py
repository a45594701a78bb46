"""Tables that Redis holds and PostgreSQL never had, or lost: they end where they are."""

from __future__ import annotations

from collections.abc import Iterable

import structlog
from msgspec.structs import replace
from redis import Redis

from tables.models import Table
from tables.store import epochs, fenced, keys, wakes
from tables.wire.table_events import HandVoided, TableClosed, TableEvent

log = structlog.get_logger(__name__)


def end(redis: Redis, tables: Iterable[int]) -> None:
    """End the tables that have no row in PostgreSQL: with it all their hands are lost, and void."""
    wanted = sorted(tables)
    known = set(Table.objects.filter(pk__in=wanted).values_list("pk", flat=True))
    unknown = [table for table in wanted if table not in known]
    for table, state in zip(unknown, fenced.peek_open_all(redis, unknown), strict=True):
        log.warning("table without a row ended", table=table)
        if state is None:
            wakes.cancel(redis, keys.table(table))
            continue
        last = 0 if state.phase == "closed" else state.hand_number - (state.phase == "granted")
        voided = map(HandVoided, range(1, last + 1))
        last_events: tuple[TableEvent, ...] = (*voided, TableClosed())
        ended = replace(state, epoch=state.epoch + 1, phase="closed", turn=None, seats=())
        ended = replace(ended, hand=None, setup=None, run_out=None, next_seal=None)
        epochs.close_at(redis, ended, last_events)
