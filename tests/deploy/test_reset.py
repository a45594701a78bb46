"""`manage.py reset` deletes the room and every run beside it, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from config.environment import HOME
from deploy.processes.lock import DataLock

RUNS = (".", "headless", "chaos", "formats", "hosts")


def reset(local: Path) -> subprocess.CompletedProcess[str]:
    """Return the finished command for a room with files in `local`."""
    return subprocess.run(
        [sys.executable, str(HOME / "manage.py"), "reset"],
        env={"PATH": os.environ["PATH"], "ROOM_LOCAL": str(local)},
        capture_output=True,
        text=True,
        check=False,
    )


def lay(local: Path) -> None:
    """Create files as rooms leave them, and an unrelated one."""
    for run in RUNS:
        (local / run / "data" / "servers").mkdir(parents=True)
        (local / run / "log").mkdir()
        (local / run / "files" / "faces").mkdir(parents=True)
        (local / run / "mail").mkdir()
    (local / "report.json").write_text("{}")


def test_every_room_below_is_forgotten(tmp_path: Path) -> None:
    lay(tmp_path)
    done = reset(tmp_path)
    assert done.returncode == 0, done.stderr
    for name in ("data", "log", "files", "mail"):
        assert not list(tmp_path.rglob(name)), name
    assert (tmp_path / "report.json").exists()


def test_a_room_that_runs_is_not_forgotten(tmp_path: Path) -> None:
    lay(tmp_path)
    with DataLock(tmp_path / "data" / "lock"):
        refused = reset(tmp_path)
    assert refused.returncode != 0
    assert f"process {os.getpid()}" in refused.stderr
    assert (tmp_path / "data" / "servers").is_dir()
