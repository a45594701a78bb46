"""Answers of HTTP as a client of the API reads them, from a server that writes their bytes."""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter

import pytest

from deploy.drills.api_readers import ADDRESSES, ApiReader

OK = b"HTTP/1.1 200 OK\r\n"
CHUNKS = (
    OK + b"Transfer-Encoding: Chunked\r\n\r\n"
    b"5\r\nhello\r\nA;name=value\r\n\r\n 200 200\r\n0\r\nTrailer: x\r\n\r\n"
)
FULL = OK + b"content-length: 5\r\n\r\nhello"
EMPTY = b"HTTP/1.1 304 Not Modified\r\n\r\n"


async def _statuses(answers: list[bytes], *, lasting: bool = True) -> tuple[list[str], int]:
    """Return the statuses of answers read one after the other, and the number of connections."""
    left, connections = iter(answers), 0

    async def answer(reader: StreamReader, writer: StreamWriter) -> None:
        nonlocal connections
        connections += 1
        while await reader.readline():
            await reader.readuntil(b"\r\n\r\n")
            writer.write(next(left))
            if not lasting:
                break
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        client = ApiReader("127.0.0.1", server.sockets[0].getsockname()[1], ADDRESSES[0])
        found = []
        for _ in answers:
            found.append(await client.status("/", "room_x"))
            await asyncio.sleep(0.02)  # the end of a connection arrives
        client.close()
    return found, connections


def test_each_answer_is_read_to_its_end_on_one_connection() -> None:
    answers = [CHUNKS, FULL, CHUNKS, EMPTY, FULL]
    told = asyncio.run(_statuses(answers))
    assert told == (["200", "200", "200", "304", "200"], 1)


def test_a_connection_that_the_room_has_ended_is_replaced() -> None:
    assert asyncio.run(_statuses([FULL, CHUNKS], lasting=False)) == (["200", "200"], 2)


@pytest.mark.parametrize("raw", [b"\r\n\r\n", OK + b"no header\r\n\r\n", OK.strip() * 2])
def test_no_answer_of_http_is_an_error_and_its_connection_is_closed(raw: bytes) -> None:
    with pytest.raises((ValueError, EOFError)):
        asyncio.run(_statuses([raw], lasting=False))
