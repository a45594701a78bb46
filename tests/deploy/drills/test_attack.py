"""Short run of `make attack`: every attack on a small room with players."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from config import limits
from config.environment import HOME
from deploy.drills.attackers import ATTACKS, attack
from tests import prepared


@pytest.mark.cluster
def test_every_attack_is_withstood_beside_players(place: Path) -> None:
    clean = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    prepared.furnish(place / "room")
    command = [sys.executable, str(HOME / "manage.py"), "attack", "--data", str(place / "room")]
    # Latencies are not judged here: other programs use the machine of the tests.
    wanted = ["--players", "12", "--seats", "6", "--seconds", "4", "--size", "0.2", "--untimed"]
    report = place / "attack.json"
    started = subprocess.Popen(
        [*command, *wanted, "--faster", "4", "--report", str(report)],
        env=clean, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        out, _ = started.communicate(timeout=900)
    finally:
        started.send_signal(signal.SIGTERM)
    said = out.decode()
    assert started.returncode == 0, said
    told = json.loads(report.read_text())
    assert told["missed"] == []
    rows = {row["attack"]: row for row in told["rows"]}
    assert list(rows) == ["(calm)", *ATTACKS]
    assert all(f"\n| {name} " in said for name in ATTACKS)
    assert rows["bodies"]["answers"]["413"] > 0
    sockets = Counter(rows["sockets"]["answers"])
    # The seconds of the attack may end before a busy machine has opened more than the limit.
    assert 0 < sockets["welcome"] <= limits.SOCKETS_PER_ADDRESS
    assert sockets["429"] > 0 or sockets["welcome"] < limits.SOCKETS_PER_ADDRESS
    assert all(row["web_cores"] > 0 for row in rows.values())
    assert rows["aliases"]["answers"]["bad_message"] > 0
    assert "snapshot" not in rows["aliases"]["answers"]
    assert rows["pages"]["answers"]["200"] > 0


@pytest.mark.parametrize("url", ["http://192.0.2.1:8000", "http://10.0.0.1", "http://example"])
def test_no_other_machine_is_attacked(url: str) -> None:
    with pytest.raises(ValueError, match=r"127\.0\.0\.0/8|does not appear"):
        asyncio.run(attack("pages", url, 1.0, 1.0))
