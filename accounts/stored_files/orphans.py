"""Files that no row names: a process died between storing a file and committing its row.

A file is stored before its row, so a file without a row is garbage and a row has its file. Nothing
younger than KEPT counts: its row may be on its way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import islice

import structlog
from django.core.files.storage import default_storage
from django.utils import timezone

from accounts.stored_files.folders import registered

log = structlog.get_logger(__name__)

KEPT = timedelta(days=1)
"""Age from which a file without a row is garbage."""

REMOVED_AT_ONCE_MAX = 1_000
NAMES_AT_ONCE = 500
"""Names of files in one query."""

_OWN = re.compile(r"(\d{4}-\d{2}-)?[0-9a-f]{32}\.(webp|ndjson\.gz)")
"""Names that the room gives; other files in the folders are none of its business."""


def orphans(now: datetime) -> Iterator[str]:
    """Yield the names of files that no row names and that are old enough to be garbage."""
    # The age is asked of these alone: in a bucket each is a request.
    return (path for path, is_named in _looked_at() if not is_named and _is_old(path, now))


def are_most() -> bool:
    """Return whether most files have no row, as beside an empty database or that of another room.

    Then nothing but an order of the operator removes them: they may be pictures and archived hands
    of a database that is still to be restored.
    """
    marks = [is_named for _, is_named in _looked_at()]
    return 2 * sum(marks) < len(marks)


def stored_names() -> list[str]:
    """Return the names of all files in the room's folders, of those that the room gives."""
    return [f"{one.name}/{name}" for one in registered() for name in _own_files(one.name)]


def remove_orphans(now: datetime | None = None, most: int | None = None) -> list[str]:
    """Remove orphans, REMOVED_AT_ONCE_MAX unless `most` is given, and return their names."""
    found = list(islice(orphans(now or timezone.now()), most or REMOVED_AT_ONCE_MAX))
    for path in found:
        default_storage.delete(path)
    if found:
        log.info("orphan files removed", files=len(found))
    return found


def _looked_at() -> Iterator[tuple[str, bool]]:
    """Yield each file of the room's folders, and whether a row names it."""
    for folder in registered():
        own = _own_files(folder.name)
        for first in range(0, len(own), NAMES_AT_ONCE):
            names = own[first : first + NAMES_AT_ONCE]
            named = folder.named(names)
            yield from ((f"{folder.name}/{name}", name in named) for name in names)


def _own_files(folder: str) -> list[str]:
    try:
        return [name for name in default_storage.listdir(folder)[1] if _OWN.fullmatch(name)]
    except FileNotFoundError:  # nothing was stored yet, or this process has no such folder
        return []


def _is_old(path: str, now: datetime) -> bool:
    try:
        return default_storage.get_modified_time(path) < now - KEPT
    except FileNotFoundError:  # deleted meanwhile
        return False
