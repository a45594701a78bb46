"""Live page of the room, or of one tournament: workers, queues, stuck tables, the auditor."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import Error as DatabaseError
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.translation import gettext as _
from redis.exceptions import RedisError

from tables.models import Table
from tables.monitor import condition
from tables.monitor.condition import Condition
from tables.store import keys
from tournaments.admin import live_tournament
from tournaments.locks import DIRECTOR
from tournaments.models import Tournament
from tournaments.monitor import audit_watch

AUDITOR_LATE_MS = 300_000
"""Age of the last check from which the page calls the auditor late, as the alert does."""


def live(request: HttpRequest) -> HttpResponse:
    """Show the page; htmx polls its inner part alone."""
    tournament = live_tournament.asked(request)
    context = {"title": _("The room now"), "tournament": tournament, **_seen(tournament)}
    if not request.headers.get("HX-Request"):
        context = admin.site.each_context(request) | context
        return TemplateResponse(request, "admin/live.html", context)
    return TemplateResponse(request, "admin/_live.html", context)


urlpatterns = [path("admin/live/", admin.site.admin_view(live), name="admin_live")]


def _seen(tournament: Tournament | None) -> dict[str, Any]:
    try:
        now = condition.read_condition()
        audit = audit_watch.last()
        workers = [
            {
                "name": worker.name,
                "queues": ", ".join(worker.queues),
                "ago_s": max(0, now.now_ms - worker.seen_ms) // 1_000,
                "away": now.is_away(worker),
            }
            for worker in now.workers
        ]
        tournament_part = (
            None if tournament is None else live_tournament.seen(tournament, now.now_ms)
        )
        late = audit is not None and now.now_ms - audit.at_ms > AUDITOR_LATE_MS
        return {
            "now": now,
            "one": tournament_part,
            "workers": workers,
            "stuck": _stuck(now),
            "audit": audit,
            "audit_late": late,
            "audit_ago_s": 0 if audit is None else (now.now_ms - audit.at_ms) // 1_000,
        }
    except (RedisError, DatabaseError, OSError) as problem:
        return {"away": str(problem)}


def _stuck(now: Condition) -> list[dict[str, Any]]:
    ids = [keys.number(item.member) for item in now.stuck if item.member.startswith("table:")]
    games = dict(Table.objects.filter(pk__in=ids, director=DIRECTOR).values_list("pk", "game"))
    return [
        {
            "member": item.member,
            "queue": item.queue,
            "rings": item.rings,
            "page": _page(item.member, games),
        }
        for item in now.stuck
    ]


def _page(member: str, games: dict[int, int]) -> str | None:
    number = keys.number(member)
    if member.startswith("tournament:"):
        return reverse("admin:tournaments_tournament_change", args=[number])
    if number in games:
        return reverse("admin:tournaments_tournament_change", args=[games[number]])
    return None
