"""Advances one table as far as it can go now: load, one pure step, one commit."""

from __future__ import annotations

import random

import structlog
from redis import Redis

from config import entropy
from tables import store
from tables.engine.cards import DECK
from tables.engine.events import Card
from tables.play.advance import advance as step
from tables.play.state import Desk, wake

log = structlog.get_logger(__name__)


def advance(redis: Redis, table: int, chance: random.Random | None = None) -> Desk | None:
    """Let a table obey what waits and do what is due; the desk that must go on at once, or None.

    A table that is gone, has nothing to do, or was advanced by another worker meanwhile is left
    alone: every bell may come late, twice or not at all.
    """
    loaded = store.load(redis, table)
    if loaded is None:
        return None
    state, events = step(
        loaded.state,
        loaded.received,
        now_ms=loaded.now_ms,
        shift_ms=loaded.shift_ms,
        shuffle=lambda: _shuffled(chance or entropy.system()),
    )
    if state == loaded.state and not loaded.drained:
        store.rest(redis, loaded)
        return None
    stored = store.commit(redis, loaded, state, events, drained=loaded.drained)
    if stored is None:
        log.info("another worker was first", table=table, epoch=loaded.state.epoch)
        return None
    due = wake(stored)
    if due is None or due[0] > loaded.now_ms or due[1] == "play":
        return None
    return due[1]


def _shuffled(chance: random.Random) -> tuple[Card, ...]:
    return entropy.shuffled(DECK, chance)
