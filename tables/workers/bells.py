"""Ring bells: Celery messages that carry one member id and may get lost."""

from __future__ import annotations

import structlog
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from config import clock, limits
from config.celery import SETTLE, TOURNAMENT, app, play_queue
from config.redis import broker
from tables.dealer.state import QueueKind

log = structlog.get_logger(__name__)

RUNG_MS = "rung_ms"
"""Header of a bell: when it was rung, by the clock of its machine; for measuring only."""

TASKS: dict[QueueKind, str] = {
    "play": "tables.advance",
    "settle": "tables.settle",
    "tournament": "tournaments.tick",
}
"""Task of each kind of queue."""


def ring(member: str, kind: QueueKind) -> bool:
    """Ask the queue of a member and kind to look at the member.

    False when the broker is unreachable: the timers ring again.
    """
    try:
        app.send_task(
            TASKS[kind],
            args=[member],
            queue=queue(member, kind),
            expires=limits.BELL_EXPIRES_S,
            headers={RUNG_MS: clock.now_ms()},
            ignore_result=True,
            retry=False,
        )
    except (OperationalError, OSError) as error:
        log.warning("bell lost", member=member, queue=kind, error=str(error))
        return False
    return True


def is_crowded(queue: str) -> bool:
    """Return whether more bells wait in a queue than its workers answer in a second.

    A slow queue would otherwise be rung every second for every table, and would spend its time on
    bells that expired or were rung twice.
    """
    return waiting(queue) > limits.BELLS_WAITING_MAX


def waiting(queue: str) -> int:
    """Return how many bells wait in a queue; 0 when the broker is unreachable."""
    try:
        return int(broker().llen(queue))
    except RedisError:
        return 0  # ringing reports the failure


def queue(member: str, kind: QueueKind) -> str:
    """Return the queue of a member's bells."""
    if kind == "settle":
        return SETTLE
    if kind == "tournament":
        return TOURNAMENT
    return play_queue(member)
