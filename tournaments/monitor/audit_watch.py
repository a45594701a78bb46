"""The auditor process: checks a live room periodically and publishes its findings."""

from __future__ import annotations

import time

import msgspec
import structlog
from django.db import Error as DatabaseError
from django.db import close_old_connections
from redis.exceptions import RedisError

from accounts.ledger import checkpoints, seals
from config import clock, metrics, redis
from config.heartbeat import heart
from tournaments.monitor.audit_memory import AuditMemory

log = structlog.get_logger(__name__)

FOUND = "audit"
"""Redis key of the result of the last check."""

EVERY_S = 15.0
SHARE_MAX = 0.05
"""Maximum share of time that the auditor spends on checks, to spare the database."""

REST_MAX_S = 200.0
"""Longest pause between two checks: with a longer one the alert for a silent auditor strikes."""

FINDINGS_KEPT = 50

OVER_CHECKED = 100
"""Tournaments that are over long ago and that one check looks at; the next continues after them.

Each takes ten statements: with all of them the checks of a room became longer with its age, until
the alert for a silent auditor never ended.
"""

SEALS_CHECKED = 5
"""Seals of each chain recomputed by one check; the next check continues after them."""


class AuditFindings(msgspec.Struct, frozen=True):
    """Result of the last check: room time in ms, duration in ms, number of checks, findings."""

    at_ms: int
    took_ms: int
    looks: int
    findings: tuple[str, ...]


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(AuditFindings).decode


def watch() -> None:
    """Check until the process is stopped; an unreachable server is logged, not reported."""
    course, looks = AuditMemory(None, over_most=OVER_CHECKED), 0
    chain_from: dict[str, int] = {}
    sums = checkpoints.SumsAgain()
    while True:
        began_s = time.monotonic()
        heart.beat()
        try:
            findings = course.violations(clock.monotonic_ms() / 1_000)
            seals.seal()
            findings += seals.check_some(chain_from, SEALS_CHECKED)
            checkpoints.move_checkpoint()
            findings += sums.violations(SEALS_CHECKED)
            looks += 1
            leave(findings, looks=looks, took_s=time.monotonic() - began_s)
        except (DatabaseError, RedisError, OSError) as error:
            log.warning("audit delayed", error=str(error))
        finally:
            close_old_connections()
        heart.rest(rest_s(time.monotonic() - began_s))


def rest_s(took_s: float) -> float:
    """Return the pause in s after a check that took so long."""
    return min(max(EVERY_S, took_s / SHARE_MAX), REST_MAX_S)


def leave(findings: list[str], *, looks: int, took_s: float) -> None:
    """Log and count every finding, and store the result for the admin and Prometheus."""
    for finding in findings:
        metrics.FAULTS.labels("audit").inc()
        log.error("audit", finding=finding)
    client = redis.room()
    result = AuditFindings(
        at_ms=clock.redis_now_ms(client),
        took_ms=int(took_s * 1_000),
        looks=looks,
        findings=tuple(findings[:FINDINGS_KEPT]),
    )
    client.set(FOUND, _encode(result))


def last() -> AuditFindings | None:
    """Return the result of the last check, None before it; a hung Redis fails in a second."""
    raw = redis.room_at_once().get(FOUND)
    return None if raw is None else _decode(raw)
