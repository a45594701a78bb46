"""PostgreSQL with every table, made once for each set of migrations, copied for tests and rooms.

`python -m tests.prepared` deletes what is kept: `make test` begins with it, so that every run of
the whole suite migrates an empty database. Runs of single tests keep it until a migration changes.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from config.environment import HOME, kept_secret
from deploy.embedded import ports, postgres, program, servers
from deploy.embedded.binaries import postgres_directory
from deploy.embedded.owner import Owner
from deploy.embedded.postgres import KEEPER, ROOM, RUNTIME, Postgres

KEPT = HOME / ".local" / "prepared" / "databases"
SECRETS = HOME / ".local" / "prepared" / "secrets"
"""Passwords of the roles in every kept database."""

ROLES = (KEEPER, ROOM, RUNTIME)
READY_S = 120.0
STOP_S = 30.0
MIGRATED_S = 600.0
APPS = ("accounts", "config", "tables", "tournaments")
ALSO = ("requirements/base.txt", "deploy/embedded/postgres.py", "tournaments/engine/presets.py")
"""Files beside the migrations that decide what a migrated database holds."""


def copy(server: Postgres) -> None:
    """Give a server that has no files a migrated database `room`, and the passwords of its roles.

    The rights of the runtime role are not granted yet: `manage.py prepare --database` does that.
    """
    if server.data.exists():
        return
    lend_secrets(server.secrets)
    _copy_folder(_kept(), server.data, server.owner)


def furnish(home: Path) -> None:
    """Give the room that a command will start in this folder a migrated database."""
    # Its files do not depend on the ports, which the command chooses.
    unused = dict.fromkeys(("postgres", "room", "broker"), 0)
    copy(servers.lay_out(home / "data", home / "log", durable=True, port=unused).postgres)


def lend_secrets(folder: Path) -> None:
    """Give a room the passwords of the roles in kept databases, before an address is made."""
    for role in ROLES:
        kept_secret(SECRETS / f"postgres.{role}")
    _copy_folder(SECRETS, folder, None)


def digest(home: Path = HOME) -> str:
    """Return the name of a set of migrations: another one whenever one of their files changes."""
    seen = hashlib.sha256(str(postgres_directory()).encode())
    for path in files(home):
        seen.update(f"\n{path.relative_to(home)}\n".encode())
        seen.update(path.read_bytes())
    return seen.hexdigest()[:16]


def files(home: Path) -> Iterator[Path]:
    """Yield the files of a tree that decide what a migrated database holds."""
    for app in APPS:
        for path in sorted((home / app).rglob("*.py")):
            if path.parent.name == "migrations":
                yield path
    yield from (home / also for also in ALSO)


def forget(but: str = "") -> None:
    """Delete kept databases, but one of this name."""
    for path in KEPT.glob("*"):
        if path.name != but:
            shutil.rmtree(path, ignore_errors=True)


def _kept() -> Path:
    """Return the folder of this set of migrations; make it when there is none."""
    name = digest()
    kept = KEPT / name
    if not kept.is_dir():
        forget(but=name)
        with tempfile.TemporaryDirectory(prefix="room-prepared-") as above:
            place = Path(above)
            place.chmod(0o711)  # the server runs as an unprivileged user
            made = _migrated(place)
            unfinished = KEPT / f"{name}.{os.getpid()}"
            _copy_folder(made.data, unfinished, None)
        try:
            unfinished.rename(kept)
        except OSError:  # another process was first
            shutil.rmtree(unfinished)
    return kept


def _migrated(place: Path) -> Postgres:
    """Return a server, stopped again, whose database `room` was migrated by its owner."""
    chosen = ports.several(dict.fromkeys(("postgres", "room", "broker")))
    server = servers.lay_out(place, place, durable=False, port=chosen).postgres
    lend_secrets(server.secrets)
    how = postgres.prepare(server)
    child = program.start(how)
    try:
        program.wait_ready(how, child, READY_S)
        _migrate(server)
    finally:
        program.stop(how, child, STOP_S)
        ports.let_go(*chosen.values())
    return server


def _migrate(server: Postgres) -> None:
    environment = {
        "DATABASE_URL": server.owner_url,
        "ROOM_LOCAL": str(server.place),
        "SECRET_KEY": "for tests only, guards nothing",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    subprocess.run(
        [sys.executable, "-m", "django", "migrate", "--no-input", "--verbosity=0"],
        cwd=HOME,
        env=os.environ | environment,
        check=True,
        timeout=MIGRATED_S,
    )


def _copy_folder(source: Path, target: Path, owner: Owner | None) -> None:
    """Copy a folder; its files belong to `owner` afterwards, and nobody else reads them."""
    shutil.copytree(source, target, dirs_exist_ok=True)
    for path in (target, *target.rglob("*")):
        path.chmod(0o700 if path.is_dir() else 0o600)
        if owner is not None:
            owner.own(path)


if __name__ == "__main__":
    forget()
