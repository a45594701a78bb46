"""Restore of a backup into an empty room: everything is checked first, then put in place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.core.files.storage import default_storage
from django.db.migrations.loader import MigrationLoader
from redis.exceptions import RedisError

from config import clock, limits
from config.redis import room_at
from deploy.backup import database, key_copies, stored_files
from deploy.backup.manifest import (
    DATABASE,
    FILES,
    KEYS,
    BackupRefused,
    Manifest,
    read_manifest,
    release,
)
from deploy.backup.parts import Progress, Say, in_mb, verify_part
from deploy.backup.stored_files import Undo
from tables.workers import presence

NAMED_MAX = 3
"""Names of a long list that a message has."""


@dataclass(frozen=True, slots=True)
class EmptyRoom:
    """Room to restore into: its database as the owner, and its Redis."""

    owner_url: str
    redis_url: str


def restore_room(
    room: EmptyRoom, folder: Path, say: Say, *, with_keys: bool = True, keys: Path | None = None
) -> Manifest:
    """Restore the backup in a folder into an empty room, all of it or nothing.

    `keys` is the folder of the key files when they lie apart. Raises BackupRefused.
    """
    manifest = read_manifest(folder)
    at = {part.path: folder / part.path for part in manifest.parts}
    keys = keys or folder / KEYS
    at |= {part.path: keys / Path(part.path).name for part in manifest.keys}
    if not with_keys:
        at = {path: file for path, file in at.items() if path in (DATABASE, FILES)}
    _verify_backup(manifest, at, say)
    _verify_empty(room)
    steps = key_copies.verify_places(manifest.keys, keys) if with_keys else []
    undo: list[Undo] = []
    try:
        _put_in_place(room, at, steps, undo, say)
    except OSError as error:
        _take_back(undo)
        raise BackupRefused(f"The restore failed, nothing was changed: {error}.") from error
    except BaseException:
        _take_back(undo)
        raise
    return manifest


def _take_back(undo: list[Undo]) -> None:
    left = []
    for step in reversed(undo):
        try:
            step()
        except Exception as error:  # each kind of storage has errors of its own
            left.append(str(error))
    if left:
        raise BackupRefused(f"The restore failed, and this could not be undone: {_some(left)}.")


def _put_in_place(
    room: EmptyRoom,
    at: dict[str, Path],
    steps: list[Callable[[list[Undo]], None]],
    undo: list[Undo],
    say: Say,
) -> None:
    progress = Progress(say, "stored files")
    files = stored_files.unpack_files(at[FILES], default_storage, progress, undo)
    progress.finish(f"{files} files")
    for step in steps:
        step(undo)
    # Last, as one transaction: what came before it can be taken back.
    progress = Progress(say, "database")
    database.restore_database(room.owner_url, at[DATABASE], progress)
    progress.finish(in_mb(at[DATABASE].stat().st_size))


def _verify_backup(manifest: Manifest, at: dict[str, Path], say: Say) -> None:
    progress = Progress(say, "check")
    for part in manifest.parts:
        if part.path in at:
            verify_part(part, at[part.path], progress)
    stored_files.verify_tar(at[FILES], manifest.files)
    database.verify_dump(at[DATABASE])
    unknown = sorted({*manifest.migrations} - _known_migrations())
    if unknown:
        raise BackupRefused(
            f"The backup is of release {manifest.release}, and this one ({release()}) does not know"
            f" its migrations: {_some(unknown)}. Restore it with its own release or a newer one."
        )
    size = sum(part.size for part in manifest.parts if part.path in at)
    progress.finish(f"{len(at)} parts are whole, {in_mb(size)}")


def _verify_empty(room: EmptyRoom) -> None:
    """Raise BackupRefused unless the room has no workers, no data in Redis, no tables, no files."""
    redis = room_at(room.redis_url)
    try:
        now_ms = clock.redis_now_ms(redis)
        awake = [
            worker.name
            for worker in presence.workers(redis, now_ms)
            if now_ms - worker.seen_ms < limits.OTHER_ROOM_SILENT_MS
        ]
        left = redis.dbsize()
    except RedisError as error:
        raise BackupRefused(f"The room's Redis does not answer: {error}.") from error
    finally:
        redis.close()
    if awake:
        raise BackupRefused(
            f"Workers are alive on the room's Redis: {_some(awake)}. Stop web and all workers."
        )
    if left:
        raise BackupRefused(
            f"The room is not empty: its Redis has {left} keys, of another room or of play after"
            " the backup. Empty it with FLUSHALL, if no room needs it."
        )
    if tables := database.tables_of(room.owner_url):
        raise BackupRefused(
            f"The room is not empty: its database has {len(tables)} tables and sequences"
            f" ({_some(tables)}). Make a new database, and name it in both addresses."
        )
    if (name := stored_files.first_name(default_storage)) is not None:
        raise BackupRefused(
            f"The room is not empty: its storage has files, as {name}. Move them away."
        )


def _known_migrations() -> set[str]:
    """Return the migrations of this code, as APP.NAME, with those that others replace."""
    found = MigrationLoader(None, ignore_no_migrations=True).disk_migrations
    replaced = [pair for migration in found.values() for pair in migration.replaces]
    return {f"{app}.{name}" for app, name in (*found, *replaced)}


def _some(names: list[str]) -> str:
    more = len(names) - NAMED_MAX
    return ", ".join(names[:NAMED_MAX]) + (f" and {more} more" if more > 0 else "")
