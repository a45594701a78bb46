"""Processor time of API requests in a web process: `python -m tests.bench.api_requests`.

The mix of the load's readers goes through the whole ASGI application, with PostgreSQL and Redis, in
one process and without a network. The anchor is a request through the same door to nothing.
"""

from __future__ import annotations

import asyncio
from itertools import cycle
from statistics import median
from time import process_time
from typing import Any

from tests.bench import path
from tests.bench.shared import rooms
from tests.bench.shared.report import note

TABLES, SEATS, HANDS = 10, 9, 300
ROUNDS, TIMES = 5, 40
"""Rounds of both kinds in turns, and requests of each address in a round."""


def main() -> None:
    """Print the milliseconds of processor time of each address, of the mix, and of the anchor."""
    from deploy.drills.api_readers import PATHS

    with rooms.opened():
        from deploy.drills.api_reading import tokens
        from tables.models import Table

        tables = rooms.seated(TABLES, SEATS)
        path.play(tables, path.Steps(), HANDS)
        game = Table.objects.get(pk=tables[0]).game
        paths = [f"/api/v1{one.format(tournament=game)}" for one in PATHS]
        taken, anchor = asyncio.run(_measured(paths, tokens(TABLES * SEATS)))
    numbers = {one.removeprefix("/api/v1"): median(taken[one]) for one in paths}
    mix = sum(numbers.values()) / len(numbers)
    empty = median(anchor)
    note(
        {f"api{one.replace(str(game), 'N')}_ms": value for one, value in numbers.items()}
        | {"api.mix_ms": mix, "api.empty_ms": empty, "api.mix_to_empty": mix / empty}
    )


async def _measured(
    paths: list[str], texts: list[str]
) -> tuple[dict[str, list[float]], list[float]]:
    """Return milliseconds for each request, by address and of the anchor, one number a round."""
    from config.asgi import application
    from config.door.pages import Pages

    taken: dict[str, list[float]] = {one: [] for one in paths}
    anchor: list[float] = []
    nothing, token = Pages(_nothing), cycle(texts)
    for number in range(ROUNDS + 1):
        for one in paths:
            began_s = process_time()
            for _ in range(TIMES):
                status = await _ask(application, one, next(token))
                assert status == 200, (one, status)
            taken[one].append((process_time() - began_s) * 1_000 / TIMES)
        began_s = process_time()
        for _ in range(TIMES):
            await _ask(nothing, paths[0], texts[0])
        anchor.append((process_time() - began_s) * 1_000 / TIMES)
        if number == 0:  # connections are opened, modules are loaded
            anchor.clear()
            taken = {one: [] for one in paths}
    return taken, anchor


async def _ask(application: Any, address: str, token: str) -> int:
    """Return the status of a request as uvicorn hands it over."""
    unread = [{"type": "http.request", "body": b"", "more_body": False}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        if unread:
            return unread.pop()
        await asyncio.Event().wait()
        raise AssertionError("never resolved")

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": address,
        "raw_path": address.encode(),
        "query_string": b"",
        "root_path": "",
        "headers": [(b"host", b"localhost"), (b"authorization", f"Bearer {token}".encode())],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    await application(scope, receive, send)
    return int(sent[0]["status"])


async def _nothing(scope: Any, receive: Any, send: Any) -> None:
    """Answer any request with nothing, in the page's thread as Django does."""
    from asgiref.sync import sync_to_async

    await receive()
    await sync_to_async(int)()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


if __name__ == "__main__":
    main()
