"""Fresh list of ring games for each test: requests of one process share it for a second."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def fresh_games() -> None:
    """Forget the games of the test before."""
    from tables.ring.pages.lobby import shared_games

    shared_games.forget()
