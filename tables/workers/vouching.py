"""Judge whether a restarted Redis holds all that anybody was told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import structlog
from redis import Redis

from config import limits, metrics
from config.process import durable
from tables.models import Table
from tables.store import fenced, keys, wakes, witnesses

log = structlog.get_logger(__name__)

Verdict = Literal["believed", "not yet", "void"]

BATCH = 200


def judge(redis: Redis, shard: int, run: str, tables: Sequence[int]) -> Verdict:
    """Return whether the hands in play of a shard go on in a new run of Redis.

    "not yet" asks for another call soon: a web process that may know more has not spoken.
    """
    # 1. Without the guarantee of the server nobody can say what it forgot: processes that told it
    #    may be gone as well.
    lacks = durable.lacking_in_redis(redis, keys.tag(shard))
    if lacks:
        log.warning(
            "restarted redis is not believed",
            shard=shard,
            advice=durable.advice_on_redis(redis, keys.tag(shard)),
        )
        return "void"
    # 2. With it the file is the witness. A disk that lies, or a file put back, is found by those
    #    that outlived it: PostgreSQL knows the settled hands, web processes what they told.
    behind = _behind_postgresql(redis, tables)
    if behind:
        return _lost(shard, "postgresql knows later hands", behind)
    testimony = witnesses.testimony(redis, shard, run)
    lost = [name for name, finding in testimony.findings.items() if finding == "lost"]
    if lost:
        return _lost(shard, "web processes told more", lost)
    if witnesses.is_closed(redis, shard):
        return _lost(shard, "web processes told more than an earlier run held", ())
    # 3. A process that never comes back proves nothing against the file.
    waited_ms = witnesses.waited_ms(redis, shard, run, wakes.now_ms(redis, shard))
    if testimony.silent and waited_ms < limits.WITNESSES_WAIT_MS:
        return "not yet"
    log.info(
        "restarted redis is believed",
        shard=shard,
        vouched=len(testimony.findings),
        silent=len(testimony.silent),
    )
    return "believed"


def _lost(shard: int, why: str, by: Sequence[object]) -> Verdict:
    metrics.FAULTS.labels("redis_lost_data").inc()
    log.error("room's redis lost what was told", shard=shard, why=why, by=by)
    return "void"


def _behind_postgresql(redis: Redis, tables: Sequence[int]) -> list[int]:
    """Return tables whose state in Redis is older than their last settled hand."""
    behind: list[int] = []
    for first in range(0, len(tables), BATCH):
        some = tables[first : first + BATCH]
        rows = dict(Table.objects.filter(pk__in=some).values_list("pk", "hand"))
        for table, state in zip(some, fenced.peek_open_all(redis, some), strict=True):
            if state is not None and state.hand_number < rows.get(table, 0):
                behind.append(table)
    return behind
