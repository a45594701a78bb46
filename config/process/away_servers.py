"""One line for the operator about a server that ended a command, in place of a hundred."""

from __future__ import annotations

from django.db import OperationalError
from redis.exceptions import ConnectionError, TimeoutError

CHAIN_MAX = 10


def sentence_of(error: BaseException) -> str:
    """Return which server a command could not use, and why; "" for an error of another kind.

    A connection that fails has no code of PostgreSQL: what the server itself refuses has one, and
    wants the whole trace.
    """
    found: BaseException | None = error
    for _ in range(CHAIN_MAX):
        if found is None:
            return ""
        if isinstance(found, OperationalError):
            has_code = getattr(found.__cause__, "sqlstate", None)
            return "" if has_code else f"PostgreSQL cannot be used: {str(found).strip()}"
        if isinstance(found, ConnectionError | TimeoutError):
            return f"A Redis cannot be used: {str(found).strip()}"
        found = found.__cause__
    return ""
