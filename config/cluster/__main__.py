"""Settles where a local room lives before Django reads its settings, then runs `cluster`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import NoReturn

from config.cluster import layout as layouts
from config.cluster.layout import Layout
from config.embedded.binaries import ServerMissing
from config.environment import HOME, local


def go_on(arguments: list[str]) -> None:
    """Replace this process by `manage.py cluster`, the room's addresses in its environment.

    Settings are read once, so the addresses must be there first. Exits when a server is missing.
    """
    known, _ = _parser().parse_known_args(arguments)
    home = known.data or (local() / "headless" if known.headless else local())
    try:
        layout, said = layouts.choose(home, known.port)
    except ServerMissing as problem:
        sys.exit(f"Error: {problem}")
    for line in said:
        print(line, flush=True)  # noqa: T201
    go_on_in(layout, arguments)


def go_on_in(layout: Layout, arguments: list[str]) -> NoReturn:
    """Replace this process by `manage.py cluster` in this layout."""
    try:
        added = {**layout.environment(), **layout.marks()}
    except ServerMissing as problem:
        sys.exit(f"Error: {problem}")
    command = [sys.executable, str(HOME / "manage.py"), "cluster", *arguments]
    os.execve(sys.executable, command, {**os.environ, **added})


def _parser() -> argparse.ArgumentParser:
    """Only what decides on addresses; the command itself knows and checks the rest."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--port", type=int)
    parser.add_argument("--headless", action="store_true")
    return parser


if __name__ == "__main__":
    go_on(sys.argv[1:])
