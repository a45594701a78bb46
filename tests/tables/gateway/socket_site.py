"""Fixtures of the socket tests: a server, and a plain kind of stream whose state is its length."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from django.conf import settings
from redis import Redis

from config import limits
from tables.gateway.streams import known_kinds
from tables.store import keys, streams
from tests.tables.gateway.sockets import Site, reserved_port

KIND = "count"

told: dict[str, int] = {}
"""Number of events written to each stream of the test kind."""


async def _state(name: str, user: int | None) -> tuple[str, bytes] | None:
    if name not in told:
        raise known_kinds.NoSuchStream(name)
    return f"0-{told[name]}", msgspec.json.encode({"count": told[name], "user": user})


@pytest.fixture
def site(
    transactional_db: None, room: Redis, broker: Redis, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Site]:
    """Running web server on clean databases; commands wait until the test answers them."""
    monkeypatch.setattr(limits, "COMMAND_ANSWER_MAX_MS", 60_000)
    told.clear()
    kinds = dict(known_kinds._kinds)
    monkeypatch.setattr(known_kinds, "_kinds", kinds)  # the test kind ends with the test
    known_kinds.register_snapshot(KIND, _state)
    running = Site(reserved_port())
    running.start()
    yield running
    running.stop()


def write(room: Redis, name: str, **fields: Any) -> None:
    """Write the next fact of a stream of the test kind and publish it."""
    told[name] = told.get(name, 0) + 1
    payload = msgspec.json.encode({"type": "counted", "n": told[name]} | fields)
    streams.publish(room, name, told[name], payload)


def lose(room: Redis, name: str) -> None:
    """Write the next fact of a stream to Redis without its hint."""
    told[name] = told.get(name, 0) + 1
    line_id = f"0-{told[name]}"
    raw = msgspec.json.encode({"id": line_id, "type": "counted", "n": told[name]})
    room.xadd(keys.events(name, settings.SHARDS), {"e": raw}, id=line_id)
