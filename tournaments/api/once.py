"""Idempotency keys: a repeated request changes nothing and gets its first answer again."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from ninja import Schema

from accounts.models import ApiAnswer, User
from config.refusals import Refusal
from config.refusals import marked as _

HEADER = "Idempotency-Key"
_KEY = re.compile(r"[!-~]{1,64}")


def _parameter(*, required: bool) -> dict[str, Any]:
    schema = {"type": "string", "pattern": f"^{_KEY.pattern}$"}
    header = {"in": "header", "name": HEADER, "required": required, "schema": schema}
    return {"parameters": [header]}


KEY_PARAMETER = _parameter(required=True)
"""Description of the header for the OpenAPI document."""

CHOSEN_KEY_PARAMETER = _parameter(required=False)
"""Description of the header where a request may come without one."""


class MissingKey(Refusal):
    """Refusal of a changing request without a key, or with one that is no key."""

    code = "missing_key"
    sentence = _("The header %(header)s must have 1 to 64 visible ASCII characters.")


class ReusedKey(Refusal):
    """Refusal of another request under a key that was used."""

    code = "reused_key"
    sentence = _("This key belongs to another request.")


def once(request: HttpRequest, user: User, act: Callable[[], Schema]) -> dict[str, Any]:
    """Return the answer of `act`, or the stored one of the request's key; kept for a day.

    A refusal of `act` stores nothing: the request may be repeated under its key. Raises MissingKey
    and ReusedKey before any change.
    """
    key = request.headers.get(HEADER, "")
    if _KEY.fullmatch(key) is None:
        raise MissingKey(header=HEADER)
    # 1. The row is written with the change. A second request under its key waits here for the end
    #    of the first one's transaction, and finds the answer or nothing.
    digest = _digest(request)
    with transaction.atomic():
        row, is_new = ApiAnswer.objects.get_or_create(
            user=user, key=key, defaults={"digest": digest}
        )
        if not is_new:
            if row.digest != digest:
                raise ReusedKey
            return dict(row.answer or {})
        # 2. Change, and keep the answer in the same transaction.
        answer = act().model_dump(mode="json")
        ApiAnswer.objects.filter(pk=row.pk).update(answer=answer)
    return answer


def once_if_named(
    request: HttpRequest, user: User, act: Callable[[], Schema]
) -> Schema | dict[str, Any]:
    """Return the answer of `once` to a request with a key, and that of `act` to one without."""
    return once(request, user, act) if HEADER in request.headers else act()


def _digest(request: HttpRequest) -> str:
    told = f"{request.method} {request.get_full_path()}\n".encode() + request.body
    return sha256(told).hexdigest()
