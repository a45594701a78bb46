"""Fixtures of tournament tests that need both Redis servers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from tables.gateway import database


@pytest.fixture
def house(room: Redis, broker: Redis, transactional_db: None) -> Iterator[Redis]:
    """Redis of the room, with the broker and an empty database beside it."""
    from tournaments.queries.scene import forget_scenes

    # Numbers of tournaments begin anew in each empty database.
    forget_scenes()
    yield room
    database.close_threads()
