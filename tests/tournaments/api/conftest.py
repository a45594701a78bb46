"""Fresh answers for each test: callers in one process share some of them for a second."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def fresh_answers() -> None:
    """Forget the answers of the test before."""
    from tournaments.api.shared import forget_answers

    forget_answers()
