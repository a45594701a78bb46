"""`manage.py formats` plays its runs in a real room; its exit code is the verdict."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from config.environment import HOME

LINES = ("heads_up", "cash_value")
RINGS = ("ring_stud",)


@pytest.mark.cluster
def test_lines_are_played_judged_and_reported(place: Path) -> None:
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    command = [sys.executable, str(HOME / "manage.py"), "formats", "--data", str(place / "room")]
    wanted = ["--only", ",".join((*LINES, *RINGS)), "--reports", str(place / "reports")]
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
    for name in LINES:
        report = json.loads((place / "reports" / f"{name}.json").read_text())
        assert report["line"] == name and report["finished"] and report["violations"] == []
        assert report["pool"] == report["paid"] > 0 and report["hands"] > 0
        assert report["histories"]["clients"] == report["players"]
        assert f"\n{name} " in table
    for name in RINGS:
        report = json.loads((place / "reports" / f"{name}.json").read_text())
        assert report["line"] == name and report["violations"] == []
        assert report["pool"] == report["paid"] + report["rake"] > report["rake"] > 0
        assert f"\n{name} " in table
