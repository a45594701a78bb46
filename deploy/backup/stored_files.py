"""Stored files of a backup: all files of the room's one storage in one tar, one at a time."""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import Storage

from deploy.backup.manifest import BackupRefused
from deploy.backup.parts import PartFile, Progress

Undo = Callable[[], None]


def names_in(storage: Storage, folder: str = "") -> Iterator[str]:
    """Yield the names of all files in a storage: a local folder or a bucket."""
    try:
        folders, files = storage.listdir(folder)
    except FileNotFoundError:  # nothing was stored yet
        return
    above = f"{folder}/" if folder else ""
    for name in sorted(filter(None, files)):
        yield above + name
    for name in sorted(filter(None, folders)):
        yield from names_in(storage, above + name)


def first_name(storage: Storage) -> str | None:
    """Return the name of a file in a storage, None for an empty one; raise BackupRefused."""
    with _refusals():
        return next(names_in(storage), None)


def pack_files(storage: Storage, to: PartFile, progress: Progress) -> int:
    """Write all files of a storage into a tar; return their number. Raises BackupRefused.

    A file that is deleted meanwhile is left out: players replace their pictures.
    """
    packed = 0
    with _refusals(), tarfile.open(fileobj=to, mode="w|", format=tarfile.PAX_FORMAT) as tar:  # type: ignore[call-overload]
        for name in names_in(storage):
            try:
                opened = storage.open(name)
            except FileNotFoundError:
                continue
            with opened as file:
                entry = tarfile.TarInfo(name)
                entry.size, entry.mode = file.size, 0o600
                tar.addfile(entry, file)
            packed += 1
            progress.tell(f"{packed} files, {to.size / 1e6:.1f} MB")
    return packed


def verify_tar(path: Path, files: int) -> None:
    """Look at the names in a tar; raise BackupRefused for one that does not belong to a room."""
    found = 0
    try:
        with tarfile.open(path, "r:") as tar:
            for entry in tar:
                if not entry.isfile() or not _is_inside(entry.name):
                    raise BackupRefused(f"{path} has {entry.name!r}, which is no stored file.")
                found += 1
    except tarfile.TarError as error:
        raise BackupRefused(f"{path} cannot be read: {error}.") from error
    if found != files:
        raise BackupRefused(f"{path} has {found} files, the manifest says {files}.")


def unpack_files(path: Path, storage: Storage, progress: Progress, undo: list[Undo]) -> int:
    """Put the files of a tar into an empty storage; return their number.

    `undo` gets a step for each file. Raises BackupRefused.
    """
    put = 0
    with _refusals(), tarfile.open(path, "r:") as tar:
        for entry in tar:
            body = tar.extractfile(entry)
            assert body is not None, "verify_tar admits files only"
            given = storage.save(entry.name, File(body))
            undo.append(lambda name=given: storage.delete(name))  # type: ignore[misc]
            if given != entry.name:
                raise BackupRefused(f"The storage has a file {entry.name} by now.")
            put += 1
            progress.tell(f"{put} files")
    return put


@contextmanager
def _refusals() -> Iterator[None]:
    try:
        yield
    except BackupRefused:
        raise
    except Exception as error:  # each kind of storage has errors of its own
        raise BackupRefused(f"The storage of files does not do it: {error}") from error


def _is_inside(name: str) -> bool:
    parts = name.split("/")
    return "\\" not in name and all(part not in ("", ".", "..") for part in parts)
