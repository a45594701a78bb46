"""Connections to PostgreSQL that answered a moment ago, and are not asked whether they work."""

from __future__ import annotations

import select
import threading
import time
from typing import Any

from django.db import connections

TRUSTED_S = 1.0
"""Time in seconds after an answer in which a connection is used again without asking it first."""


class _Proof(threading.local):
    """The last answer in this thread: of which connection of the driver, and when."""

    connection: Any = None
    at_s = 0.0


_proof = _Proof()


def note(connection: Any) -> None:
    """Note that a connection of this thread has just answered."""
    _proof.connection, _proof.at_s = connection.connection, time.monotonic()


def trust() -> None:
    """Spare Django's question to this thread's connection if it answered a moment ago.

    Django asks each connection once per request, a trip of its own. A server that stopped has
    closed its end, which is seen here without a trip; one that was cut off is not.
    """
    connection: Any = connections["default"]
    known = connection.connection
    if known is None or known is not _proof.connection or connection.errors_occurred:
        return
    is_fresh = time.monotonic() - _proof.at_s < TRUSTED_S
    if is_fresh and not known.closed and _is_silent(known.fileno()):
        connection.health_check_done = True


def _is_silent(socket: int) -> bool:
    """Return whether nothing has arrived: an idle server speaks only to say that it ends."""
    poll = select.poll()
    poll.register(socket, select.POLLIN)
    return not poll.poll(0)
