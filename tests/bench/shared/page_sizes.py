"""Sizes of an open page over time: memory, nodes, listeners, and what its sockets receive."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence

import msgspec
from playwright.sync_api import Page, WebSocket

HEAP_FACTOR, HEAP_MORE_BYTES = 1.25, 1_000_000
"""Growth of the memory from the first third to the last one that still counts as flat."""
NODES_MORE, LISTENERS_MORE = 60, 20
"""Growth of nodes and listeners that still counts as flat: another hand lays other cards."""
FRAMES_FACTOR, FRAMES_MORE = 2.0, 10
"""Growth of the frames of a sample that still counts as flat: hands differ in their actions."""
TICK_MS = 250


class PageSize(msgspec.Struct, frozen=True):
    """Sizes of a page after its garbage was collected, and what came since the sample before."""

    at_s: float
    heap_bytes: int
    nodes: int
    listeners: int
    documents: int
    frames: int
    frame_bytes: int
    hands: int


class PageWatch:
    """Watch of one page from its opening on; create it before the page is loaded."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.tools = page.context.new_cdp_session(page)
        self.began_s = time.monotonic()
        self._frames = self._bytes = self._hands = 0
        page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._received)

    def _received(self, payload: str | bytes) -> None:
        raw = payload.encode() if isinstance(payload, str) else payload
        self._frames += 1
        self._bytes += len(raw)
        self._hands += raw.count(b'"hand_retold"')

    def sample(self) -> PageSize:
        """Collect the garbage of the page, return its sizes, and count frames anew."""
        self.tools.send("HeapProfiler.collectGarbage")
        heap = self.tools.send("Runtime.getHeapUsage")["usedSize"]
        counted = self.tools.send("Memory.getDOMCounters")
        found = PageSize(
            at_s=round(time.monotonic() - self.began_s, 1),
            heap_bytes=int(heap),
            nodes=counted["nodes"],
            listeners=counted["jsEventListeners"],
            documents=counted["documents"],
            frames=self._frames,
            frame_bytes=self._bytes,
            hands=self._hands,
        )
        self._frames = self._bytes = self._hands = 0
        return found

    def samples(self, count: int, every_s: float, tend: Callable[[], None]) -> Iterator[PageSize]:
        """Yield so many samples at equal intervals, and tend to the room meanwhile."""
        due_s = time.monotonic()
        for _ in range(count):
            due_s += every_s
            while time.monotonic() < due_s:
                tend()
                self.page.wait_for_timeout(TICK_MS)
            yield self.sample()


def growth(samples: Sequence[PageSize]) -> list[str]:
    """Return what grew from the first third of the samples to the last one; empty when flat."""
    third = max(1, len(samples) // 3)

    def middles(field: str) -> tuple[float, float]:
        values = [getattr(one, field) for one in samples]
        return statistics.median(values[:third]), statistics.median(values[-third:])

    allowed = {
        "heap_bytes": (HEAP_FACTOR, HEAP_MORE_BYTES),
        "nodes": (1.0, NODES_MORE),
        "listeners": (1.0, LISTENERS_MORE),
        "documents": (1.0, 0),
        "frames": (FRAMES_FACTOR, FRAMES_MORE),
    }
    found = []
    for field, (factor, more) in allowed.items():
        first, last = middles(field)
        if last > factor * first + more:
            found.append(f"{field} grew from {first:g} to {last:g}")
    return found


def line_of(sample: PageSize) -> str:
    """Return a sample as one line."""
    return (
        f"{sample.at_s:>8.0f} s  {sample.heap_bytes / 1e6:6.2f} MB  {sample.nodes:>6} nodes"
        f"  {sample.listeners:>4} listeners  {sample.frames:>5} frames"
        f"  {sample.frame_bytes / 1e3:>7.1f} kB  {sample.hands:>3} hands"
    )
