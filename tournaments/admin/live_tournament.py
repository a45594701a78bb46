"""One tournament on the live page: its tick, its tables, its unpublished events."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import Count, Min
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from config import redis
from config.inputs.numbers import whole
from tables.models import Table
from tables.monitor import single_tables
from tables.monitor.single_tables import StoredTable
from tournaments import featuring
from tournaments.admin.steps import RUN
from tournaments.entries.privacy import STAFF_RIGHT
from tournaments.events import bells
from tournaments.models import Announcement, Tournament

_PHASES = {
    "boundary": _("between hands"),
    "granted": _("about to deal"),
    "hand": _("hand in play"),
    "run_out": _("cards being shown"),
    "finished": _("being settled"),
    "closed": _("closed"),
}


def asked(request: HttpRequest) -> Tournament | None:
    """Return the tournament in `?tournament=`; None for the room as a whole.

    Tournaments are for staff who look at all of them: private ones and those of clubs are among
    them.
    """
    named = request.GET.get("tournament", "")
    if not named:
        return None
    if not any(request.user.has_perm(right) for right in (STAFF_RIGHT, RUN)):
        raise PermissionDenied
    number = whole(named)
    tournament = None if number is None else Tournament.objects.filter(pk=number).first()
    if tournament is None:
        raise Http404
    return tournament


def seen(tournament: Tournament, now_ms: int) -> dict[str, Any]:
    """Return the values of the tournament's part of the page; `now_ms` by the room's clock."""
    tables = list(featuring.open_tables(tournament).order_by("number"))
    looks = single_tables.read_tables(redis.room(), [table.pk for table in tables], now_ms)
    listed = [_row(table, now) for table, now in zip(tables, looks, strict=True)]
    due_ms = bells.due(tournament.pk)
    return {
        "tables": listed,
        "disconnected": sum(row["disconnected"] for row in listed),
        "stuck": sum(row["stuck"] for row in listed),
        "tick_late_ms": 0 if due_ms is None else max(0, now_ms - int(due_ms)),
        "untold": _untold(tournament),
    }


def _row(table: Table, now: StoredTable) -> dict[str, Any]:
    if now.phase is None:
        words = _("not in Redis")
    else:
        words = _("waits") if now.waits else _PHASES[now.phase]
    return {
        "pk": table.pk,
        "number": table.number,
        "hand": now.hand,
        "phase": words,
        "quiet_s": None if now.quiet_ms is None else now.quiet_ms // 1_000,
        "late_ms": now.late_ms,
        "rings": now.rings,
        "stuck": now.is_stuck,
        "seated": now.seated,
        "disconnected": now.disconnected,
    }


def _untold(tournament: Tournament) -> dict[str, int]:
    """Count a tournament's unpublished events, with the age of the first in ms."""
    waiting = Announcement.objects.filter(stream=tournament.member, published=False)
    totals = waiting.aggregate(count=Count("pk"), since=Min("at"))
    since = totals["since"]
    lag = 0 if since is None else int((timezone.now() - since).total_seconds() * 1_000)
    return {"count": totals["count"], "lag_ms": lag}
