"""Usage of each process of a room: processor seconds and memory, read from /proc (Linux)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
_PARENT, _USER, _RESIDENT = 1, 11, 21
"""Places in /proc/PID/stat, counted from the field after the name."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Usage of a process with all its descendants: `cpu_s` since its start, memory now."""

    cpu_s: float
    memory_bytes: int

    def since(self, before: Usage) -> Usage:
        """Return the usage after `before`; the memory is the current one."""
        return Usage(self.cpu_s - before.cpu_s, self.memory_bytes)


def usages(leaders: Mapping[str, int]) -> dict[str, Usage]:
    """Return the usage of each named process with all its descendants."""
    found = dict(_processes())
    children: dict[int, list[int]] = {}
    for pid, fields in found.items():
        children.setdefault(int(fields[_PARENT]), []).append(pid)
    return {name: _usage(list(_tree(pid, found, children))) for name, pid in leaders.items()}


def _tree(
    pid: int, found: Mapping[int, list[str]], children: Mapping[int, list[int]]
) -> Iterator[tuple[int, list[str]]]:
    if pid in found:
        yield pid, found[pid]
    for child in children.get(pid, ()):
        yield from _tree(child, found, children)


def since(before: Mapping[str, Usage], after: Mapping[str, Usage]) -> dict[str, Usage]:
    """Return the usage of each process between two readings."""
    return {name: usage.since(before[name]) for name, usage in after.items() if name in before}


def _usage(members: list[tuple[int, list[str]]]) -> Usage:
    # Four fields: the process' own time and that of waited-for children, user and system each.
    ticks = sum(int(value) for _, fields in members for value in fields[_USER : _USER + 4])
    return Usage(ticks / _TICKS_PER_S, sum(_memory(pid, fields) for pid, fields in members))


def _memory(pid: int, fields: list[str]) -> int:
    """Return memory with shared pages counted by their share, else the resident size."""
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass  # gone, or another user's
    return int(fields[_RESIDENT]) * _PAGE_BYTES


def _processes() -> Iterator[tuple[int, list[str]]]:
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            text = Path(entry.path, "stat").read_text()
        except OSError:
            continue  # it ended meanwhile
        yield int(entry.name), text[text.rindex(")") + 2 :].split()
