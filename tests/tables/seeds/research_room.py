"""A research room for tests: the mark, and no memory of the rooms before and after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from accounts.research.mark import told
from tables.seeds import marking


@contextmanager
def research_room() -> Iterator[None]:
    """Mark the room of a test; this process has read no mark before, and keeps none after."""
    forget()
    marking.mark_room()
    try:
        yield
    finally:
        forget()


def forget() -> None:
    """Let this process read the mark anew, as one that has just started."""
    told.know(False)
    marking.deals_by_seed.cache_clear()
