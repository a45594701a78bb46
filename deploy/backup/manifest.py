"""Manifest of a backup: release, time, migrations, and size and digest of each part."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

from config.environment import HOME

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "database.dump"
FILES = "files.tar"
KEYS = "keys"
"""Names in the folder of a backup; KEYS is a folder."""


class BackupRefused(Exception):
    """Backup or restore that is refused or failed; nothing was changed. The message says why."""


class BackupPart(msgspec.Struct, frozen=True):
    """File of a backup by its path in the folder: its size in bytes and its SHA-256 in hex."""

    path: str
    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Contents of a backup.

    `taken_at` is the time in UTC of its begin, `files` the number of stored files. Keys in
    `keys_elsewhere` were in the environment and are not in the backup, those in `keys_missing` had
    no file.
    """

    format: int
    release: str
    taken_at: str
    migrations: tuple[str, ...]
    files: int
    parts: tuple[BackupPart, ...]
    keys_elsewhere: tuple[str, ...] = ()
    keys_missing: tuple[str, ...] = ()

    @property
    def keys(self) -> list[BackupPart]:
        """Return the key files of the backup."""
        return [part for part in self.parts if part.path.startswith(f"{KEYS}/")]


def encode_manifest(manifest: Manifest) -> bytes:
    """Return a manifest as JSON that people can read."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=2) + b"\n"


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest in the folder of a backup; raise BackupRefused."""
    path = folder / MANIFEST
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except FileNotFoundError:
        raise BackupRefused(f"{folder} is no backup: it has no {MANIFEST}.") from None
    except OSError as error:
        raise BackupRefused(f"{path} cannot be read: {error.strerror}.") from error
    except msgspec.DecodeError as error:
        raise BackupRefused(f"{path} is damaged or of another release: {error}.") from error
    if manifest.format != FORMAT:
        raise BackupRefused(
            f"{path} has format {manifest.format}; release {release()} reads format {FORMAT}."
        )
    named = [part.path for part in manifest.parts]
    for needed in (DATABASE, FILES):
        if needed not in named:
            raise BackupRefused(f"{path} names no {needed}: the backup is not whole.")
    return manifest


def release() -> str:
    """Return the release of this code."""
    project = tomllib.loads((HOME / "pyproject.toml").read_text())["project"]
    return str(project["version"])
