"""`make test` and `make rooms` run all their parts and fail when any of them fails."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.style.sources import HOME

PARTS = {"test": 3, "rooms": 3}

# It stands for Python: notes the calls of pytest and of `tests.once_more`, and ends as told.
_PYTHON = """\
#!/bin/sh
case "$2" in
  pytest) echo part >>"$NOTED"; set -- $ENDS
          shift "$(($(grep -c part "$NOTED") - 1))"; exit "$1" ;;
  tests.once_more) echo asked >>"$NOTED"; exit "$ASKED" ;;
esac
"""


def _made(place: Path, target: str, ends: list[int], asked: int) -> tuple[bool, list[str]]:
    """Return whether a target succeeded whose parts end so, and what it called."""
    python, noted = place / "python", place / "noted"
    python.write_text(_PYTHON, encoding="utf-8")
    python.chmod(0o755)
    done = subprocess.run(
        ["make", "-s", target, f"PY={python}", "BASE=", "DEV=", "TOOLS="],
        cwd=HOME,
        env={
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "NOTED": str(noted),
            "ENDS": " ".join(map(str, ends)),
            "ASKED": str(asked),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0, noted.read_text(encoding="utf-8").split()


@pytest.mark.parametrize("target", PARTS)
def test_a_target_succeeds_where_all_its_parts_do(tmp_path: Path, target: str) -> None:
    count = PARTS[target]
    assert _made(tmp_path, target, [0] * count, asked=1) == (True, ["part"] * count)


@pytest.mark.parametrize(
    ("target", "failing"), [(target, n) for target, count in PARTS.items() for n in range(count)]
)
@pytest.mark.parametrize("code", [1, 2, 5, 137])
def test_a_target_fails_with_any_of_its_parts(
    tmp_path: Path, target: str, failing: int, code: int
) -> None:
    ends = [0] * PARTS[target]
    ends[failing] = code
    # Tests that failed are asked once more; a part that was broken off or found none is not.
    again = ["asked"] if code == 1 else []
    assert _made(tmp_path, target, ends, asked=1) == (False, ["part"] * len(ends) + again)


@pytest.mark.parametrize("target", PARTS)
def test_tests_that_pass_alone_fail_no_target(tmp_path: Path, target: str) -> None:
    ends = [1] * PARTS[target]
    assert _made(tmp_path, target, ends, asked=0) == (True, ["part"] * len(ends) + ["asked"])


@pytest.mark.parametrize("target", PARTS)
@pytest.mark.parametrize("broken", [0, -1], ids=["first", "last"])
def test_tests_that_pass_alone_hide_no_broken_part(
    tmp_path: Path, target: str, broken: int
) -> None:
    ends = [1] * PARTS[target]
    ends[broken] = 2
    assert _made(tmp_path, target, ends, asked=0) == (False, ["part"] * len(ends))
