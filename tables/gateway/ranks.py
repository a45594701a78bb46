"""Ranks of stacks in a field, answered from stacks that were read a moment ago for all sockets."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

import structlog

from config import limits
from tables.gateway.background import BackgroundTasks
from tables.gateway.streams.known_kinds import RankedField, RankReader, kind_of
from tables.wire.client_events import StackRank

if TYPE_CHECKING:
    from tables.gateway.streams.followers import StreamFollower

log = structlog.get_logger(__name__)

Reading = asyncio.Future[RankedField | None]


class Ranks:
    """Fields that followers asked for ranks in, each read at most once in STACKS_RECENT_MS."""

    def __init__(self, tasks: BackgroundTasks) -> None:
        self._tasks = tasks
        self._readings: dict[str, tuple[float, Reading]] = {}

    def ask(self, follower: StreamFollower, chips: int) -> None:
        """Send a follower the rank of a stack in the field of its stream, as soon as that is read.

        A question replaces one of the same follower that still waits.
        """
        waits, follower.ranked_chips = follower.ranked_chips is not None, chips
        if waits:
            return
        reading = self._reading(follower.stream)
        if reading.done():
            self._answer(follower, reading)
        else:
            reading.add_done_callback(partial(self._answer, follower))

    def _reading(self, stream: str) -> Reading:
        now_s = asyncio.get_running_loop().time()
        until_s, reading = self._readings.get(stream, (0.0, None))
        if reading is not None and (now_s < until_s or not reading.done()):
            return reading
        kind = kind_of(stream)
        assert kind is not None and kind.ranks is not None, f"nobody is ranked in {stream}"
        reading = asyncio.get_running_loop().create_future()
        self._tasks.spawn(_read(stream, kind.ranks, reading))
        if len(self._readings) >= limits.RANKED_FIELDS_MAX:
            self._readings.clear()
        self._readings[stream] = (now_s + limits.STACKS_RECENT_MS / 1_000, reading)
        return reading

    def _answer(self, follower: StreamFollower, reading: Reading) -> None:
        chips, follower.ranked_chips = follower.ranked_chips, None
        error = reading.exception()
        if follower.gone or chips is None:
            return
        if error is not None:
            log.warning("field not read", stream=follower.stream, error=str(error))
            follower.refuse("unavailable")
        elif (field := reading.result()) is None:
            follower.refuse("no_ranks")
        else:
            rank = field.rank(chips, follower.user)
            follower.outbox.answer(StackRank(follower.stream, chips, rank, field.average))


async def _read(stream: str, read: RankReader, reading: Reading) -> None:
    try:
        reading.set_result(await read(stream))
    except Exception as error:  # told to all who asked
        reading.set_exception(error)
