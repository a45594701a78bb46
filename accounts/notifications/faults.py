"""Fault of one player's data, such as a time zone that this machine lacks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import structlog
from django.db import Error as DatabaseError

log = structlog.get_logger(__name__)


@contextmanager
def of_one_player(user: int) -> Iterator[None]:
    """Log a fault in the block, which concerns this user; it stops no other player's notifications.

    A server that is away concerns all: its errors are raised.
    """
    try:
        yield
    except (DatabaseError, OSError):
        raise
    except Exception:
        log.exception("notification broken", user=user)
