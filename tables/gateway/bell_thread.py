"""Ring the bells of tables from a separate thread, because reaching the broker blocks."""

from __future__ import annotations

import threading
from queue import SimpleQueue

import structlog

from config import clock
from tables.dealer.state import Desk
from tables.store.ready import BELL_LIFETIME_MS
from tables.workers.bells import ring

log = structlog.get_logger(__name__)


class Bells:
    """A queue of bells; a bell that waited too long is dropped, since the wake is due by then."""

    def __init__(self) -> None:
        self._waiting: SimpleQueue[tuple[str, Desk, int, int] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def ring(self, member: str, desk: Desk, rings: int) -> None:
        """Queue a bell and return at once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._ring_all, name="bells", daemon=True)
            self._thread.start()
        self._waiting.put((member, desk, rings, clock.monotonic_ms()))

    def close(self) -> None:
        """Let the thread end."""
        self._waiting.put(None)

    def _ring_all(self) -> None:
        while (bell := self._waiting.get()) is not None:
            member, desk, rings, asked_ms = bell
            if clock.monotonic_ms() - asked_ms > BELL_LIFETIME_MS:
                continue
            try:
                ring(member, desk, rings)
            except Exception:
                log.exception("bell lost", member=member)
