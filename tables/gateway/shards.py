"""Asyncio clients of the room's Redis in one web process, one for each shard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.conf import settings

from config.redis.scripts import Trips
from tables.store import keys


class Shards:
    """Clients of the shards, apart from each other: one that does not answer delays no other.

    A client of a cluster closes all of its connections when one node fails.
    """

    def __init__(self, connect: Callable[[], Any]) -> None:
        self.clients: list[Any] = [connect() for _ in range(settings.SHARDS)]

    def of(self, name: str) -> Any:
        """Return the client of the shard that holds the keys of a stream."""
        return self.clients[keys.shard(name, settings.SHARDS)]

    def trips(self, script: str) -> ShardTrips:
        """Return batches of runs of one script, those of each shard in trips of their own."""
        return ShardTrips([Trips(one, script) for one in self.clients])

    async def close(self) -> None:
        """Close all connections."""
        for client in self.clients:
            await client.aclose()


class ShardTrips:
    """Batches of runs of one script on the shards of the room."""

    def __init__(self, trips: Sequence[Trips]) -> None:
        self._trips = trips

    async def run(self, name: str, keys_: Sequence[str], args: Sequence[str | int | bytes]) -> Any:
        """Return the reply of the script on the shard of `name`; raises RedisError or OSError."""
        return await self._trips[keys.shard(name, settings.SHARDS)].run(keys_, args)
