"""Parts of a streamed answer, made in visits to the thread of the request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from itertools import islice

from asgiref.sync import sync_to_async
from django.db import close_old_connections

PARTS_AT_ONCE = 10
"""Parts prepared before the process turns to other requests."""


async def without_blocking(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield the parts of a stream joined by some, made in the thread of the request."""
    take = sync_to_async(_some)
    while (joined := await take(parts)) is not None:
        yield joined


def _some(parts: Iterator[bytes]) -> bytes | None:
    """Return the next parts joined, None at the end."""
    taken = list(islice(parts, PARTS_AT_ONCE))
    # A reader may be slow: no connection waits for it.
    close_old_connections()
    if not taken:
        return None
    return b"".join(taken)
