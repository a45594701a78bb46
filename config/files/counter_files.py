"""Files of counters that processes map into memory, safe on a disk that runs full."""

from __future__ import annotations

import errno
import mmap
import os
import struct
import sys

import structlog
from prometheus_client import mmap_dict

log = structlog.get_logger(__name__)

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_SIZE = mmap_dict._INITIAL_MMAP_SIZE
_HEAD = 8
_VALUE_MAX = 28
"""Bytes of a value beside its name, at most."""


class CounterFile(mmap_dict.MmapedDict):
    """File of counters whose blocks are on the disk before anything is written to them.

    A write to mapped memory that has no block yet ends the process (SIGBUS) where the disk is full.
    There the counters go on in memory until the process starts anew, and its file stands still.
    """

    def __init__(self, filename: str, read_mode: bool = False) -> None:
        self._fname = filename
        if read_mode or _has_room(filename, _SIZE):
            super().__init__(filename, read_mode)  # type: ignore[no-untyped-call]
            return
        _tell(filename)
        self._f = None  # type: ignore[assignment]
        self._positions: dict[str, int] = {}
        self._capacity, self._used = _SIZE, _HEAD
        self._m = mmap.mmap(-1, _SIZE)
        self._m[:4] = struct.pack("i", _HEAD)

    def _init_value(self, key: str) -> None:
        needed, capacity = self._used + len(key.encode()) + _VALUE_MAX, self._capacity
        while capacity < needed:
            capacity *= 2
        if capacity > self._capacity:
            self._make_room(capacity)
        super()._init_value(key)  # type: ignore[no-untyped-call]

    def _make_room(self, capacity: int) -> None:
        """Take blocks for so many bytes, which the base maps, or go on in memory."""
        if self._f is not None and _has_room(self._fname, capacity):
            return
        memory = mmap.mmap(-1, capacity)
        memory[: self._used] = self._m[: self._used]
        if self._f is not None:
            _tell(self._fname)
            self.close()  # type: ignore[no-untyped-call]
        self._m, self._capacity = memory, capacity


def _has_room(filename: str, least: int) -> bool:
    """Take the blocks of a file of at least so many bytes; return False where the disk is full.

    File systems that cannot take blocks ahead are trusted. No empty file stays, which nobody reads.
    """
    if sys.platform != "linux":
        return True
    try:
        descriptor = os.open(filename, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as failed:
        return failed.errno not in _FULL
    try:
        os.posix_fallocate(descriptor, 0, max(least, os.fstat(descriptor).st_size))
    except OSError as failed:
        if failed.errno not in _FULL:
            return True
        if not os.fstat(descriptor).st_size:
            os.unlink(filename)
        return False
    finally:
        os.close(descriptor)
    return True


def _tell(filename: str) -> None:
    log.error("disk is full: counters stay in memory until the next start", file=filename)
