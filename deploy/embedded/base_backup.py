"""Base backup of a running embedded PostgreSQL, and recovery from it and archived WAL."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from config import environment
from deploy.embedded import binaries, postgres
from deploy.embedded.owner import runnable
from deploy.embedded.postgres import KEEPER, Postgres
from deploy.embedded.program import Program


def copy_server(primary: Postgres, copy: Postgres, *options: str) -> None:
    """Copy a running server into the data of another one by pg_basebackup, with more `options`."""
    home = runnable(binaries.postgres_directory(), copy.owner, copy.place)
    password = environment.kept_secret(primary.secrets / f"postgres.{KEEPER}")
    copy.data.mkdir(mode=0o700)
    copy.owner.own(copy.data)
    done = subprocess.run(
        [
            *(str(home / "bin" / "pg_basebackup"), "-h", primary.address, "-p", str(primary.port)),
            *("-U", KEEPER, "-D", str(copy.data), "-X", "stream", "-c", "fast", *options),
            *([] if copy.durable else ["--no-sync"]),
        ],
        check=False,
        capture_output=True,
        text=True,
        cwd=copy.place,
        env={**os.environ, **postgres.ENGLISH, "PGPASSWORD": password},
        preexec_fn=copy.owner.become,
    )
    if done.returncode:
        raise RuntimeError(f"pg_basebackup failed:\n{done.stdout}\n{done.stderr}")


def archive_settings(archive: Path) -> dict[str, str]:
    """Return the settings of a server that archives its WAL into a folder.

    Commits have a time, so that a drill can tell which came before a second.
    """
    # Renamed when it is whole: a copy that was cut short is never taken for a segment. After a
    # crash a server archives again what it had archived: an equal file is no error, another one is.
    kept = f"{archive}/%f"
    copied = f"cp %p {kept}.part && sync {kept}.part && mv {kept}.part {kept}"
    return {
        "archive_mode": "on",
        "archive_command": f"if test -f {kept}; then cmp -s %p {kept}; else {copied}; fi",
        "track_commit_timestamp": "on",
    }


def prepare_recovery(copy: Postgres, archive: Path, until: str) -> Program:
    """Return the program that recovers a base backup to a time, from archived WAL, and opens it."""
    signal = copy.data / "recovery.signal"
    signal.touch()
    copy.owner.own(signal)
    return postgres.prepare(
        copy,
        {
            "restore_command": f"cp {archive}/%f %p",
            "recovery_target_time": until,
            "recovery_target_action": "promote",
            "archive_mode": "off",
            "track_commit_timestamp": "on",
        },
    )
