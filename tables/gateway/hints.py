"""Hints to all web processes, on the pub/sub channel that wakes their readers."""

from __future__ import annotations

import structlog
from django.conf import settings
from redis.exceptions import RedisError

from config.redis import room
from tables.store import keys

log = structlog.get_logger(__name__)


def give_hint(name: str) -> None:
    """Publish a hint by its name; a lost one is logged, as each is also checked in turn."""
    try:
        room().spublish(keys.hints(name, settings.SHARDS), name)
    except (RedisError, OSError) as error:
        log.warning("hint lost", hint=name, error=str(error))
