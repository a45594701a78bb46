"""`manage.py formats` plays its runs in a real room; its exit code is the verdict."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.environment import HOME
from tests import prepared
from tests.bench.replayed import Played, replay, share_named, table

TOURNAMENTS = ("heads_up", "cash_value")
RINGS = ("ring_stud", "ring_rapid")


@pytest.mark.cluster
def test_lines_are_played_judged_and_reported(place: Path) -> None:
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    prepared.furnish(place / "room")
    command = [sys.executable, str(HOME / "manage.py"), "formats", "--data", str(place / "room")]
    wanted = ["--only", ",".join((*TOURNAMENTS, *RINGS)), "--reports", str(place / "reports")]
    wanted += ["--export", str(place / "hands")]
    started = subprocess.Popen(
        [*command, *wanted], env=clean, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        out, _ = started.communicate(timeout=900)
    finally:
        started.send_signal(signal.SIGTERM)
    said = out.decode()
    assert started.returncode == 0, said
    assert "NOT RIGHT" not in said
    table = said[said.index("\nformat ") :]
    for name in TOURNAMENTS:
        report = json.loads((place / "reports" / f"{name}.json").read_text())
        assert report["line"] == name and report["finished"] and report["violations"] == []
        assert report["pool"] == report["paid"] > 0 and report["hands"] > 0
        assert report["histories"]["clients"] == report["players"]
        assert f"\n{name} " in table
    hands = [hand for path in (place / "hands").rglob("*.phhs") for hand in replay(path)]
    assert f"{len(hands)} hands written" in said
    folders = list((place / "hands").iterdir())
    assert {path.name for path in folders} == {*TOURNAMENTS, *RINGS}
    assert all(any(path.iterdir()) for path in folders), "a run without a hand"
    assert all(hand.equal for hand in hands) and any(not hand.reason for hand in hands)
    for name in RINGS:
        report = json.loads((place / "reports" / f"{name}.json").read_text())
        assert report["line"] == name and report["violations"] == []
        assert report["pool"] == report["paid"] + report["rake"] > report["rake"] > 0
        assert f"\n{name} " in table


def test_a_hand_that_plays_differently_is_counted_and_refused() -> None:
    right = [Played("NT", "", "equal")] * 95 + [Played("NT", "short_blind", "named")] * 3
    other = [Played("_omaha5_pot_limit", "no_code", "told")] * 52
    assert round(share_named([*right, *other]), 3) == 0.020
    *_, last = table([*right, *other, Played("NT", "", "different")])
    assert last.split()[:6] == ["all", "151", "95", "52", "3", "1"]


def test_an_export_into_a_folder_with_files_is_refused_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept")
    with pytest.raises(CommandError, match="is not empty"):
        call_command("formats", "--export", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
