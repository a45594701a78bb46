"""Limit of open files in a process with thousands of sockets."""

from __future__ import annotations

import resource
import subprocess
import sys

from config import limits
from config.environment import HOME

ASK = """
import resource
from config.process import open_files
print(open_files.allow_many(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])
"""
HARD = resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def _asked(soft: int, hard: int) -> list[int]:
    def shell() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

    line = [sys.executable, "-c", ASK]
    found = subprocess.run(
        line, cwd=HOME, preexec_fn=shell, capture_output=True, text=True, check=True
    )
    return [int(word) for word in found.stdout.split()]


def test_the_limit_of_a_shell_is_raised_to_what_the_system_allows() -> None:
    assert _asked(256, 512) == [512, 512]


def test_the_limit_of_files_is_never_lowered_nor_set_above_the_maximum() -> None:
    assert _asked(512, 512) == [512, 512]
    most = limits.OPEN_FILES_MAX if HARD == -1 else min(HARD, limits.OPEN_FILES_MAX)
    assert _asked(256, HARD) == [most, most]
