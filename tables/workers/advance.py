"""Advance tables as far as they can go now: load, one pure step each, one commit each."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import structlog
from msgspec.structs import replace
from redis import Redis

from config import entropy, limits, metrics
from tables.dealer.advance import advance as step
from tables.dealer.state import QueueKind, TableState, wake
from tables.store import connections, fenced, keys, ready
from tables.store.fenced import Loaded, Step
from tables.workers import measures, sealing

log = structlog.get_logger(__name__)


def advance(redis: Redis, table: int, chance: random.Random | None = None) -> QueueKind | None:
    """Obey the commands of a table and do what is due; return the queue that must go on at once.

    A table that is gone, has nothing to do, or was advanced by another worker meanwhile is left
    alone: a bell may come late, twice or not at all. With a `chance` hands are repeatable: they are
    dealt from it, not from their sealed decks.
    """
    return advance_all(redis, [table], chance).get(table)


def answer(redis: Redis, member: str) -> Iterator[tuple[str, QueueKind]]:
    """Answer the bell of a table, and every table of its queue with waiting commands.

    Yields each queue that must go on at once, and last a bell for the tables left over: one task
    must not keep its worker from other queues for long.
    """
    rung, stays = [keys.number(member)], member
    for _ in range(limits.TABLES_PER_BELL_MAX // limits.TABLES_TOGETHER_MAX):
        taken = ready.take(redis, member)
        tables = dict.fromkeys([*rung, *map(keys.number, taken.members)])
        for table, kind in advance_all(redis, list(tables)).items():
            yield keys.table(table), kind
        if taken.stays is None:
            return
        rung, stays = [], taken.stays
    yield stays, "play"


def advance_all(
    redis: Redis, tables: Sequence[int], chance: random.Random | None = None
) -> dict[int, QueueKind]:
    """Advance several tables of one shard; a table that fails does not stop the others."""
    idle: list[Loaded] = []
    steps: list[Step] = []
    kinds: dict[int, QueueKind] = {}
    # 1. Load all tables in one trip; the settle queue rebuilds those that are lost or unreadable.
    for table, loaded in fenced.load_all(redis, tables):
        if loaded is None:
            kinds[table] = "settle"
            continue
        # 2. Compute each step on its own: one broken table must not hold up the others.
        try:
            taken = _step(redis, loaded, chance)
        except Exception:
            metrics.FAULTS.labels("table_failed").inc()
            log.exception("table failed", table=loaded.state.table, hand=loaded.state.hand_number)
            if len(tables) == 1:
                raise
            continue
        if taken.state == loaded.state and not loaded.drained:
            idle.append(loaded)
        else:
            steps.append(taken)
    # 3. Put the wakes of unchanged tables back, then commit each step under its own fence.
    if idle:
        fenced.rest_all(redis, idle)
    stored = fenced.commit_all(redis, steps) if steps else []
    for taken, state in zip(steps, stored, strict=True):
        # 4. A failed fence is no fault of this step: the other writer saw the same commands, or a
        #    newer epoch, and rings for what follows.
        if state is None:
            before = taken.loaded.state
            metrics.FAULTS.labels("another_worker_was_first").inc()
            log.info("another worker was first", table=before.table, epoch=before.epoch)
            continue
        measures.of_step(taken)
        if (kind := _at_once(taken.loaded, state)) is not None:
            kinds[state.table] = kind
    return kinds


def _step(redis: Redis, loaded: Loaded, chance: random.Random | None) -> Step:
    state = loaded.state
    if chance is not None and state.phase == "granted":
        state = replace(state, called=None)
    state, events = step(
        state,
        loaded.received,
        now_ms=loaded.now_ms,
        shift_ms=loaded.shift_ms,
        shuffle=lambda deck: entropy.shuffled(deck, chance or entropy.system()),
        is_connected=lambda user: connections.is_connected(
            redis, loaded.state.table, user, loaded.now_ms
        ),
    )
    if state.phase == "finished" and not state.seed:
        # Settlement writes the seal of the next hand in the transaction of this one.
        state = sealing.with_next_seal(state, loaded.now_ms)
    return Step(loaded, state, events, loaded.drained)


def _at_once(loaded: Loaded, state: TableState) -> QueueKind | None:
    if state.frees_folded and len(state.folded()) > len(loaded.state.folded()):
        return "settle"  # If the bell gets lost, these players are free when the hand is settled.
    if state.run_out is not None and not state.run_out.kept:
        return "settle"  # Repeated at every beat: the bell for it may get lost.
    due = wake(state)
    return None if due is None or due[0] > loaded.now_ms else due[1]
