"""Two releases of a drill: chosen from git, compared, and unpacked beside each other."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import tarfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from config.environment import HOME
from deploy.preparation import expanding
from deploy.preparation.expanding import NewMigration

LIBRARIES = "requirements/base.txt"
"""Locked libraries of a room's processes."""

BACK_MAX = 20
"""Commits before this one among which a release to start from is looked for."""

WORKING_TREE = "working tree"


class UnfitReleases(Exception):
    """Processes of the two releases cannot be replaced one at a time; the message says why."""


@dataclass(frozen=True, slots=True)
class Revision:
    """Commit of a release, or the working tree, and its short name."""

    name: str
    commit: str = ""

    def read(self, path: str) -> bytes:
        """Return the content of a file; empty when it is missing."""
        if self.commit:
            return _git("show", f"{self.commit}:{path}", missing=b"")
        found = HOME / path
        return found.read_bytes() if found.is_file() else b""

    def migrations(self) -> set[str]:
        """Return the files of all migrations of a commit."""
        listed = _git("ls-tree", "-r", "--name-only", self.commit).decode()
        return {name for name in listed.splitlines() if "/migrations/" in name}


@dataclass(frozen=True, slots=True)
class Release:
    """Release on this machine: its name, its folder, and its Python with its libraries."""

    name: str
    folder: Path
    python: str


@dataclass(frozen=True, slots=True)
class ReleasePair:
    """Releases of a drill: the one that plays first, and the one that replaces it."""

    old: Revision
    new: Revision
    with_venv: bool = False


def choose(start: str | None, end: str | None, with_venv: bool = False) -> ReleasePair:
    """Return the two releases that were asked for; the later one is the working tree by default.

    Without a start it is the newest tag, else the oldest of the last commits from which processes
    can be replaced one at a time. Raises UnfitReleases.
    """
    new = _revision("--to", end) if end else Revision(WORKING_TREE)
    old = _revision("--from", start) if start else _earlier(new)
    if old.commit == (new.commit or None):
        raise UnfitReleases(f"--from and --to are the same commit, {old.name}")
    if not with_venv:
        verify_libraries(old, new)
    return ReleasePair(old, new, with_venv)


def verify_libraries(old: Revision, new: Revision) -> None:
    """Raise UnfitReleases when the releases lock different libraries."""
    if old.read(LIBRARIES) != new.read(LIBRARIES):
        raise UnfitReleases(
            f"{LIBRARIES} differs between {old.name} and {new.name}: both cannot use the libraries"
            " of this folder; --with-venv installs those of each (it needs the network)"
        )


def verify_migrations(new: Release, old: Revision) -> list[str]:
    """Return the files of the newer migrations, which the older release lives with.

    Raises UnfitReleases when it does not.
    """
    added = _added(new, old.migrations())
    wrong = [line for one in added for line in _objections(one, old)]
    if wrong:
        lines = "\n  ".join(wrong)
        raise UnfitReleases(
            f"{old.name} cannot go on after the migrations of {new.name}:\n  {lines}"
        )
    return [one.file for one in added]


def unpack(revision: Revision, folder: Path, with_venv: bool = False) -> Release:
    """Return a release on this machine, its files in `folder` unless it is the working tree."""
    if not revision.commit:
        return Release(revision.name, HOME, sys.executable)
    archive = _git("archive", "--format=tar", revision.commit)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        files.extractall(folder, filter="data")
    python = _venv(folder) if with_venv else sys.executable
    return Release(revision.name, folder, python)


def _revision(flag: str, asked: str) -> Revision:
    commit = _git(
        *("rev-parse", "--verify", "--quiet", "--end-of-options", f"{asked}^{{commit}}"),
        missing=b"",
    )
    if not commit:
        raise UnfitReleases(f"{flag}: this repository has no revision {asked}")
    name = commit.decode().strip()
    return Revision(asked if not name.startswith(asked) else name[:10], name)


def _earlier(new: Revision) -> Revision:
    """Return the newest tag before a revision, else the oldest commit that fits."""
    head = new.commit or "HEAD"
    tag = _git("describe", "--tags", "--abbrev=0", f"{head}^", missing=b"").decode().strip()
    if tag:
        return _revision("--from", tag)
    listed = _git("log", f"--max-count={BACK_MAX + 1}", "--first-parent", "--format=%H", head)
    commits = listed.decode().split()
    earlier = [_revision("--from", commit) for commit in reversed(commits[1:])]
    if not earlier:
        raise UnfitReleases("this repository has no earlier commit; name one with --from")
    needed = _needed(new, earlier[0]) if not new.commit else set()
    for revision in earlier:
        same = revision.read(LIBRARIES) == new.read(LIBRARIES)
        if same and needed <= revision.migrations():
            return revision
    return earlier[-1]


def _needed(new: Revision, oldest: Revision) -> set[str]:
    """Return the migrations of the working tree that an older release cannot go on after."""
    added = _added(unpack(new, HOME), oldest.migrations())
    return {one.file for one in added if one.contract or one.wrong}


def _added(new: Release, known: Iterable[str]) -> list[NewMigration]:
    """Return the migrations of a release except the known ones, judged in its own process."""
    judged = subprocess.run(
        [new.python, "-c", Path(expanding.__file__).read_text()],
        cwd=new.folder,
        input=json.dumps(sorted(known)).encode(),
        capture_output=True,
        check=False,
    )
    if judged.returncode:
        last = judged.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise UnfitReleases(f"the migrations of {new.name} cannot be read: {''.join(last)}")
    return [
        NewMigration(row["file"], row["contract"], tuple(row["wrong"]))
        for row in json.loads(judged.stdout)
    ]


def _objections(migration: NewMigration, old: Revision) -> list[str]:
    """Return why a release cannot go on after a migration: what is wrong, or it is too old."""
    since = migration.contract
    if since and not _is_since(old, since):
        return [f"{migration.file} takes away what only releases before {since} use"]
    return [f"{migration.file}: {line}" for line in migration.wrong]


def _is_since(old: Revision, release: str) -> bool:
    """Return whether a commit has a tagged release behind it, or is that one."""
    for tag in (release, f"v{release}"):
        if _git("rev-parse", "--verify", "--quiet", f"refs/tags/{tag}", missing=b""):
            return _git("merge-base", tag, old.commit) == _git("rev-parse", f"{tag}^{{commit}}")
    return False


def _venv(folder: Path) -> str:
    """Return the Python of a new environment with the libraries that a release locks."""
    python = folder / ".venv/bin/python"
    install = ["-m", "pip", "install", "-qq", "--require-hashes", "--no-deps", "-r", LIBRARIES]
    for line in ([sys.executable, "-m", "venv", ".venv"], [str(python), *install]):
        done = subprocess.run(line, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UnfitReleases(f"{' '.join(line)} failed: {done.stderr.strip()[-300:]}")
    return str(python)


def _git(*arguments: str, missing: bytes | None = None) -> bytes:
    """Return what git prints about this folder, or `missing` when it refuses."""
    try:
        done = subprocess.run(["git", *arguments], cwd=HOME, capture_output=True, check=False)  # nosec B607
    except FileNotFoundError as problem:
        raise UnfitReleases(
            "the drill takes releases from git, which is not installed"
        ) from problem
    if done.returncode == 0:
        return done.stdout
    if missing is not None:
        return missing
    raise UnfitReleases(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
