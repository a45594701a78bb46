"""Requests of the client package to a server that answers as a room does."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from room_client.api import Api, Refusal, Row
from room_client.connection import asked_pause_s

PAGES = {"": {"items": [{"id": 2}], "next": "older"}, "older": {"items": [{"id": 1}], "next": ""}}


class _BusyRoom(ThreadingHTTPServer):
    """Server of a list of two pages; it refuses the first request for each."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.asked = 0
        self.wait_s = "0"
        self.keys: list[str | None] = []


class _Answer(BaseHTTPRequestHandler):
    server: _BusyRoom

    def do_GET(self) -> None:
        """Refuse the first request for each page, and answer the second one."""
        self.server.asked += 1
        if self.server.asked % 2:
            refused = {"code": "too_many_requests", "detail": "Too many requests."}
            self._send(429, refused, {"Retry-After": self.server.wait_s})
        else:
            self._send(200, PAGES[self.path.partition("cursor=")[2]], {})

    def do_POST(self) -> None:
        """Lose the first answer, then have no database, be asked too often, then make the entry."""
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.keys.append(self.headers["Idempotency-Key"])
        if len(self.server.keys) == 2:
            away = {"code": "server_away", "detail": "PostgreSQL does not answer."}
            self._send(503, away, {"Retry-After": self.server.wait_s})
        elif len(self.server.keys) == 3:
            refused = {"code": "too_many_requests", "detail": "Too many requests."}
            self._send(429, refused, {"Retry-After": self.server.wait_s})
        elif len(self.server.keys) == 4:
            self._send(201, {"id": 8}, {})

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""

    def _send(self, status: int, body: dict[str, Any], headers: dict[str, str]) -> None:
        written = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(written))}.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        self.wfile.write(written)


@pytest.fixture
def busy_room() -> Iterator[_BusyRoom]:
    with _BusyRoom() as server:
        serving = threading.Thread(target=server.serve_forever, daemon=True)
        serving.start()
        yield server
        server.shutdown()
        serving.join()


def _url(server: _BusyRoom) -> str:
    return f"http://127.0.0.1:{server.server_address[1]}"


async def _read(server: _BusyRoom) -> list[int]:
    async with Api(_url(server), "room_token") as api:
        return [row["id"] async for row in api.tournaments()]


def test_a_list_is_read_on_after_the_pause_that_the_room_asks_for(busy_room: _BusyRoom) -> None:
    assert asyncio.run(_read(busy_room)) == [2, 1]
    assert busy_room.asked == 4


def test_a_refusal_without_a_pause_ends_a_list(busy_room: _BusyRoom) -> None:
    busy_room.wait_s = ""
    with pytest.raises(Refusal) as refused:
        asyncio.run(_read(busy_room))
    assert (refused.value.status, refused.value.code) == (429, "too_many_requests")


def test_a_change_whose_answers_are_lost_is_asked_for_again_under_its_key(
    busy_room: _BusyRoom,
) -> None:
    async def register() -> dict[str, Any]:
        async with Api(_url(busy_room), "room_token") as api:
            return await api.register(3)

    assert asyncio.run(register()) == {"id": 8}
    assert len(busy_room.keys) == 4 and len(set(busy_room.keys)) == 1


def test_a_busy_room_is_asked_again_when_it_says(busy_room: _BusyRoom) -> None:
    busy_room.wait_s = "2"

    async def register() -> tuple[Row, float]:
        async with Api(_url(busy_room), "room_token") as api:
            begins_s = asyncio.get_running_loop().time()
            return await api.register(3), asyncio.get_running_loop().time() - begins_s

    entry, lasted_s = asyncio.run(register())
    assert entry == {"id": 8} and lasted_s >= 4.0, "2 s after the 503, and after the 429"


def test_a_refusal_says_when_to_try_again(busy_room: _BusyRoom) -> None:
    busy_room.wait_s, busy_room.keys = "7", [None]

    async def change() -> Row:
        async with Api(_url(busy_room), "room_token") as api:
            return await api.ask("POST", "/tournaments/3/entries", {})

    with pytest.raises(Refusal) as refused:
        asyncio.run(change())
    assert (refused.value.status, refused.value.wait_s) == (503, 7)
    assert len(busy_room.keys) == 2, "nobody knows whether the change was made"


@pytest.mark.parametrize(
    ("told", "pause_s"),
    [("0", 0), ("12", 12), ("999999", 60), ("-1", None), ("²", None), ("soon", None), (None, None)],
)
def test_a_pause_is_read_and_bounded(told: str | None, pause_s: int | None) -> None:
    assert asked_pause_s({} if told is None else {"Retry-After": told}) == pause_s
