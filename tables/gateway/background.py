"""Background tasks of a gateway: kept until they end, loops started again after a failure."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from redis.exceptions import RedisError

from config import limits
from config.redis import told_to_end
from config.redis.silence import NodeSilentError

log = structlog.get_logger(__name__)

RETRY_FIRST_S = 0.1
RETRY_MAX_S = 2.0


class BackgroundTasks:
    """Tasks of one event loop that nobody waits for."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Awaitable[None]) -> None:
        """Start a task in the running loop and keep it until it ends."""
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def repeat(self, work: Callable[[], Awaitable[None]]) -> None:
        """Start a loop that is started again, later each time, after it has failed."""
        self.spawn(_repeated(work))

    async def stop(self) -> None:
        """Cancel every task and wait for its end."""
        while tasks := list(self._running):  # a task that ends may have started another
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)


async def _repeated(work: Callable[[], Awaitable[None]]) -> None:
    delay_s = RETRY_FIRST_S
    while not told_to_end():
        began = asyncio.get_running_loop().time()
        try:
            await work()
        except (RedisError, OSError) as error:
            log.warning("room's redis does not answer", work=work.__name__, error=str(error))
            if isinstance(error, NodeSilentError):
                # It may be asked again after its pause, however often that was in vain.
                await asyncio.sleep(limits.NODE_SILENT_MS / 1_000)
                continue
        except Exception:
            log.exception("gateway loop failed", work=work.__name__)
        if asyncio.get_running_loop().time() - began > RETRY_MAX_S:
            delay_s = RETRY_FIRST_S
        await asyncio.sleep(delay_s)
        delay_s = min(2 * delay_s, RETRY_MAX_S)
