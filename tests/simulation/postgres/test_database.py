"""PostgreSQL of a simulated world: its rows come back, and what made a run doubtful lasts."""

from __future__ import annotations

import pytest

from accounts.models import User
from accounts.users import bots
from tests.simulation.postgres.copies import DatabaseKeeper
from tests.simulation.postgres.drawn import PROMOTED, RESTARTED, SetBack
from tests.simulation.world import World, table_names

SEED = 11
"""A seed in which PostgreSQL fails."""


def _fault(kind: str) -> SetBack:
    return SetBack(kind, lag=1, is_long=False, looks_after_ms=300, has_right_server=False)


@pytest.mark.usefixtures("servers")
def test_rows_and_sequences_come_back() -> None:
    first = bots.create(3)[0]
    keeper = DatabaseKeeper(table_names())
    try:
        copy = keeper.copy()
        later = bots.create(5)
        User.objects.filter(pk=first.pk).update(is_active=False)
        assert keeper.copy() != copy
        keeper.put_back(copy)
        assert keeper.copy() == copy
    finally:
        keeper.close()
    assert bots.create(5) == later


@pytest.mark.usefixtures("servers")
def test_a_restart_leaves_a_run_as_doubtful_as_it_was() -> None:
    """The law of adoption took the hands for void without a reason (seed 38 of an early draw)."""
    world = World(SEED, only=frozenset())
    world.database._waits = False
    world.database._plans = {60: _fault(PROMOTED), 61: _fault(RESTARTED)}
    world.run()
    adopted = [line for line in world.trace if "postgresql is adopted" in line]
    assert len(adopted) == 1 and adopted[0].endswith("closed: True")
    assert world.counts[PROMOTED] == world.counts[RESTARTED] == 1
