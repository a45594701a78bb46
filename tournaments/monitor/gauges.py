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
    # Counted in the index of states alone: the rows of years are large.
    counted = Tournament.objects.order_by().values("state").annotate(n=Count("*"))
    states = dict(counted.values_list("state", "n"))
    for state in State.values:
        yield "room_tournaments", "Tournaments by state", {"state": state}, states.get(state, 0)
    playing = Tournament.objects.filter(state__in=(State.RUNNING, State.PAUSED, State.FROZEN))
    left = playing.aggregate(left=Sum("left", default=0))["left"]
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
