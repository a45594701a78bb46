"""Processes that stand still, as if their machine were cut off or overloaded."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.tables.gateway.sockets import wait_for


@contextmanager
def stopped(processes: Iterable[int]) -> Iterator[None]:
    """Stop processes, and wait until none of their threads runs; they go on at the end.

    A signal comes a moment late to a process that another core is running: it would still answer.
    """
    chosen = list(processes)
    try:
        for process in chosen:
            os.kill(process, signal.SIGSTOP)
        wait_for(lambda: all(map(_stands, chosen)))
        yield
    finally:
        for process in reversed(chosen):
            os.kill(process, signal.SIGCONT)


def _stands(process: int) -> bool:
    threads = Path(f"/proc/{process}/task").glob("*/stat")
    return all(thread.read_text().rpartition(")")[2].split()[0] == "T" for thread in threads)
