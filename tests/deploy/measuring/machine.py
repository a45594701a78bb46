"""Processor share of other programs, so that limits in seconds mean the same everywhere."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

QUIET_SHARE = 0.10
"""Share of the processors taken by other programs, below which limits are not stretched."""

MOST_SHARE = 0.9


class Processors:
    """Processor times since creation; from /proc on Linux, else estimated by the load."""

    def __init__(self) -> None:
        self._before = _times()
        self._own_before = _own()

    def others(self) -> float:
        """Return the share of all processors that other programs or the hypervisor took since."""
        busy, everything = _times()
        spent, passed = busy - self._before[0], everything - self._before[1]
        if passed <= 0:
            return 0.0
        return min(MOST_SHARE, max(0.0, (spent - (_own() - self._own_before)) / passed))


def limit_s(alone_s: float, others: float) -> float:
    """Return `alone_s` on a quiet machine, else longer in proportion to the missing share."""
    return alone_s if others <= QUIET_SHARE else alone_s / (1.0 - others)


def _times() -> tuple[float, float]:
    """Return busy or stolen processor ticks, and all ticks."""
    try:
        first = Path("/proc/stat").read_text().splitlines()[0]
    except FileNotFoundError:  # without /proc: as if the processors had been as loaded for a second
        processors = os.cpu_count() or 1
        return min(processors, os.getloadavg()[0]), float(processors)
    user, nice, system, idle, waiting, irq, softirq, steal = map(float, first.split()[1:9])
    busy = user + nice + system + irq + softirq + steal
    return busy, busy + idle + waiting


def _own() -> float:
    """Return the ticks of this process, its living descendants, and its ended ones."""
    parents: dict[int, int] = {}
    ticks: dict[int, float] = {}
    for folder in _processes():
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        pid = int(folder.name)
        parents[pid] = int(fields[1])
        ticks[pid] = sum(map(float, fields[11:15]))
    return sum(spent for pid, spent in ticks.items() if _descends(pid, parents))


def _processes() -> Iterable[Path]:
    proc = Path("/proc")
    return [folder for folder in proc.iterdir() if folder.name.isdigit()] if proc.is_dir() else []


def _descends(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents:
        if pid == os.getpid():
            return True
        pid = parents[pid]
    return False
