"""Walks through the whole in `docs/architecture.md`: each file and function they name exists."""

from __future__ import annotations

import re

from tests.style.sources import HOME

_STEP = re.compile(r"^\| \d+ \| `(?P<file>[^`]+)` \| (?P<functions>.+) \|$", re.MULTILINE)
_NAME = re.compile(r"`(?:\w+\.)?(#?\w+)`")
_TOTAL = re.compile(r"^\| [a-z ]+ \| (\d+) \| (\d+) \| \d+ \| \d+, \d+ \|$", re.MULTILINE)


def test_walks_name_files_and_functions_that_exist() -> None:
    missing = []
    for step in _STEP.finditer(_walks()):
        path = HOME / step["file"]
        text = path.read_text() if path.exists() else ""
        names = _NAME.findall(step["functions"]) or [""]
        missing += [f"{step['file']}: {name}" for name in names if not text or name not in text]
    assert missing == []


def test_walks_are_counted_as_they_are_listed() -> None:
    _, *listed = _walks().split("\n### ")
    counted = []
    for walk in listed:
        steps = list(_STEP.finditer(walk))
        functions = sum(len(step["functions"].split("`, `")) for step in steps)
        counted.append((str(len({step["file"] for step in steps})), str(functions)))
    assert counted == _TOTAL.findall(_walks())


def _walks() -> str:
    """Return the section of the walks."""
    _, _, rest = (HOME / "docs" / "architecture.md").read_text().partition("## Three walks\n")
    return rest.partition("\n## ")[0]
