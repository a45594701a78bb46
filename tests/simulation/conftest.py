"""Servers for the simulated worlds of the tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from redis import Redis

from tests.simulation import spares


@pytest.fixture
def servers(room: Redis, broker: Redis, transactional_db: None) -> Iterator[None]:
    """Real Redis and PostgreSQL servers, emptied by each seed."""
    yield
    spares.KEPT.close()
