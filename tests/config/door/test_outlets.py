"""Long answers of a real server: sent while they are made, without a thread and without memory."""

from __future__ import annotations

import random
import socket
import threading
import time
import zipfile
from array import array
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import pytest
from django.db.models import QuerySet
from pytest_django.fixtures import Settings
from redis import Redis

from config import limits
from config.door import lanes, outlets, parts
from config.door.pages import Pages
from config.door.refusals import Receive, Send
from config.door.turns import Full
from tables.history.exports import streams
from tables.history.exports.files import FORMATS
from tables.history.exports.hand import ExportedHand
from tables.models import Hand
from tests.config.door.front import pages
from tests.tables.gateway.socket_site import site
from tests.tables.gateway.sockets import PATIENCE_S, Site, wait_for
from tests.tournaments.pages.hands.played_hands import PlayedHands

__all__ = ["pages", "site"]

pytestmark = pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume")

PART = b"x" * 65_536
PARTS = 300
SENT_AHEAD_MAX = 12 * 2**20
"""Bytes that kernel and server may hold for a client that reads nothing."""
LAST_CHUNK = b"0\r\n\r\n"


class LongAnswers:
    """Application behind the front door that answers with 20 MB, in `parts` made so far.

    It fails before the part `fails_at`.
    """

    def __init__(self) -> None:
        self.parts = 0
        self.fails_at = PARTS
        self.headers: list[tuple[bytes, bytes]] = []

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Send the answer, part by part."""
        await send({"type": "http.response.start", "status": 200, "headers": self.headers})
        for number in range(PARTS):
            if number == self.fails_at:
                raise ZeroDivisionError
            self.parts += 1
            await send({"type": "http.response.body", "body": PART, "more_body": True})
        await send({"type": "http.response.body"})


@pytest.fixture
def long(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> LongAnswers:
    """Answers of 20 MB instead of Django's; Django answers again for probes."""
    made, django = LongAnswers(), pages._django

    async def answers(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        await (made if scope["path"] == "/long/" else django)(scope, receive, send)

    monkeypatch.setattr(pages, "_django", answers)
    return made


@pytest.fixture
def ask(site: Site) -> Iterator[Callable[..., socket.socket]]:
    """Ask for the long answer and read nothing of it."""
    lines: list[socket.socket] = []

    def asked(source: str = "127.0.0.1", way: str = "GET /long/") -> socket.socket:
        line = socket.socket()
        line.settimeout(PATIENCE_S)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
        line.bind((source, 0))
        line.connect(("127.0.0.1", site.port))
        end = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        line.sendall((way + end).encode())
        lines.append(line)
        return line

    yield asked
    for line in lines:
        line.close()


def _whole(line: socket.socket) -> bytes:
    """Everything that still comes, up to the end of the connection."""
    parts = []
    try:
        while part := line.recv(2**20):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


def _get(site: Site, path: str, method: str = "GET") -> tuple[int, bytes]:
    line = HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE_S)
    try:
        line.request(method, path, headers={"Host": "localhost"})
        answer = line.getresponse()
        return answer.status, answer.read()
    finally:
        line.close()


def test_a_long_answer_is_made_as_its_reader_takes_it(
    site: Site, pages: Pages, long: LongAnswers, ask: Callable[..., socket.socket]
) -> None:
    line = ask()
    wait_for(lambda: len(pages._streams) == 1)
    made = -1
    while made != long.parts:
        made = long.parts
        assert _get(site, "/healthz")[0] == 200
    assert made * len(PART) < SENT_AHEAD_MAX, "it is not made ahead of its reader"
    assert pages._lanes.pages.turns.busy == 0, "its thread is free meanwhile"
    told = _whole(line)
    assert long.parts == PARTS and told.count(b"x") >= PARTS * len(PART)
    assert told.endswith(LAST_CHUNK), "it came to its end"
    wait_for(lambda: not len(pages._streams))


def test_a_reader_who_leaves_or_takes_too_long_ends_a_long_answer(
    pages: Pages,
    long: LongAnswers,
    ask: Callable[..., socket.socket],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = ask()
    wait_for(lambda: len(pages._streams) == 1)
    line.close()
    wait_for(lambda: not len(pages._streams))
    assert long.parts < PARTS
    for limit in ("STALLS_S", "LASTS_S"):
        with monkeypatch.context() as patched:
            patched.setattr(outlets, limit, 0.2)
            long.parts = 0
            stalled = ask()
            wait_for(lambda: long.parts > 2)
            wait_for(lambda: not len(pages._streams))
        assert long.parts < PARTS
        assert not _whole(stalled).endswith(LAST_CHUNK), "a cut answer does not look whole"


def test_an_answer_that_fails_half_way_is_cut_and_an_early_one_is_an_error(
    pages: Pages, long: LongAnswers, ask: Callable[..., socket.socket]
) -> None:
    long.fails_at = 5
    told = _whole(ask())
    assert told.startswith(b"HTTP/1.1 200 ") and not told.endswith(LAST_CHUNK)
    assert not len(pages._streams) and pages._lanes.pages.turns.busy == 0
    long.fails_at = 1
    assert _whole(ask()).startswith(b"HTTP/1.1 500 "), "nothing was sent before"
    assert pages._lanes.pages.turns.busy == 0


def test_only_the_head_of_a_long_answer_is_made_for_who_asks_for_it(
    pages: Pages, long: LongAnswers, ask: Callable[..., socket.socket]
) -> None:
    told = _whole(ask(way="HEAD /long/"))
    assert told.startswith(b"HTTP/1.1 200 ") and told.endswith(b"\r\n\r\n")
    assert b"x" * 100 not in told
    assert long.parts == 1 and not len(pages._streams)


def test_one_source_holds_few_long_answers_and_all_hold_bounded_ones(
    site: Site,
    pages: Pages,
    long: LongAnswers,
    ask: Callable[..., socket.socket],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outlets, "STREAMS_PER_SOURCE", 2)
    monkeypatch.setattr(outlets, "STREAMS_AT_ONCE", 4)
    monkeypatch.setattr(outlets, "STREAMS_FOR_PLAYERS", 1)
    for count in (1, 2):
        ask()
        wait_for(lambda count=count: len(pages._streams) == count)  # type: ignore[misc]
    refused = ask().recv(2**16)
    assert refused.startswith(b"HTTP/1.1 503 ")
    assert f"retry-after: {limits.BUSY_RETRY_S}".encode() in refused.lower()
    ask("127.0.0.2")
    wait_for(lambda: len(pages._streams) == 3)
    assert ask("127.0.0.3").recv(2**16).startswith(b"HTTP/1.1 503 "), "one is left to players"
    pages._streams.enter(lanes.PLAYER, "user:1")
    with pytest.raises(Full):
        pages._streams.enter(lanes.PLAYER, "user:2")
    pages._streams.leave("user:1")
    assert _get(site, "/healthz")[0] == 200


def test_an_answer_of_a_known_length_is_made_before_it_is_sent(
    site: Site, pages: Pages, long: LongAnswers, ask: Callable[..., socket.socket]
) -> None:
    long.headers = [(b"content-length", str(PARTS * len(PART)).encode())]
    ask()
    wait_for(lambda: long.parts == PARTS)
    assert not len(pages._streams)


def test_a_large_zip_file_is_made_in_the_thread_of_streams_and_in_little_memory(
    site: Site,
    room: Redis,
    pages: Pages,
    ask: Callable[..., socket.socket],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    played = PlayedHands(4)
    made = _large(monkeypatch)
    address = f"/tournaments/{played.tournament.pk}/hands.zip"
    line = ask(way=f"GET {address}")
    wait_for(lambda: len(pages._streams) == 1)
    hands = -1
    while hands != len(made):
        hands = len(made)
        assert _get(site, "/healthz")[0] == 200
        time.sleep(0.1)
    assert _get(site, f"/tournaments/{played.tournament.pk}/")[0] == 200
    assert pages._lanes.pages.turns.busy == 0
    assert hands < HANDS_OF_ZIP / 2, "the reader takes nothing: no more is made"
    before_kb, file = _most_memory_kb(), tmp_path / "hands.zip"
    size = _saved(line, file)
    assert len(made) == HANDS_OF_ZIP and size > SENT_AHEAD_MAX
    assert _most_memory_kb() - before_kb < size / 1024 / 2
    with zipfile.ZipFile(file) as packed:
        assert packed.testzip() is None
    assert made[0].startswith("pages") and set(made[30:]) == {"streams_0"}
    wait_for(lambda: not len(pages._streams))


def test_pages_are_answered_while_a_part_of_a_stream_takes_long(
    site: Site,
    room: Redis,
    pages: Pages,
    ask: Callable[..., socket.socket],
    monkeypatch: pytest.MonkeyPatch,
    settings: Settings,
) -> None:
    settings.PAGES_AT_ONCE = 1
    monkeypatch.setattr(outlets, "KEPT_BYTES", 100)
    monkeypatch.setattr(parts, "PARTS_AT_ONCE", 1)
    played = PlayedHands(3)
    goes_on, text, waiting = threading.Event(), FORMATS["ndjson"].text, threading.Event()

    def slow(hand: ExportedHand, count: int) -> str:
        if count == 3:
            waiting.set()
            assert goes_on.wait(PATIENCE_S)
        return text(hand, count)

    monkeypatch.setitem(FORMATS, "ndjson", FORMATS["ndjson"]._replace(text=slow))
    line = ask(way=f"GET /tournaments/{played.tournament.pk}/hands.ndjson")
    assert waiting.wait(PATIENCE_S)
    assert _get(site, f"/tournaments/{played.tournament.pk}/")[0] == 200
    goes_on.set()
    assert _whole(line).endswith(LAST_CHUNK)


def test_hands_are_the_same_sent_on_and_kept(
    site: Site, room: Redis, pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    played = PlayedHands(4)
    address = f"/tournaments/{played.tournament.pk}/hands.ndjson"
    kept = _get(site, address)
    assert kept[0] == 200 and kept[1].count(b"\n") == 4
    assert _get(site, address, "HEAD") == (405, b"")
    monkeypatch.setattr(outlets, "KEPT_BYTES", 100)
    monkeypatch.setattr(parts, "PARTS_AT_ONCE", 1)
    opened: list[str] = []
    enter = outlets.OpenStreams.enter

    def noted(held: outlets.OpenStreams, rank: int, source: str) -> None:
        opened.append(source)
        enter(held, rank, source)

    monkeypatch.setattr(outlets.OpenStreams, "enter", noted)
    assert _get(site, address) == kept
    assert opened == ["127.0.0.1"]
    wait_for(lambda: not len(pages._streams))


HANDS_OF_ZIP = 240
PADDING_BYTES = 60_000


def _large(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make zip files of many large hands; return the names of the threads that wrote them."""
    made: list[str] = []
    text, chosen = FORMATS["phh"].text, streams.chosen
    chance = random.Random(5)

    def padded(hand: ExportedHand, count: int) -> str:
        made.append(threading.current_thread().name)
        padding = chance.randbytes(PADDING_BYTES).decode("latin1")  # cannot be packed
        return text(hand, count) + padding

    def often(rows: QuerySet[Hand]) -> array[int]:
        keys = chosen(rows)
        return keys * (HANDS_OF_ZIP // len(keys))

    monkeypatch.setitem(FORMATS, "phh", FORMATS["phh"]._replace(text=padded))
    monkeypatch.setattr(streams, "chosen", often)
    return made


def _most_memory_kb() -> int:
    """Return the most memory of this process since the last call."""
    status = Path("/proc/self/status").read_text()
    Path("/proc/self/clear_refs").write_text("5")
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1])


def _saved(line: socket.socket, file: Path) -> int:
    """Write the content of a chunked answer to a file; return its size."""
    answer = HTTPResponse(line)
    answer.begin()
    with file.open("wb") as saved:
        while part := answer.read(2**16):
            saved.write(part)
    return file.stat().st_size
