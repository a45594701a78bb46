"""Forbidden content of committed files: registry addresses, unfinished work, disabled tests."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.style.sources import HOME, files, modules, name

TEXT_LINES_MAX = 400
_REGISTRIES = re.compile(
    r"(pypi|npmjs|yarnpkg|pythonhosted)\.(org|com)|--(extra-)?index-url\s+\S|registry=https?:"
)
_UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
_SWITCHED_OFF = re.compile(r"mark\.(skip|skipif|xfail)\b|pytest\.(skip|xfail|importorskip)\(")
_ROOMS = re.compile(r"pytest\.mark\.(cluster|alone)\b")
_ALERTED_LIST = re.compile(r"<[ou]l\b[^>]*\srole=")
_HERE = Path(__file__)


def test_no_file_names_a_package_registry() -> None:
    kinds = (".py", ".txt", ".in", ".toml", ".cfg", ".json", ".yml", ".yaml", ".md", ".sh", "")
    assert _holding(_REGISTRIES, kinds) == []


def test_no_unfinished_work_is_marked() -> None:
    assert _holding(_UNFINISHED, (".py", ".html", ".js", ".css", ".lua", ".md")) == []


def test_no_list_has_another_role() -> None:
    assert _holding(_ALERTED_LIST, (".html",)) == [], "its items would be items of no list"


def test_no_test_is_switched_off() -> None:
    found = [
        name(path) for path in modules() if path != _HERE and _SWITCHED_OFF.search(path.read_text())
    ]
    # The real hands are the one data set that a clone elsewhere may lack.
    assert [path for path in found if path != "tests/tables/engine/test_real_hands.py"] == []


def test_marks_that_choose_a_run_are_where_that_run_looks() -> None:
    found = [name(path) for path in modules() if _ROOMS.search(path.read_text())]
    assert [path for path in found if not path.startswith("tests/deploy/")] == []


@pytest.mark.parametrize("suffix", [".html", ".js", ".css", ".lua"])
def test_no_page_or_script_is_too_long(suffix: str) -> None:
    lengths = {name(path): len(path.read_text().splitlines()) for path in files(suffix)}
    assert {path: lines for path, lines in lengths.items() if lines > TEXT_LINES_MAX} == {}


def test_locked_libraries_carry_hashes() -> None:
    for lock in sorted((HOME / "requirements").glob("*.txt")):
        text = lock.read_text()
        pinned = re.findall(r"^[a-z0-9._-]+==", text, re.MULTILINE)
        with_hash = re.findall(r"^[a-z0-9._-]+==[^\n]*\\\n\s+--hash=sha256:", text, re.MULTILINE)
        assert len(pinned) > 20
        assert len(pinned) == len(with_hash), lock.name


def test_secrets_and_local_files_are_ignored() -> None:
    for path in (".local/secret_key", ".venv", ".local/data/secrets/room.password"):
        asked = subprocess.run(["git", "check-ignore", "-q", path], cwd=HOME, check=False)
        assert asked.returncode == 0, path


def _holding(pattern: re.Pattern[str], kinds: tuple[str, ...]) -> list[str]:
    found = []
    for path in files(*kinds):
        if path == _HERE:
            continue
        text = path.read_text(errors="ignore")
        found += [f"{name(path)}: {match[0]}" for match in pattern.finditer(text)]
    return found
