"""How the tournaments are doing now, for Prometheus."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Count, Sum

from config import clock, redis
from config.metrics import Row
from tournaments.models import Announcement, Tournament
from tournaments.models.tournament import State
from tournaments.monitor import audit_watch


def gauges() -> Iterator[Row]:
    """Tournaments by state, players left, what waits to be told, what the auditor found."""
    rows = Tournament.objects.values("state").annotate(n=Count("pk"), left=Sum("left"))
    states = {row["state"]: row for row in rows.order_by()}
    for state in State.values:
        count = states[state]["n"] if state in states else 0
        yield "room_tournaments", "Tournaments by state", {"state": state}, count
    playing = (State.RUNNING, State.PAUSED, State.FROZEN)
    left = sum(states[state]["left"] or 0 for state in playing if state in states)
    yield "room_players", "Players left in tournaments that are played", {}, left
    untold = Announcement.objects.filter(published=False).count()
    yield "room_announcements_waiting", "Facts not published yet", {}, untold
    found = audit_watch.last()
    if found is not None:
        age_s = (clock.redis_now_ms(redis.room()) - found.at_ms) / 1_000
        count = len(found.findings)
        yield "room_audit_findings", "What the auditor found at its last look", {}, count
        yield "room_audit_age_seconds", "Since the last look of the auditor", {}, age_s
