"""Silence of the nodes of a cluster, as all clients of this process know it.

A node that does not answer costs each command its whole timeout, and redis-py asks again for every
command of a trip by itself: sixteen tables of one frozen node held their worker for 128 s, and with
it the tables of all other nodes. A silent node is asked by one command at a time; others fail at
once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

from redis.exceptions import RedisError

from config import clock, limits

_stays_away: ContextVar[bool] = ContextVar("stays_away", default=False)


class NodeSilentError(RedisError):
    """A node of a cluster does not answer, or did not a moment ago and is not asked.

    No ConnectionError: redis-py would ask again at once, close the connections to all other nodes,
    and let every command wait until it knows the slots anew.
    """


class Silence:
    """Time until which one node is not asked; threads and event loops share it."""

    def __init__(self, node: str) -> None:
        self._node = node
        self._until_ms = 0

    def __bool__(self) -> bool:
        """Return whether the node has not answered since a command waited for it in vain."""
        return self._until_ms > 0

    def check(self) -> None:
        """Let a command ask the node; raises NodeSilentError while it is silent.

        After each pause one command may ask. Two threads that come at once may both: that costs one
        more timeout, no answer.
        """
        if not self._until_ms:
            return
        now_ms = clock.monotonic_ms()
        if now_ms < self._until_ms or _stays_away.get():
            raise NodeSilentError(f"{self._node} did not answer a moment ago")
        # Its end is noted by its answer or its failure; one that is given up counts until then.
        self._until_ms = now_ms + limits.NODE_ASKED_MS

    def begin(self, why: RedisError) -> NodeSilentError:
        """Note that a command waited in vain, or could not connect; return what its caller sees."""
        self._until_ms = clock.monotonic_ms() + limits.NODE_SILENT_MS
        return NodeSilentError(f"{self._node} does not answer: {why}")

    def end(self) -> None:
        """Note an answer."""
        self._until_ms = 0


@contextmanager
def staying_away() -> Iterator[None]:
    """Ask no silent node in this context, also when its pause is over."""
    token = _stays_away.set(True)
    try:
        yield
    finally:
        _stays_away.reset(token)


@cache
def of_node(host: str, port: int) -> Silence:
    """Return the silence of a node by its address."""
    return Silence(f"{host}:{port}")
