"""Writing of a backup: into a folder beside its place, renamed when it is whole."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from django.core.files.storage import default_storage

from config import clock
from deploy.backup import database, stored_files
from deploy.backup.key_copies import KeyCopies, copy_keys
from deploy.backup.manifest import (
    DATABASE,
    FILES,
    FORMAT,
    MANIFEST,
    BackupRefused,
    Manifest,
    encode_manifest,
    release,
)
from deploy.backup.parts import PartFile, Progress, Say, in_mb


def save_room(url: str, folder: Path, say: Say, *, with_keys: bool = True) -> Manifest:
    """Write a backup of the room at a database's `url` into a new folder; play may go on.

    The database comes first: a file that a row names is stored before the row. Raises
    BackupRefused and leaves no folder.
    """
    taken_at = datetime.fromtimestamp(clock.now_ms() / 1_000, UTC).isoformat(timespec="seconds")
    migrations = database.applied_migrations(url)
    try:
        with _new_folder(folder) as part:
            progress = Progress(say, "database")
            with PartFile(part, DATABASE) as dump:
                database.dump_database(url, dump, progress)
            progress.finish(in_mb(dump.size))
            progress = Progress(say, "stored files")
            with PartFile(part, FILES) as tar:
                files = stored_files.pack_files(default_storage, tar, progress)
            progress.finish(f"{files} files, {in_mb(tar.size)}")
            copies = copy_keys(part) if with_keys else KeyCopies([], [], [])
            manifest = Manifest(
                format=FORMAT,
                release=release(),
                taken_at=taken_at,
                migrations=migrations,
                files=files,
                parts=(dump.part(), tar.part(), *copies.parts),
                keys_elsewhere=tuple(copies.elsewhere),
                keys_missing=tuple(copies.missing),
            )
            with PartFile(part, MANIFEST) as file:
                file.write(encode_manifest(manifest))
    except OSError as error:
        raise BackupRefused(f"The backup cannot be written: {error}.") from error
    return manifest


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Give an empty folder that gets its name when the block ends, and is deleted on an error."""
    if folder.exists():
        raise BackupRefused(f"{folder} exists: name a new folder for each backup.")
    part = folder.with_name(f"{folder.name}.part")
    part.mkdir(mode=0o700, parents=True, exist_ok=True)
    held = os.open(part, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupRefused(f"Another backup is being written to {part}.") from None
        _clear(part)  # left by one that was killed
        try:
            yield part
            os.fsync(held)
            part.rename(folder)
            _sync(folder.parent)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    finally:
        os.close(held)


def _clear(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
