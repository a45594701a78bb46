"""Start of a worker that plays or settles: it holds the room's keys, or it does not start."""

from __future__ import annotations

import structlog
from redis.exceptions import RedisError

from config.redis import room
from tables.models import CallKey
from tables.records import holding
from tables.store import deck_keys
from tables.workers import key_files, sealing

SETTLING = "settle"
"""Kind of the workers that settle, as `config.worker` names it."""

log = structlog.get_logger(__name__)


def hold_keys(kind: str) -> None:
    """Read the keys of a worker and compare them with those the room used; changes no table.

    One that settles holds the keys of finished hands and the call key, too. Raises
    environment.KeyFileMissing, or deck_keys.NoDeckKey and month_keys.NoMonthKey for keys of another
    room.
    """
    if kind == SETTLING:
        holding.hold_all()
        key_files.require_known("call", sealing.public_call_key, _told_call_keys)
    sealing.auditor()
    deck_keys.held.load_files()
    try:
        deck_keys.held.check(room())
    except RedisError as error:
        # A state under another key is left alone all the same.
        log.warning("deck key not compared: no Redis", error=str(error))


def _told_call_keys() -> list[bytes]:
    return [bytes(key.public) for key in CallKey.objects.all()]
