"""User of the servers: the current one, or an unprivileged one, since PostgreSQL refuses root."""

from __future__ import annotations

import hashlib
import os
import pwd
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from config import entropy

UNPRIVILEGED = ("postgres", "nobody")


@dataclass(frozen=True, slots=True)
class Owner:
    """User of this machine; `drop` is true when a child must first change to that user."""

    uid: int
    gid: int
    drop: bool

    def own(self, path: Path) -> None:
        """Give a path to the owner, and close it to all other users."""
        path.chmod(0o700 if path.is_dir() else 0o600)
        if self.drop:
            os.chown(path, self.uid, self.gid)

    def become(self) -> None:
        """Change the calling process to the owner for good; for a child before its exec."""
        if self.drop:
            os.setgroups([])
            os.setgid(self.gid)
            os.setuid(self.uid)


def server_owner() -> Owner:
    """Return the current user, or for root the first unprivileged user of the machine."""
    if os.geteuid() != 0:
        return Owner(os.getuid(), os.getgid(), drop=False)
    for name in UNPRIVILEGED:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Owner(entry.pw_uid, entry.pw_gid, drop=True)
    raise RuntimeError(f"Running as root, and this machine has none of the users {UNPRIVILEGED}")


def ground(wanted: Path, owner: Owner) -> Path:
    """Return `wanted`, or a folder under /var/tmp when `owner` cannot reach it.

    The folder outlives a deleted checkout, but not its passwords: the next checkout at the same
    place gets a folder of another name.
    """
    new = not wanted.exists()
    wanted.mkdir(parents=True, exist_ok=True)
    if reachable(wanted, owner):
        return wanted
    mark = wanted / "elsewhere"
    if new:
        mark.write_text(entropy.name())
    known = mark.read_text() if mark.exists() else ""
    name = hashlib.sha256(f"{wanted.resolve()}{known}".encode()).hexdigest()[:16]
    other = Path("/var/tmp") / f"tournament-room-{name}"  # nosec
    other.mkdir(mode=0o711, exist_ok=True)
    found = other.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
        raise RuntimeError(f"{other} belongs to somebody else")
    other.chmod(0o711)
    return other


def runnable(program: Path, owner: Owner, place: Path) -> Path:
    """Return `program` (file or folder), or a copy below `place` when `owner` cannot reach it.

    A wheel keeps the libraries of its programs beside its package, found from there by their
    relative path, so package and libraries keep their relative places.
    """
    if reachable(program, owner):
        return program
    package = program.parent
    copy = place / "programs" / f"{program.name}-{int(program.stat().st_mtime)}"
    if not copy.exists():
        unfinished = copy.with_name(f"{copy.name}.{os.getpid()}")
        unfinished.parent.mkdir(mode=0o755, exist_ok=True)
        _copy(program, unfinished / package.name / program.name)
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.is_dir():
            _copy(libraries, unfinished / libraries.name)
        unfinished.rename(copy)
    return copy / package.name / program.name


def reachable(path: Path, owner: Owner) -> bool:
    """Return whether `owner` may walk down to `path`, judged by the mode bits of its folders."""
    if not owner.drop:
        return True
    path = path.resolve()
    return all(_may_enter(folder, owner) for folder in [path, *path.parents])


def _copy(original: Path, copy: Path) -> None:
    copy.parent.mkdir(parents=True, exist_ok=True)
    if original.is_dir():
        shutil.copytree(original, copy, symlinks=True)
    else:
        shutil.copy2(original, copy)


def _may_enter(path: Path, owner: Owner) -> bool:
    found = path.stat()
    if found.st_uid == owner.uid:
        return bool(found.st_mode & stat.S_IXUSR)
    if found.st_gid == owner.gid:
        return bool(found.st_mode & stat.S_IXGRP)
    return bool(found.st_mode & stat.S_IXOTH)
