"""Refuse a test that none of `make lint`, `make test` and `make rooms` would run.

The parts of the two targets choose tests by their marks. Those for `cluster` and `alone` read one
folder; the one for journeys reads the files that a search in the Makefile finds.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

WHOLE_ROOMS = "tests/deploy"
"""Folder of the tests with the marks `cluster` and `alone`."""

GOES_FAR = re.compile(r"mark\.journey|tests\.web\.visiting")
"""Text that is in each file with a journey."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark each test in which a browser visits a real site as a journey; refuse misplaced tests."""
    lost = []
    for item in items:
        if "visit" in getattr(item, "fixturenames", ()):
            item.add_marker("journey")
        marks = {mark.name for mark in item.iter_markers()}
        if not _is_placed(item.path, marks, config.rootpath):
            lost.append(item.nodeid)
    if lost:
        raise pytest.UsageError(
            f"No run takes these tests, see tests/runs.py: {', '.join(sorted(lost))}"
        )


def _is_placed(path: Path, marks: set[str], home: Path) -> bool:
    if marks & {"cluster", "alone"}:
        return path.is_relative_to(home / WHOLE_ROOMS)
    return "journey" not in marks or "sample" in marks or _goes_far(path)


@cache
def _goes_far(path: Path) -> bool:
    return bool(GOES_FAR.search(path.read_text(encoding="utf-8")))
