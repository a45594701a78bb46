"""Keys in the commands for a cluster, found without asking a node that another command may lack."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from redis._parsers import AsyncCommandsParser, CommandsParser

from config.redis.silence import NodeSilentError


class CommandKeys(CommandsParser):
    """Keys of commands of threads; those of a script stand where its arguments say.

    For each script of a trip redis-py sends all its arguments to the owner of the first slots and
    asks for their keys, so that no script runs anywhere while that node is silent.
    """

    def __init__(self, known: Any) -> None:
        self.commands = known.commands
        self.redis_connection = known.redis_connection

    def get_keys(self, redis_conn: Any, *args: Any) -> Any:
        """Return the keys of a command; None without any."""
        if args[0] in ("EVALSHA", "EVAL"):
            return args[3 : 3 + int(args[2])]
        return super().get_keys(redis_conn, *args)  # type: ignore[no-untyped-call]


class AsyncCommandKeys(AsyncCommandsParser):
    """Keys of commands of an event loop, as the first master tells that answers; asked once.

    redis-py asks the owner of the first slots again whenever it asks for slots, silent or not.
    """

    def __init__(self, client: Any) -> None:
        super().__init__()
        self._client = client

    async def initialize(self, node: Any = None) -> None:
        """Learn the commands, unless a refresh of the slots asks again; raises RedisError."""
        if node is not None and self.commands:
            return
        for one in self._client.get_primaries():
            with suppress(NodeSilentError):
                await super().initialize(one)
                return
        raise NodeSilentError("no master answers")
