"""Ring bells: Celery messages that carry one member id and may get lost."""

from __future__ import annotations

import structlog
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from config import limits
from config.celery import RESCUE, SETTLE, TOURNAMENT, app, play_queue
from config.redis import broker
from tables.dealer.state import Desk

log = structlog.get_logger(__name__)

_TASKS = {"play": "tables.advance", "settle": "tables.settle", "tournament": "tournaments.tick"}


def ring(member: str, desk: Desk, rings: int = 1) -> bool:
    """Ask a queue to look at a member; a ring above the first goes to the rescue queue.

    False when the broker is unreachable: the timers ring again.
    """
    try:
        app.send_task(
            _TASKS[desk],
            args=[member],
            queue=_queue(member, desk, rings),
            expires=limits.BELL_EXPIRES_S,
            ignore_result=True,
            retry=False,
        )
    except (OperationalError, OSError) as error:
        log.warning("bell lost", member=member, desk=desk, error=str(error))
        return False
    return True


def is_crowded(desk: Desk) -> bool:
    """Return whether more bells wait in a queue than its workers answer in a second.

    A slow queue would otherwise be rung every second for every table, and would spend its time on
    bells that expired or were rung twice.
    """
    try:
        return int(broker().llen(_queue("", desk, 2))) > limits.BELLS_WAITING_MAX
    except RedisError:
        return False  # the broker does not answer here, so ringing reports the failure


def _queue(member: str, desk: Desk, rings: int) -> str:
    if desk == "settle":
        return SETTLE
    if desk == "tournament":
        return TOURNAMENT
    return play_queue(member) if rings < 2 else RESCUE
