"""Health checks for load balancers and metrics for Prometheus."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import connection
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from config import metrics, redis


@never_cache
@require_safe
def alive(request: HttpRequest) -> JsonResponse:
    """Return 200 as long as the process answers; ask no server."""
    return JsonResponse({"ok": True})


@never_cache
@require_safe
def ready(request: HttpRequest) -> JsonResponse:
    """Return 200 when PostgreSQL and both Redis servers answer, else 503 naming the silent ones."""
    parts = {
        "database": _answers(_ask_database),
        "room": _answers(lambda: redis.ping(settings.ROOM_REDIS_URL)),
        "broker": _answers(lambda: redis.ping(settings.BROKER_URL)),
    }
    ok = all(parts.values())
    return JsonResponse({"ok": ok, **parts}, status=200 if ok else 503)


@never_cache
@require_safe
def numbers(request: HttpRequest) -> HttpResponse:
    """Return the metrics to this machine or to holders of METRICS_TOKEN, else 404."""
    if not _may_look(request):
        raise Http404
    return HttpResponse(metrics.text(), content_type=CONTENT_TYPE_LATEST)


def _may_look(request: HttpRequest) -> bool:
    token = settings.METRICS_TOKEN
    if token:
        return metrics.may_read(request.headers.get("Authorization", ""), token)
    # A proxy on this machine forwards requests of others.
    forwarded = "X-Forwarded-For" in request.headers or "Forwarded" in request.headers
    return request.META.get("REMOTE_ADDR") in ("127.0.0.1", "::1") and not forwarded


def _ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _answers(ask: Callable[[], object]) -> bool:
    try:
        ask()
    except Exception:  # whatever the driver raises, the answer is "not ready"
        return False
    return True
