"""Files of counters on a disk without room: no process ends, and no counter is lost to it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import metrics

SERIES = 3_000
PROGRAM = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from config import metrics
for number in range({SERIES}):
    metrics.FAULTS.labels(f"kind-{{number:05}}-{{'x' * 40}}").inc()
metrics.FAULTS.labels("busy").inc(7)
counted = [metrics.FAULTS.labels(kind)._value.get() for kind in ("busy", "kind-00000-" + "x" * 40)]
print(counted, "room_decisions_total" in metrics.text().decode())
"""


@pytest.mark.parametrize(
    ("room_bytes", "is_told"), [(0, True), (1 << 16, True), (1 << 18, True), (1 << 30, False)]
)
def test_a_file_of_counters_that_finds_no_room_goes_on_in_memory(
    tmp_path: Path, room_bytes: int, is_told: bool
) -> None:
    done = _counted(tmp_path, str(room_bytes))
    assert done.returncode == 0, done.stderr[-2_000:]
    counts = "[7.0, 1.0] True" if room_bytes else "[7.0, 1.0] False"
    assert done.stdout.strip().endswith(counts), done.stdout
    assert ("disk is full" in done.stdout + done.stderr) == is_told


def test_a_file_of_counters_has_all_of_its_blocks(tmp_path: Path) -> None:
    """A hole would end the process once the disk is full, in the middle of a hand."""
    _counted(tmp_path, str(1 << 30))
    for path in tmp_path.glob("*.db"):
        assert path.stat().st_blocks * 512 >= path.stat().st_size, path.name
    assert list(tmp_path.glob("counter_*.db"))


def _counted(folder: Path, room_bytes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, room_bytes],
        env={**os.environ, metrics.FOLDER: str(folder), "PROCESS_NAME": "play0"},
        capture_output=True,
        text=True,
        check=False,
    )
