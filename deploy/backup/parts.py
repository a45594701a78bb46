"""Parts of a backup: written once with size and digest, compared with them before a restore."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

from deploy.backup.manifest import BackupPart, BackupRefused

CHUNK_BYTES = 1 << 20
TOLD_EVERY_S = 2.0

Say = Callable[[str], None]


class Progress:
    """Progress of one part, told at most every TOLD_EVERY_S seconds."""

    def __init__(self, say: Say, what: str) -> None:
        self._say, self._what = say, what
        self._began_s = self._told_s = time.monotonic()

    def tell(self, done: str) -> None:
        """Tell what is done by now, unless something was told a moment ago."""
        if time.monotonic() - self._told_s >= TOLD_EVERY_S:
            self._told_s = time.monotonic()
            self._say(f"{self._what}: {done}")

    def finish(self, done: str) -> None:
        """Tell what was done, and the seconds it took."""
        self._say(f"{self._what}: {done}, {time.monotonic() - self._began_s:.1f} s")


class PartFile:
    """New file of a backup (mode 0600); synced to the disk when the block ends."""

    def __init__(self, folder: Path, path: str) -> None:
        self.path = path
        self.size = 0
        self._digest = hashlib.sha256()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        self._file = os.fdopen(os.open(folder / path, flags, 0o600), "wb")

    def __enter__(self) -> PartFile:
        """Return the open file."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Sync and close the file; after an error only close it."""
        with self._file:
            if error is None:
                self._file.flush()
                os.fsync(self._file.fileno())

    def write(self, data: bytes) -> int:
        """Write the next bytes of the part."""
        self._digest.update(data)
        self.size += len(data)
        return self._file.write(data)

    def part(self) -> BackupPart:
        """Return what the manifest says of the part."""
        return BackupPart(self.path, self.size, self._digest.hexdigest())


def verify_part(part: BackupPart, path: Path, progress: Progress) -> None:
    """Compare a file with its size and digest; raise BackupRefused."""
    digest, size = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                digest.update(chunk)
                size += len(chunk)
                progress.tell(f"{part.path} {in_mb(size)} of {in_mb(part.size)}")
    except FileNotFoundError:
        raise BackupRefused(f"{path} is missing: the backup is not whole.") from None
    except OSError as error:
        raise BackupRefused(f"{path} cannot be read: {error.strerror}.") from error
    if size != part.size:
        cut = "was cut short" if size < part.size else "has grown"
        raise BackupRefused(f"{path} {cut}: {size} bytes in place of {part.size}.")
    if digest.hexdigest() != part.sha256:
        raise BackupRefused(f"{path} was changed or damaged: its SHA-256 is not the manifest's.")


def in_mb(size: int) -> str:
    """Return a size in bytes as people read it."""
    return f"{size / 1e6:.1f} MB"
