"""Gauges of tournaments for Prometheus."""

from __future__ import annotations

import math
from collections.abc import Iterator

from django.db.models import Count, Sum

from config import clock, redis
from config.metrics import Row
from tournaments.models import Announcement, Tournament
from tournaments.models.tournament import State
from tournaments.monitor import audit_watch


def gauges() -> Iterator[Row]:
    """Tournaments by state, players left, unpublished announcements, findings of the auditor."""
    rows = Tournament.objects.values("state").annotate(n=Count("pk"), left=Sum("left"))
    states = {row["state"]: row for row in rows.order_by()}
    for state in State.values:
        count = states[state]["n"] if state in states else 0
        yield "room_tournaments", "Tournaments by state", {"state": state}, count
    playing = (State.RUNNING, State.PAUSED, State.FROZEN)
    left = sum(states[state]["left"] or 0 for state in playing if state in states)
    yield "room_players", "Players left in running tournaments", {}, left
    unpublished = Announcement.objects.filter(published=False).count()
    yield "room_announcements_waiting", "Events not published yet", {}, unpublished
    result, age_s = audit_watch.last(), math.inf
    if result is not None:
        age_s = (clock.redis_now_ms(redis.room_at_once()) - result.at_ms) / 1_000
        count = len(result.findings)
        yield "room_audit_findings", "Findings of the auditor's last check", {}, count
    # Also without any check: an alert on a series that is not there would never strike.
    yield "room_audit_age_seconds", "Seconds since the auditor's last check", {}, age_s
