"""Loss of power, imitated: a dead server's file ends where it was synced last."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_CACHESTAT = 451
"""Number of the system call on all architectures; Linux 6.5 or newer."""


class _Range(ctypes.Structure):
    _fields_ = (("offset", ctypes.c_uint64), ("length", ctypes.c_uint64))


class _Pages(ctypes.Structure):
    _fields_ = tuple(
        (name, ctypes.c_uint64)
        for name in ("cached", "dirty", "in_writing", "evicted", "evicted_recently")
    )


def lose_unsynced(folder: Path) -> int:
    """Take the last command from the append-only file of a dead Redis when it was never synced.

    Returns how many files were cut. A server that syncs before it answers has at most the commands
    of one turn unsynced, and nobody was answered for them. A kill alone leaves them: the kernel
    writes pages of a dead process. One byte less makes the server drop the whole command.
    """
    cut = 0
    for path in folder.rglob("*.incr.aof"):
        with path.open("r+b") as file:
            size = os.fstat(file.fileno()).st_size
            if size and unsynced_pages(file.fileno()):
                file.truncate(size - 1)
                cut += 1
    return cut


def unsynced_pages(file: int) -> int:
    """Return the pages of an open file that wait for the disk; 0 where the system cannot say."""
    found, whole = _Pages(), _Range(0, 0)
    call = ctypes.CDLL(None).syscall
    if call(_CACHESTAT, file, ctypes.byref(whole), ctypes.byref(found), 0):
        return 0
    return int(found.dirty)
