"""Test processes that start with all libraries loaded and nothing of the project.

A mutant needs a fresh interpreter, and most of an interpreter's start is the import of libraries.
The fork server of multiprocessing imports these once; each forked process imports the project anew.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from multiprocessing.context import ForkServerProcess
from pathlib import Path

LIBRARIES = (
    "_pytest.assertion.rewrite",
    "celery.app",
    "channels.testing",
    "django.contrib.admin",
    "django.contrib.auth.hashers",
    "django.core.management",
    "django.db.models",
    "django.forms",
    "django.test",
    "hypothesis",
    "kombu.transport.redis",
    "msgspec",
    "psycopg",
    "pytest_asyncio",
    "pytest_django",
    "redis.asyncio",
    "structlog",
)
BROKEN = 3
"""Exit code of pytest for an internal error."""

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(list(LIBRARIES))


def start(
    place: Path, arguments: Sequence[str], environment: Mapping[str, str], output: Path
) -> ForkServerProcess:
    """Run pytest with the project of a folder; the process exits with its code."""
    child = _context.Process(
        target=_run, args=(place, list(arguments), dict(environment), output), daemon=True
    )
    child.start()
    return child


def _run(place: Path, arguments: list[str], environment: dict[str, str], output: Path) -> None:
    with output.open("wb") as file:
        for stream in (1, 2):
            os.dup2(file.fileno(), stream)
    try:
        _forget_the_project(place)
        sys.dont_write_bytecode = False  # a copy is compiled once, whatever the environment says
        os.environ.update(environment)
        code = int(importlib.import_module("pytest").main(arguments))
    except BaseException:
        traceback.print_exc()
        code = BROKEN
    sys.exit(code)


def _forget_the_project(place: Path) -> None:
    """Redirect imports to a folder with the packages of the folder this process began in."""
    home = Path.cwd()
    for name in list(sys.modules):
        if (home / name.partition(".")[0] / "__init__.py").is_file():
            del sys.modules[name]
    kept = [path for path in sys.path if Path(path).resolve() != home]
    sys.path[:] = [str(place), *kept]
    os.chdir(place)
