"""Key files of a backup: copied with mode 0600, and put in place of an empty room."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from config import environment
from deploy.backup.manifest import KEYS, BackupPart, BackupRefused
from deploy.backup.parts import PartFile
from deploy.backup.stored_files import Undo
from tables.workers import key_files

SECRET = "secret_key"  # nosec B105 - the name of a file


class RoomKey(NamedTuple):
    """Key of a room: the variable that may hold it, else its file; an optional one may lack."""

    variable: str
    path: Path
    optional: bool = False


class KeyCopies(NamedTuple):
    """Copied key files, and the names of keys that have none: in the environment, or nowhere."""

    parts: list[BackupPart]
    elsewhere: list[str]
    missing: list[str]


def room_keys() -> dict[str, RoomKey]:
    """Return the keys of this room by the name of their copies."""
    found = {SECRET: RoomKey("SECRET_KEY", environment.secret_key_file())}
    for word, key in key_files.ALL.items():
        found[f"{word}_key"] = RoomKey(key.variable, key.path())
    for key in (key_files.LOG, key_files.DECK):
        path = environment.before(key.path())
        name = f"{key.variable.lower()}.before"
        found[name] = RoomKey(f"{key.variable}_BEFORE", path, optional=True)
    return found


def copy_keys(folder: Path) -> KeyCopies:
    """Copy the key files of this room into the folder of a backup; raise BackupRefused."""
    (folder / KEYS).mkdir(mode=0o700)
    copies = KeyCopies([], [], [])
    for name, key in room_keys().items():
        if os.environ.get(key.variable):
            copies.elsewhere.append(name)
        elif not key.path.exists():
            if not key.optional:
                copies.missing.append(name)
        else:
            with PartFile(folder, f"{KEYS}/{name}") as copy:
                copy.write(_read(key.path))
            copies.parts.append(copy.part())
    return copies


def verify_places(parts: list[BackupPart], folder: Path) -> list[Callable[[list[Undo]], None]]:
    """Return the steps that put key files in place; raise BackupRefused where another key is.

    A key that is there already stays. The secret key of an empty room signed nothing, since each
    command makes one where there is none: it is put aside.
    """
    keys = room_keys()
    steps: list[Callable[[list[Undo]], None]] = []
    for part in parts:
        name = Path(part.path).name
        if name not in keys:
            raise BackupRefused(f"{part.path} is no key that this release knows.")
        key, text = keys[name], _read(folder / name)
        if given := os.environ.get(key.variable):
            if _words(given.encode()) != _words(text):
                raise BackupRefused(
                    f"{key.variable} is set in the environment and is not the key of the backup:"
                    " set that one, or take it out of the environment."
                )
        elif key.path.exists():
            if _words(_read(key.path)) == _words(text):
                continue
            if name != SECRET:
                raise BackupRefused(
                    f"The room is not empty: another key is in {key.path}. Move it away, if no"
                    " room needs it."
                )
            steps.append(lambda undo, path=key.path: _put_aside(path, undo))  # type: ignore[misc]
            steps.append(lambda undo, path=key.path, text=text: _put(path, text, undo))  # type: ignore[misc]
        else:
            steps.append(lambda undo, path=key.path, text=text: _put(path, text, undo))  # type: ignore[misc]
    return steps


def _put(path: Path, text: bytes, undo: list[Undo]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    undo.append(path.unlink)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _put_aside(path: Path, undo: list[Undo]) -> None:
    aside = path.with_name(f"{path.name}.unused")
    os.replace(path, aside)
    undo.append(lambda: os.replace(aside, path))


def _read(path: Path) -> bytes:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BackupRefused(f"The key file {path} cannot be read: {error.strerror}.") from error
    if len(text.strip()) < environment.KEY_LENGTH_MIN:
        raise BackupRefused(f"The key file {path} is cut short: restore the file.")
    return text


def _words(text: bytes) -> list[bytes]:
    """Return the words of a key: keys of months have lines in a file, semicolons in a variable."""
    return text.replace(b";", b"\n").split()
