"""How much of this machine others take, so that a limit in seconds means the same everywhere."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

QUIET_SHARE = 0.10
"""Others took less of the processors than this: a limit holds exactly."""

MOST_SHARE = 0.9


class Processors:
    """What the processors did since this was made; on Linux, elsewhere judged by the load."""

    def __init__(self) -> None:
        self._before = _times()
        self._own_before = _own()

    def others(self) -> float:
        """The share of all processors that others, or whoever runs this machine, took since."""
        busy, everything = _times()
        spent, passed = busy - self._before[0], everything - self._before[1]
        if passed <= 0:
            return 0.0
        return min(MOST_SHARE, max(0.0, (spent - (_own() - self._own_before)) / passed))


def limit_s(alone_s: float, others: float) -> float:
    """`alone_s` when the machine was quiet, else longer by what was left of it."""
    return alone_s if others <= QUIET_SHARE else alone_s / (1.0 - others)


def _times() -> tuple[float, float]:
    """Ticks that processors were busy or taken away, and ticks altogether."""
    try:
        first = Path("/proc/stat").read_text().splitlines()[0]
    except FileNotFoundError:  # no Linux: as if the processors had been as loaded for a second
        processors = os.cpu_count() or 1
        return min(processors, os.getloadavg()[0]), float(processors)
    user, nice, system, idle, waiting, irq, softirq, steal = map(float, first.split()[1:9])
    busy = user + nice + system + irq + softirq + steal
    return busy, busy + idle + waiting


def _own() -> float:
    """Ticks spent by this process, by all that descend from it, and by those of them that ended."""
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
