"""Private events of seats as Redis keeps them: in boxes that workers close and gateways open.

The key comes from SECRET_KEY, which every process of the room has, and no database: who only reads
Redis, its file or a copy of it reads no hole card of a hand in play.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import structlog
from django.conf import settings

from config import entropy
from tables.fairness import boxes
from tables.fairness.boxes import BoxKey, DamagedBox

log = structlog.get_logger(__name__)

BOXED = b"\x01"
"""First byte of a boxed event; those of the releases before are JSON objects in plain."""


def box_event(stream: str, line_id: str, raw: bytes) -> bytes:
    """Return the box of a private event, bound to its stream of Redis and its id."""
    key = _key(settings.SECRET_KEY)
    return BOXED + boxes.close_box(key, entropy.nonce(), raw, _place(stream, line_id))


def open_all(stream: str, lines: Iterable[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return ids and private events; an event that cannot be read is left out, as if trimmed."""
    found: list[tuple[str, bytes]] = []
    for line_id, kept in lines:
        try:
            found.append((line_id, _opened(stream, line_id, kept)))
        except DamagedBox as error:
            log.error("private event unreadable", stream=stream, id=line_id, error=str(error))
    return found


def _opened(stream: str, line_id: str, kept: bytes) -> bytes:
    if kept[:1] != BOXED:
        return kept
    *older, last = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    for text in older:
        try:
            return boxes.open_box(_key(text), kept[1:], _place(stream, line_id))
        except DamagedBox:
            continue
    return boxes.open_box(_key(last), kept[1:], _place(stream, line_id))


def _place(stream: str, line_id: str) -> bytes:
    return f"{stream} {line_id}".encode()


@lru_cache(8)
def _key(text: str) -> BoxKey:
    return boxes.derived(text.encode(), "private", b"")
