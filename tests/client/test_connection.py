"""Connection of a program to the room: its errands end with it."""

from __future__ import annotations

import asyncio

from deploy.embedded import ports
from room_client.connection import Connection


class _Deaf(Connection):
    def received(self, raw: str | bytes) -> None:
        """Take in nothing."""


def test_errands_of_a_connection_end_with_it() -> None:
    async def end() -> bool:
        line = _Deaf(f"http://127.0.0.1:{ports.free()}", {})
        running, errand = asyncio.create_task(line.run()), asyncio.create_task(asyncio.sleep(60))
        line.keep(errand)
        await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, errand, return_exceptions=True)
        return errand.cancelled()

    assert asyncio.run(end())
