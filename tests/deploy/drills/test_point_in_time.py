"""Recovery to a second from base backup and archived WAL: every commit before it, no later one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from deploy.drills.point_in_time.drill import RestorePlan, run_restore_drill


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


WRONG = [{"seconds": 0.0}, {"seconds": -1.0}, {"writers": 0}, {"players": 3}, {"hands": 0}]


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_options_of_the_drill_start_nothing(wrong: dict[str, float]) -> None:
    with pytest.raises(CommandError, match=r"--\w+ must be (more than 0|4 or more)"):
        call_command("restore_drill", **wrong)
