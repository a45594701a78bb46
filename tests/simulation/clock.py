"""Virtual clock that only the scheduler moves: for Python, for callers of PostgreSQL and for Lua
scripts; and the name of the run of Redis that answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from django.db.models import Q
from django.utils import timezone

from config import clock
from tables.records import hand_months
from tables.store import lua
from tests.simulation.line import Line

START_MS = 1_800_000_000_000
KEY = "simulated:now"
_ASKS_REDIS = (Path(lua.__file__).parent / "clock.lua").read_text()
RUN = "simulated:run"
_ASKS_RUN = (Path(lua.__file__).parent / "run.lua").read_text()
_ASKS_OUR_RUN = f"local function run_id() return redis.call('GET', '{RUN}') end\n"
_ASKS_US = f"local function now_ms() return tonumber(redis.call('GET', '{KEY}')) end\n"


class VirtualClock:
    """Milliseconds since the epoch; `database_ahead_ms` is how far PostgreSQL's clock is ahead."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.now_ms = START_MS
        self.database_ahead_ms = 0
        self.run = 1
        self.tell()

    def go_to(self, now_ms: int) -> None:
        """Set the time to `now_ms`."""
        if now_ms != self.now_ms:
            self.now_ms = now_ms
            self.tell()

    def tell(self) -> None:
        """Write time and run where the scripts read them; needed again after Redis was emptied."""
        self._line.ask(("SET", KEY, self.now_ms), ("SET", RUN, self.run_id))

    @property
    def run_id(self) -> str:
        """Name of the run of Redis that answers."""
        return f"run-{self.run}"

    def database_ms(self) -> int:
        """Time of PostgreSQL in ms since the epoch."""
        return self.now_ms + self.database_ahead_ms

    @contextmanager
    def installed(self, scripts: dict[str, tuple[str, str]]) -> Iterator[None]:
        """Let this clock answer every request for the time.

        `scripts` are planted defects: by script, a piece of its text and the replacement.
        """
        real = lua.source

        def source(name: str) -> str:
            text = real(name).replace(_ASKS_REDIS, _ASKS_US).replace(_ASKS_RUN, _ASKS_OUR_RUN)
            if name in scripts:
                old, new = scripts[name]
                assert old in text, f"{name} has changed: it lacks {old!r}"
                text = text.replace(old, new)
            return text

        def redis_now_ms(_: Any) -> int:
            return self.now_ms

        def now() -> datetime:
            return datetime.fromtimestamp(self.database_ms() / 1_000, UTC)

        with ExitStack() as stack:
            stack.enter_context(patch.object(lua, "source", source))
            stack.enter_context(patch.object(clock, "redis_now_ms", redis_now_ms))
            stack.enter_context(patch.object(clock, "database_now_ms", self.database_ms))
            stack.enter_context(patch.object(clock, "now_ms", lambda: self.now_ms))
            stack.enter_context(patch.object(timezone, "now", now))
            # Keys of hands follow the clock of PostgreSQL, which runs: their months are not these.
            stack.enter_context(patch.object(hand_months, "between", lambda *_: Q()))
            yield
