"""Files of reports are refused before hours of work, not after them."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from config.environment import HOME
from config.inputs.paths import file_to_write


def test_a_file_in_a_folder_is_taken_whether_it_is_there_or_not(tmp_path: Path) -> None:
    assert file_to_write(str(tmp_path / "new.json")) == tmp_path / "new.json"
    (tmp_path / "old.json").write_text("{}")
    assert file_to_write(str(tmp_path / "old.json")) == tmp_path / "old.json"
    assert file_to_write("here.json") == Path("here.json")
    assert not (tmp_path / "new.json").exists(), "nothing is written yet"


def test_a_folder_and_a_file_without_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentTypeError, match="is a folder"):
        file_to_write(str(tmp_path))
    with pytest.raises(ArgumentTypeError, match=r"there is no folder .*reprots"):
        file_to_write(str(tmp_path / "reprots" / "out.json"))


@pytest.mark.parametrize("command", ["cluster", "chaos", "load", "fair_audit", "simulate"])
def test_a_command_refuses_a_report_that_it_could_not_write(tmp_path: Path, command: str) -> None:
    line = [sys.executable, str(HOME / "manage.py"), command]
    report = tmp_path / "missing" / "out.json"
    done = subprocess.run(
        [*line, "--report", str(report)], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 2 and "there is no folder" in done.stderr, done.stderr
