"""Lock of a data folder: one cluster at a time, released by the kernel with the process."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from types import TracebackType


class InUse(Exception):
    """Data is in use by another cluster."""


class DataLock:
    """Lock on `path` inside the `with` block."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def __enter__(self) -> DataLock:
        """Take the lock or raise InUse with the process id of its holder."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = self._path.read_text().strip() or "unknown"
            os.close(self._descriptor)
            raise InUse(
                f"A room already runs on {self._path.parent} (process {holder}). "
                "Stop it first, or choose other data with --data DIR."
            ) from None
        os.truncate(self._descriptor, 0)
        os.pwrite(self._descriptor, str(os.getpid()).encode(), 0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the lock."""
        os.close(self._descriptor)
