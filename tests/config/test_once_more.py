"""Tests that failed beside others are asked once more, alone, and named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import once_more

ALWAYS = "def test_fails_always():\n    assert False\n"
ONCE = """\
from pathlib import Path

def test_fails_at_first():
    seen = Path(__file__).with_suffix(".at_first")
    first = not seen.exists()
    seen.touch()
    assert not first
"""


@pytest.fixture(autouse=True)
def _plugins_of_the_suite_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")


def run(folder: Path) -> int:
    """Run the tests of a folder as the first run does."""
    (folder / "pytest.ini").write_text("[pytest]\n")
    asked = [sys.executable, "-m", "pytest", "-q", "--cache-clear"]
    return subprocess.run(asked, cwd=folder, capture_output=True, check=False).returncode


def test_a_test_that_passes_alone_is_named_unsteady(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_one.py").write_text(ONCE)
    assert run(tmp_path) == 1
    assert once_more.main(tmp_path, "-q") == 0
    assert "UNSTEADY: test_one.py::test_fails_at_first" in capsys.readouterr().out


def test_a_test_that_fails_again_fails_the_run(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(ONCE)
    (tmp_path / "test_two.py").write_text(ALWAYS)
    assert run(tmp_path) == 1
    assert once_more.main(tmp_path, "-q") == 1
    assert once_more.failed(tmp_path) == ["test_two.py::test_fails_always"]


@pytest.mark.parametrize("count", [0, once_more.MOST + 1])
def test_no_failure_and_many_failures_are_not_asked_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], count: int
) -> None:
    kept = tmp_path / ".pytest_cache/v/cache"
    kept.mkdir(parents=True)
    (kept / "lastfailed").write_text(json.dumps({f"test_{n}.py::test": True for n in range(count)}))
    assert once_more.main(tmp_path) == 1
    assert f"failed tests of {count} files" in capsys.readouterr().out


def test_one_part_of_a_run_asks_fewer_tests_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"test_{name}.py").write_text(ONCE + ONCE.replace("at_first", "as_well"))
    assert run(tmp_path) == 1
    assert once_more.main(tmp_path, "-q", most=1) == 1
    assert "failed tests of 2 files to ask again; those of 1 to 1 are." in capsys.readouterr().out
    assert once_more.main(tmp_path, "-q", most=2) == 0
