"""Time is read in one place per language, so that a test can set the clock."""

from __future__ import annotations

from tables.store import lua
from tests.style.sources import files, name

ASKS = "redis.call('TIME')"


def test_one_script_of_the_tables_and_one_of_the_door_ask_redis_for_the_time() -> None:
    asking = [name(path) for path in files(".lua", ".py") if ASKS in path.read_text()]
    # The front door is below the tables and has a script of its own, in microseconds.
    assert asking == [
        "config/door/rate.lua",
        "tables/store/lua/clock.lua",
        "tests/config/test_clock.py",
    ]


def test_a_script_that_needs_the_time_brings_its_clock() -> None:
    assert lua.source("lease").count(ASKS) == 1
    assert ASKS not in lua.source("open")
