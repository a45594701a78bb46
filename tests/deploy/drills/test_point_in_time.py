"""Recovery to a second from base backup and archived WAL: every commit before it, no later one."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.environment import HOME
from deploy.drills.point_in_time.drill import RestorePlan, run_restore_drill
from deploy.embedded import base_backup


@pytest.fixture
def home() -> Iterator[Path]:
    """Folder that the user of the servers can reach."""
    made = Path(tempfile.mkdtemp(prefix="room-drill-"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made, ignore_errors=True)


def test_a_dropped_database_comes_back_as_it_was_at_a_second(home: Path) -> None:
    plan = RestorePlan(home, before_s=1.5, after_s=0.5, durable=False)
    found = run_restore_drill(plan)
    assert found["violations"] == []
    assert found["restored"] == found["before"] > 100
    assert found["committed"] > found["before"]


def test_a_segment_is_archived_once_and_again_after_a_crash(tmp_path: Path) -> None:
    folder, segment, name = tmp_path / "wal", tmp_path / "segment", "00000001000000000000002A"
    folder.mkdir()
    segment.write_bytes(b"whole")
    told = re.search(r"archive_command = '(.+)'", (HOME / "docs/backup.md").read_text())
    assert told is not None
    command = base_backup.archive_settings(Path("/wal"))["archive_command"]
    assert told[1] == command
    shell = command.replace("%p", str(segment)).replace("%f", name).replace("/wal", str(folder))

    def is_archived() -> bool:
        return subprocess.run(["sh", "-c", shell], check=False).returncode == 0

    (folder / f"{name}.part").write_bytes(b"cut")
    assert is_archived() and is_archived(), "a crash before the server noted it"
    segment.write_bytes(b"other")
    assert not is_archived()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {name: b"whole"}


WRONG = [{"seconds": 0.0}, {"seconds": -1.0}, {"writers": 0}, {"players": 3}, {"hands": 0}]


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_options_of_the_drill_start_nothing(wrong: dict[str, float]) -> None:
    with pytest.raises(CommandError, match=r"--\w+ must be (more than 0|4 or more)"):
        call_command("restore_drill", **wrong)
