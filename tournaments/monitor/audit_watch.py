"""The auditor beside a live room: looks again and again, and leaves what it found for everybody."""

from __future__ import annotations

import time

import msgspec
import structlog
from django.db import Error as DatabaseError
from django.db import close_old_connections
from redis.exceptions import RedisError

from accounts.ledger import seals
from config import clock, metrics, redis
from tournaments.monitor.audit_course import Course

log = structlog.get_logger(__name__)

FOUND = "audit"
"""Key of what the auditor found when it last looked."""

EVERY_S = 15.0
SHARE_MAX = 0.05
"""Most of its time that the auditor spends looking: the room is there to be played in."""

FINDINGS_KEPT = 50

SEALS_CHECKED = 5
"""Seals of each chain that one look recomputes; the next look goes on behind them."""


class Found(msgspec.Struct, frozen=True):
    """The last look of the auditor: when (room's clock, ms), how long, and what it found."""

    at_ms: int
    took_ms: int
    looks: int
    findings: tuple[str, ...]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Found).decode


def watch() -> None:
    """Look until somebody stops this process; a server that is away is no finding."""
    course, looks = Course(None), 0
    chain_from: dict[str, int] = {}
    while True:
        began_s = time.monotonic()
        try:
            found = course.look(clock.monotonic_ms() / 1_000)
            seals.seal()
            found += seals.check_some(chain_from, SEALS_CHECKED)
            looks += 1
            leave(found, looks=looks, took_s=time.monotonic() - began_s)
        except (DatabaseError, RedisError, OSError) as error:
            log.warning("audit delayed", error=str(error))
        finally:
            close_old_connections()
        took_s = time.monotonic() - began_s
        time.sleep(max(EVERY_S, took_s / SHARE_MAX))


def leave(findings: list[str], *, looks: int, took_s: float) -> None:
    """Log every finding, count it, and leave it where the admin and Prometheus look."""
    for finding in findings:
        metrics.FAULTS.labels("audit").inc()
        log.error("audit", finding=finding)
    client = redis.room()
    found = Found(
        at_ms=clock.redis_now_ms(client),
        took_ms=int(took_s * 1_000),
        looks=looks,
        findings=tuple(findings[:FINDINGS_KEPT]),
    )
    client.set(FOUND, _encode(found))


def last() -> Found | None:
    """What the auditor found when it last looked; None when it never did."""
    raw = redis.room().get(FOUND)
    return None if raw is None else _decode(raw)
