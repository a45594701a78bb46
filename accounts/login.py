"""Under which name failed log-ins are counted, so that spelling cannot dodge the lock-out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
