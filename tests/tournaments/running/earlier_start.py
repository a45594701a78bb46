"""Tournaments moved back in time, so that their clock reads later."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F

from tournaments.models import Tournament
from tournaments.running import tick

PLAY_MS = 3_600_000
MINUTE_MS = 60_000


def time_passes(tournament: Tournament, ms: int) -> None:
    """Move the start of a tournament back by `ms`, and tick."""
    Tournament.objects.filter(pk=tournament.pk).update(started_ms=F("started_ms") - ms)
    tick.tick(tournament.pk)
    tournament.refresh_from_db()


def backdate(tournament: Tournament, ms: int) -> None:
    """Move the start of a tournament back by `ms` without a tick."""
    row = Tournament.objects.get(pk=tournament.pk)
    row.started_ms = (row.started_ms or 0) - ms
    row.save(update_fields=["started_ms"])


def outage_passes(tournament: Tournament, ms: int) -> None:
    """Move everything of a tournament back in time, as after an outage that began just now."""
    Tournament.objects.filter(pk=tournament.pk).update(
        started_ms=F("started_ms") - ms,
        heartbeat_ms=F("heartbeat_ms") - ms,
        stopped_since_ms=F("stopped_since_ms") - ms,
    )
    tournament.deals.filter(state="open").update(until_ms=F("until_ms") - ms)
    tournament.offers.update(
        until_ms=F("until_ms") - ms, made_at=F("made_at") - timedelta(milliseconds=ms)
    )
    Tournament.objects.filter(pk=tournament.pk, add_on_until_ms__isnull=False).update(
        add_on_until_ms=F("add_on_until_ms") - ms
    )
