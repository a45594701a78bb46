"""Clients of a Redis Cluster that fail like clients of one server: with RedisError.

redis-py raises RedisClusterException, which is no RedisError, when no node can be asked or a slot
has no owner; both pass, and every caller of this project waits for a RedisError. It also looks at
its map of slots alone when a slot has no owner, and never asks again who owns it by now.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from redis.asyncio.cluster import ClusterPipeline as AsyncClusterPipeline
from redis.asyncio.cluster import RedisCluster as AsyncRedisCluster
from redis.cluster import RedisCluster
from redis.exceptions import (
    ConnectionError,
    RedisClusterException,
    RedisError,
    SlotNotCoveredError,
)

from config import clock, limits
from config.redis.command_keys import AsyncCommandKeys, CommandKeys
from config.redis.nodes import (
    AsyncNodeConnection,
    AsyncTlsNodeConnection,
    NodeConnection,
    TlsNodeConnection,
)
from config.redis.silence import NodeSilentError, staying_away


class _Slots:
    """Turns of a client to ask who owns the slots by now, rare ones."""

    def __init__(self) -> None:
        self._asked_ms = 0

    def are_due(self) -> bool:
        """Return whether they may be asked for now, which counts as asking."""
        now_ms = clock.monotonic_ms()
        is_due = now_ms - self._asked_ms >= limits.SLOTS_ASKED_EVERY_MS
        if is_due:
            self._asked_ms = now_ms
        return is_due


class ClusterClient(RedisCluster):
    """Client of a cluster; its first connection is made at once."""

    def __init__(self, *, tls: bool, **options: Any) -> None:
        self._slots = _Slots()
        node = options["startup_nodes"][0]
        with _as_redis_error():
            super().__init__(
                # Only with a URL are the connections made by the class that is given.
                url=f"redis://{node.name}",
                connection_class=TlsNodeConnection if tls else NodeConnection,
                # A lost shard must not stop the clients of the others.
                require_full_coverage=False,
                **options,
            )
        self.commands_parser: Any = CommandKeys(self.commands_parser)

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Run a command on the node of its key; raises RedisError."""
        with self._checked():
            if args == ("COMMAND",):  # redis-py asks at its start, and the owner of the first slots
                return self._of_any_master("COMMAND")
            return super().execute_command(*args, **options)  # type: ignore[no-untyped-call]

    def get_node_from_key(self, key: str, replica: bool = False) -> Any:
        """Return the node of a key; raises RedisError."""
        with self._checked():
            return super().get_node_from_key(key, replica)  # type: ignore[no-untyped-call]

    def pipeline(self, transaction: bool | None = None, shard_hint: None = None) -> Any:
        """Return a pipeline; with a transaction all keys must share one hash tag."""
        pipe: Any = super().pipeline(transaction, shard_hint)  # type: ignore[no-untyped-call]
        execute = pipe.execute

        def checked(raise_on_error: bool = True) -> Any:
            with self._checked():
                return execute(raise_on_error)

        pipe.execute = checked
        return pipe

    def _of_any_master(self, command: str) -> Any:
        masters: Any = self.get_primaries()  # type: ignore[no-untyped-call]
        for node in masters:
            with suppress(NodeSilentError):
                return super().execute_command(command, target_nodes=node)  # type: ignore[no-untyped-call]
        raise NodeSilentError("no master answers")

    @contextmanager
    def _checked(self) -> Iterator[None]:
        with _as_redis_error():
            try:
                yield
            except (SlotNotCoveredError, NodeSilentError):
                if self._slots.are_due():  # each answer costs the idle connections
                    with suppress(RedisError, RedisClusterException), staying_away():
                        self.nodes_manager.initialize()
                raise


class AsyncClusterClient(AsyncRedisCluster):
    """Asyncio client of a cluster, for one event loop."""

    def __init__(self, *, tls: bool, **options: Any) -> None:
        self._slots = _Slots()
        super().__init__(require_full_coverage=False, ssl=tls, **options)
        kind: Any = AsyncTlsNodeConnection if tls else AsyncNodeConnection
        # redis-py has no option for it; nodes found later are made from the same options.
        self.connection_kwargs["connection_class"] = kind
        for node in self.startup_nodes:
            node.connection_class = kind
        self.commands_parser = AsyncCommandKeys(self)

    async def initialize(self, *args: Any, **options: Any) -> Any:
        """Learn who owns which slots, if that is not known; raises RedisError.

        Every command waits for this, so silent nodes are asked only when no other answers.
        """
        with _as_redis_error():
            with suppress(RedisError, RedisClusterException), staying_away():
                return await super().initialize(*args, **options)
            return await super().initialize(*args, **options)

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Run a command on the node of its key; raises RedisError."""
        with self.checked():
            return await super().execute_command(*args, **options)

    def get_node_from_key(self, key: str, replica: bool = False) -> Any:
        """Return the node of a key; raises RedisError."""
        with self.checked():
            return super().get_node_from_key(key, replica)

    def pipeline(self, transaction: bool | None = None, shard_hint: None = None) -> Any:
        """Return a pipeline; with a transaction all keys must share one hash tag."""
        return _AsyncPipeline(self, transaction)

    @contextmanager
    def checked(self) -> Iterator[None]:
        """Raise RedisError for every failure; let the next call ask who owns the slots by now."""
        with _as_redis_error():
            try:
                yield
            # The asyncio client looks a slot up without asking whether its map has it.
            except (SlotNotCoveredError, NodeSilentError, KeyError) as missing:
                if self._slots.are_due():  # all wait for the answer
                    self._initialize = True
                if isinstance(missing, NodeSilentError):
                    raise
                raise SlotNotCoveredError(
                    f"slot not covered by the cluster: {missing}"
                ) from missing


class _AsyncPipeline(AsyncClusterPipeline):
    _event_dispatcher = None  # type: ignore[assignment]  # of the client, which measures

    async def execute(self, raise_on_error: bool = True, allow_redirections: bool = True) -> Any:
        """Run the commands, those of each node in one trip; raises RedisError."""
        client: Any = self.cluster_client
        with client.checked():
            return await super().execute(raise_on_error, allow_redirections)


@contextmanager
def _as_redis_error() -> Iterator[None]:
    try:
        yield
    except RedisClusterException as problem:
        raise ConnectionError(str(problem)) from problem
