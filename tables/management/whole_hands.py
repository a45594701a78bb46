"""Commands that read finished hands with all cards: they hold the record key, or say what lacks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError

from config.environment import KeyFileMissing
from tables.records.month_keys import NoMonthKey, record_keys


@contextmanager
def whole_hands(path: Path | None = None) -> Iterator[None]:
    """Hold the record key of this room, or of a file; turn its lack into a sentence."""
    try:
        record_keys.load_file(path)
        yield
    except (KeyFileMissing, NoMonthKey) as missing:
        raise CommandError(str(missing)) from missing
