"""Every hand of a headless run as PHH, played by pokerkit to equal stacks; refusals before it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from django.core.management import CommandError, call_command

from config.environment import HOME
from tables.history.exports.differs import Difference
from tests import prepared
from tests.bench.replayed import replay
from tests.deploy.cluster.levels import quick_offer

WITHIN_S = 900.0
REASONS = set(get_args(Difference))


@pytest.mark.sample
@pytest.mark.cluster
def test_pokerkit_plays_every_hand_of_a_headless_run(place: Path) -> None:
    out, report = place / "hands", place / "report.json"
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    options = ["--headless", "--think", "fast", "--players", "8", "--seats", "4"]
    options += ["--offer", json.dumps(quick_offer())]
    files = ["--export", str(out), "--export-format", "phh", "--report", str(report)]
    prepared.furnish(place / "room")
    command = [sys.executable, str(HOME / "manage.py"), "cluster", "--data", str(place / "room")]
    run = subprocess.run(
        [*command, *options, *files],
        cwd="/",
        env=clean,
        timeout=WITHIN_S,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    hands = json.loads(report.read_text())["hands"]
    assert f"{hands} hands written to {out}" in run.stdout
    played = [hand for path in out.iterdir() for hand in replay(path)]
    assert len(played) == hands > 5
    # With a reason of the closed list a hand may be one that pokerkit cannot play at all.
    assert all(hand.equal for hand in played), played
    assert any(not hand.reason for hand in played)
    assert "??" not in "".join(path.read_text() for path in out.iterdir())


def test_reasons_are_the_closed_list_of_the_docs() -> None:
    page = (HOME / "docs" / "exports.md").read_text()
    assert all(page.count(f"\n| `{reason}` | ") == 1 for reason in REASONS)


def test_an_export_that_cannot_be_written_is_refused_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    for words, message in (
        (("--headless", "--export", str(tmp_path)), "is not empty"),
        (("--headless", "--export", str(tmp_path / "file")), "Not a directory"),
        (("--export", str(tmp_path / "new")), "headless"),
        (("--headless", "--export-format", "exe"), "invalid choice"),
    ):
        with pytest.raises(CommandError, match=message):
            call_command("cluster", *words)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
