"""Names and addresses under which failed log-ins are counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from axes.utils import reset
from django.http import HttpRequest

from accounts.models import User
from accounts.names import fold
from config.door.source import UNKNOWN, seen_from, source_of

_KEPT_CHARACTERS = 60


def attempted_name(request: HttpRequest | None, credentials: Mapping[str, Any] | None) -> str:
    """Return the folded name of a log-in attempt, by which django-axes locks out.

    Forms call the field `username`, the model calls it `name`: without folding, both would be
    counted apart, and so would "Alice" and "ALICE", who are one user.
    """
    given = credentials or (request.POST if request is not None else {})
    typed = given.get("username") or given.get("name") or ""
    return fold(str(typed)).replace("\0", "")[:_KEPT_CHARACTERS]


def address(request: HttpRequest) -> str | None:
    """Return the source of a log-in attempt: its address, for IPv6 the /64 network."""
    source = source_of_request(request)
    return None if source == UNKNOWN else source


def forgive(request: HttpRequest, user: User) -> None:
    """Forget the failed log-ins of a user from this address, after another proof of the person."""
    reset(ip=address(request), username=attempted_name(request, {"username": user.name}))


def source_of_request(request: HttpRequest) -> str:
    """Return the source of a page request, as used by limits per address."""
    meta = request.META
    peer = meta.get("REMOTE_ADDR") or None
    return source_of(seen_from(peer, meta.get("HTTP_X_FORWARDED_FOR", "")))
