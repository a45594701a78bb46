"""Versions of a release: the room, its client package and the changelog name the same one."""

from __future__ import annotations

import re
import tomllib

from tests.style.sources import HOME


def test_the_room_and_its_client_have_one_version() -> None:
    assert _version("pyproject.toml") == _version("client/pyproject.toml")


def test_the_changelog_has_this_version_or_none_is_released() -> None:
    headings = re.findall(r"^## (.+)$", (HOME / "CHANGELOG.md").read_text(), re.MULTILINE)
    released = [heading.split()[0] for heading in headings if heading != "Unreleased"]
    assert "Unreleased" not in headings[1:]
    assert released[:1] in ([], [_version("pyproject.toml")])


def _version(path: str) -> str:
    return str(tomllib.loads((HOME / path).read_text())["project"]["version"])
