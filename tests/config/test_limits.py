"""Limits that depend on each other agree, or no process starts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from config import environment, limit_relations, limits


def test_no_process_starts_with_limits_that_disagree() -> None:
    wrong = "from config import limits; limits.SEATS_MIN = 1; import config.settings"
    done = subprocess.run(
        [sys.executable, "-c", wrong],
        cwd=environment.HOME,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0 and "_check_tournaments" in done.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TIME_BANK_MS", limits.TIME_BANK_MAX_MS + 1),
        ("TAIL_EVENTS_MAX", limits.STREAM_EVENTS_MAX + 1),
        ("STACK_MAX_CHIPS", 2**53),
        ("LISTEN_BACKLOG", limits.ACCEPTS_PER_TURN),
    ],
)
def test_each_part_of_the_relations_is_checked(
    monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    limit_relations.check_limits()
    monkeypatch.setattr(limits, name, value)
    with pytest.raises(AssertionError):
        limit_relations.check_limits()
