"""Under which name and address failed log-ins are counted, so that nothing dodges the lock-out."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from accounts.names import fold

_KEPT_CHARACTERS = 60


def attempted_name(request: HttpRequest | None, credentials: Mapping[str, Any] | None) -> str:
    """The folded name of a log-in attempt; django-axes locks out by it (issue: bad input).

    Forms call the field `username`, the model calls it `name`: without this both would be
    counted apart, and so would "Alice" and "ALICE", who are one user.
    """
    given = credentials or (request.POST if request is not None else {})
    typed = given.get("username") or given.get("name") or ""
    return fold(str(typed)).replace("\0", "")[:_KEPT_CHARACTERS]


def address(request: HttpRequest) -> str | None:
    """Who asks, as the outermost of our own proxies saw him; without proxies who connected.

    Each proxy sets X-Forwarded-For, or adds who asked it at the end: what a client wrote there
    himself stands before all of these and is not read.
    """
    peer = request.META.get("REMOTE_ADDR") or None
    seen = [word.strip() for word in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
    if not settings.PROXIES or seen == [""]:
        return peer
    try:
        return str(ip_address(seen[-min(settings.PROXIES, len(seen))]))
    except ValueError:
        return peer
