"""Tells a load balancer whether this process lives and whether it can serve."""

from __future__ import annotations

from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from config import redis


@never_cache
@require_safe
def alive(request: HttpRequest) -> JsonResponse:
    """200 as long as the process answers at all; asks no other server."""
    return JsonResponse({"ok": True})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """200 when PostgreSQL and both Redis servers answer, else 503 with which of them does not."""
    parts = {
        "database": _answers(_ask_database),
        "room": _answers(lambda: redis.room().ping()),
        "broker": _answers(lambda: redis.broker().ping()),
    }
    ok = all(parts.values())
    return JsonResponse({"ok": ok, **parts}, status=200 if ok else 503)


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _answers(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except Exception:  # whatever the driver raises, the answer is "not ready"
        return False
    return True
