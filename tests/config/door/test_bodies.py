"""Sum of held request bodies; floods of a running server are in test_pages."""

from __future__ import annotations

import pytest

from config import limits
from config.door.body import Bodies
from config.door.refusals import Message, RequestRefused

NOTHING_ANNOUNCED: dict[str, list[tuple[bytes, bytes]]] = {"headers": []}


async def _eight_bytes() -> Message:
    return {"type": "http.request", "body": b"x" * 8, "more_body": False}


async def test_bodies_that_are_held_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "BODIES_HELD_MAX_BYTES", 10)
    bodies = Bodies()
    held = await bodies.read(NOTHING_ANNOUNCED, _eight_bytes, "127.0.0.2")
    with pytest.raises(RequestRefused) as refused:
        await bodies.read(NOTHING_ANNOUNCED, _eight_bytes, "127.0.0.3")
    assert (refused.value.code, refused.value.retry_s) == ("busy", limits.BUSY_RETRY_S)
    bodies.release(held)
    assert await bodies.read(NOTHING_ANNOUNCED, _eight_bytes, "127.0.0.3") == held
