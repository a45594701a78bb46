"""Tests of the tournaments' shell run with both Redis servers up."""

from __future__ import annotations

import pytest
from redis import Redis


@pytest.fixture
def house(room: Redis, broker: Redis, transactional_db: None) -> Redis:
    """The room's Redis, with the broker and an empty database beside it."""
    return room
