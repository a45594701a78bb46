"""Answer to a request that failed because a server of the room did not answer: 503, never 500."""

from __future__ import annotations

import sys
from http import HTTPStatus

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views.defaults import server_error
from kombu.exceptions import OperationalError as BrokerError
from redis import exceptions as redis

from config import limits, metrics
from config.door.refusals import RequestRefused, written_for
from config.files.away import FileAway

AWAY = (
    *(OperationalError, InterfaceError, BrokerError),
    *(redis.ConnectionError, redis.TimeoutError, redis.ReadOnlyError),
    *(redis.ClusterError, redis.ClusterDownError, redis.MasterDownError),
    FileAway,
)
"""Errors where no server answers, or none that may write, and of a stored file that is missing."""

ENDED_SESSIONS = ("25006", "25P03")
"""States of PostgreSQL beside those: a standby that only reads, a transaction that waited."""

_CHAIN_MAX = 10
_SAFE = ("GET", "HEAD", "OPTIONS")


def failed(request: HttpRequest, template_name: str = "500.html") -> HttpResponse:
    """Answer a request whose work raised: 503 where a server is away, else the page of a fault."""
    if not is_away(sys.exc_info()[1]):
        return server_error(request, template_name)
    metrics.FAULTS.labels("server_away").inc()
    refusal = RequestRefused(
        HTTPStatus.SERVICE_UNAVAILABLE, "server_away", retry_s=limits.BUSY_RETRY_S
    )
    is_safe = request.method in _SAFE
    kind, body = written_for(
        request,
        refusal,
        _sentence(is_safe),
        again_s=limits.BUSY_RETRY_S if is_safe else None,
    )
    answer = HttpResponse(body, content_type=kind, status=refusal.status)
    answer["Retry-After"] = str(limits.BUSY_RETRY_S)
    answer["Cache-Control"] = "no-store"
    return answer


def is_away(error: BaseException | None) -> bool:
    """Return whether an error, or one that it came from, says that a server does not answer."""
    for _ in range(_CHAIN_MAX):
        if error is None:
            return False
        if isinstance(error, AWAY) or getattr(error, "sqlstate", None) in ENDED_SESSIONS:
            return True
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return False


def _sentence(is_safe: bool) -> str:
    """Return what happened; a change may have been made before the server was lost."""
    if is_safe:
        return gettext(
            "A server of the room does not answer at the moment. Please try again in a few seconds."
        )
    return gettext(
        "A server of the room does not answer at the moment. Please look first whether your"
        " request was carried out, then try again in a few seconds."
    )
