"""The real gateway in the simulated room, on an event loop that runs only between steps of the
world.
"""

from __future__ import annotations

import asyncio
import selectors
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar, TypeVarTuple
from unittest.mock import patch

from redis.exceptions import ConnectionError as RedisConnectionError

from config import limits
from tables.gateway import hub, windows
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.recent import Position

if TYPE_CHECKING:
    from tests.simulation.world import World

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
PASSES = 6
"""Minimum turns of the loop; a flush or a hold begins one turn after its awaited call."""
PASSES_MAX = 200
SMALL_TAIL, SMALL_RECENT = 20, 10


class GatewayLost(RedisConnectionError):
    """Loss of the simulated connection between gateway and Redis."""


class _NoSockets(selectors.SelectSelector):
    """Selector of a loop that reads nothing: the answer takes no call of the system."""

    def select(self, timeout: float | None = None) -> list[Any]:
        """Return nothing at once."""
        return []


class StillLoop(asyncio.SelectorEventLoop):
    """Event loop on the virtual clock without threads: executor calls run at once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._last_ms = world.now_ms
        self._passed_ms = 0
        super().__init__(_NoSockets())

    def time(self) -> float:
        """Seconds that never go back, even if the world's clock does."""
        now_ms = self._world.now_ms
        self._passed_ms += max(0, now_ms - self._last_ms)
        self._last_ms = now_ms
        return self._passed_ms / 1_000

    def pass_by(self, ms: int) -> None:
        """Advance the time of this loop alone."""
        self._passed_ms += ms

    def run_in_executor(
        self, executor: Executor | None, func: Callable[[*Ts], T], *args: *Ts
    ) -> asyncio.Future[T]:
        """Run a read of rows on a separate connection, as the gateway's threads do."""
        done: asyncio.Future[T] = self.create_future()
        asyncio._set_running_loop(None)  # Django refuses queries in a running loop
        try:
            self._world.database.gate.require()
            with self._world.doors.beside():
                done.set_result(func(*args))
        except Exception as failure:
            done.set_exception(failure)
        finally:
            asyncio._set_running_loop(self)
        return done


class RedisFace:
    """Asyncio interface to the world's own Redis client; the next `failing` calls fail."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.failing = 0

    def break_if_due(self) -> None:
        """Raise the error of a broken connection if a failure is due."""
        if self.failing:
            self.failing -= 1
            raise GatewayLost("the connection broke")

    def pipeline(self, transaction: bool = True) -> _Pipe:
        """Return a pipeline of commands in one round trip."""
        return _Pipe(self, transaction)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        async def call(*words: Any, **options: Any) -> Any:
            self.break_if_due()
            return getattr(self.world.aside, name)(*words, **options)

        return call


class _Pipe:
    def __init__(self, redis: RedisFace, transaction: bool) -> None:
        self._redis = redis
        self._pipe = redis.world.aside.pipeline(transaction=transaction)
        self._instead: dict[int, Any] = {}

    def execute_command(self, *words: Any) -> None:
        """Queue a command; the run ID, new with each loss, and the time are those of the world."""
        match words[0]:
            case "INFO":
                self._answer({"run_id": self._redis.world.clock.run_id})
            case "TIME":
                seconds, ms = divmod(self._redis.world.now_ms, 1_000)
                self._answer((seconds, ms * 1_000))
            case _:
                queue: Callable[..., Any] = self._pipe.execute_command
                queue(*words)

    def _answer(self, answer: Any) -> None:
        self._instead[len(self._pipe.command_stack)] = answer
        self._pipe.ping()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pipe, name)

    async def execute(self, raise_on_error: bool = True) -> Any:
        """Run the queued commands and return their answers."""
        self._redis.break_if_due()
        answers = self._pipe.execute(raise_on_error)
        return [self._instead.get(number, answer) for number, answer in enumerate(answers)]


class Edge:
    """One web process without sockets: its gateway and the errors in it."""

    def __init__(self, world: World, *, small: bool) -> None:
        self.redis = RedisFace(world)
        self.loop = StillLoop(world)
        self.failures: list[BaseException] = []
        self._small = small

    @contextmanager
    def installed(self) -> Iterator[None]:
        """Run a gateway while the context lasts; a `small` one keeps few events and reads few at
        once.
        """

        def quiet(*_: object, **__: object) -> None:
            """Ignore the line."""

        log = SimpleNamespace(warning=quiet, error=quiet, exception=self._failed)
        tail = SMALL_TAIL if self._small else limits.TAIL_EVENTS_MAX
        recent = SMALL_RECENT if self._small else limits.RECENT_EVENTS_MAX
        with (
            patch.object(limits, "TAIL_EVENTS_MAX", tail),
            patch.object(limits, "RECENT_EVENTS_MAX", recent),
            patch.object(hub, "log", log),
            patch.object(windows, "log", log),
        ):
            with patch.object(hub, "room_async", lambda: self.redis):
                self.gateway = hub.Gateway()
            try:
                yield
            finally:
                self._end()

    @property
    def knows_redis(self) -> bool:
        """Return whether the gateway has seen the current run of Redis."""
        return self.gateway._streams[0].run == self.redis.world.clock.run_id

    def lose_redis(self) -> None:
        """Break the gateway's connections."""
        self.redis.failing = 1

    def told(self) -> dict[str, Position]:
        """Return the last event that the gateway told of each table."""
        feeds = self.gateway._feeds.values()
        return {f.stream: f.recent.last for f in feeds if f.table and f.recent is not None}

    def turn(self, *acts: Callable[[], Awaitable[None] | None]) -> bool:
        """Run these coroutines in order and all callbacks that are due; return False if a
        connection broke.
        """
        return self.loop.run_until_complete(self._turn(acts))

    async def _turn(self, acts: tuple[Callable[[], Awaitable[None] | None], ...]) -> bool:
        whole = True
        for act in acts:
            try:
                going_on = act()
                if going_on is not None:
                    await going_on
            except GatewayLost:
                whole = False
                self.gateway.compare_soon()  # as when the gateway subscribes again
        # The order of the viewers' tasks after that would depend on addresses in memory.
        self.redis.failing = 0
        for number in range(PASSES_MAX):
            if number >= PASSES and not any(one.catching for one in self._followers()):
                break
            await asyncio.sleep(0)
        return whole

    def _followers(self) -> list[StreamFollower]:
        return [one for feed in self.gateway._feeds.values() for one in feed.followers]

    def _failed(self, *_: object, **__: object) -> None:
        failure = sys.exc_info()[1]
        if failure is not None:
            self.failures.append(failure)

    def _end(self) -> None:
        for feed in self.gateway._feeds.values():
            feed.close()
        waiting = asyncio.all_tasks(self.loop)
        for task in waiting:
            task.cancel()
        if waiting:
            self.loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))
        self.loop.close()
