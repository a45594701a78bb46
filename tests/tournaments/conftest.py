"""Tests of the tournaments' shell run with both Redis servers up."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from tables.gateway import database


@pytest.fixture
def house(room: Redis, broker: Redis, transactional_db: None) -> Iterator[Redis]:
    """The room's Redis, with the broker and an empty database beside it."""
    yield room
    database.close()
