"""`make lint`, `make test` and `make rooms` run each test once; what `.ci` runs fails with each."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from _pytest.mark.expression import Expression

from tests import runs
from tests.once_more import MOST
from tests.style.sources import HOME

MARKS = ("cluster", "alone", "journey", "sample")
TARGETS = ("test", "rooms")
_NOTING = "{0}:\n\t@echo {0}; test $(FAILS) != {0}\n"


_CONFTEST = "import pytest\n\n@pytest.fixture\ndef visit(): pass\n"
_MARKS = "import pytest\nfar = pytest.mark.journey\n"


def _makefile() -> str:
    return (HOME / "Makefile").read_text(encoding="utf-8")


def _recipe(target: str) -> str:
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", _makefile(), re.MULTILINE)
    assert found, target
    return found[1]


def _chosen(target: str) -> list[str]:
    """Return the marks by which each part of a target chooses its tests."""
    return re.findall(r'-m "(.+?)"', _recipe(target))


def _takes(part: str, marks: set[str]) -> bool:
    def is_marked(name: str, /, **_: object) -> bool:
        return name in marks

    return Expression.compile(part).evaluate(is_marked)


@pytest.mark.parametrize(("given", "hands"), [([], 720), (["HANDS=96"], 96)])
def test_the_overlay_is_shown_for_as_many_hands_as_its_help_says(
    given: list[str], hands: int
) -> None:
    told = subprocess.run(
        ["make", "-n", "overlay", *given], cwd=HOME, capture_output=True, text=True, check=True
    )
    assert f"OVERLAY_HANDS={hands} " in told.stdout


@pytest.mark.parametrize("count", range(len(MARKS) + 1))
def test_each_test_runs_in_one_part_of_the_two_targets(count: int) -> None:
    parts = [part for target in TARGETS for part in _chosen(target)]
    assert len(parts) == 6
    for marks in map(set, combinations(MARKS, count)):
        assert sum(_takes(part, marks) for part in parts) == 1, marks


def test_samples_and_shorter_tests_run_in_the_first_target() -> None:
    for marks in (set[str](), {"journey", "sample"}, {"cluster", "sample"}, {"alone", "sample"}):
        assert any(_takes(part, marks) for part in _chosen("test")), marks


def test_failures_asked_again_are_as_few_as_in_one_run() -> None:
    asked = re.findall(r"call ONCE_MORE,(\d+)\)", "".join(map(_recipe, TARGETS)))
    assert len(asked) == len(TARGETS)
    assert sum(map(int, asked)) == MOST


def test_parts_read_the_files_in_which_their_marks_may_be() -> None:
    recipes = "".join(map(_recipe, TARGETS))
    for part in re.findall(r"-m (.*) \$\(ARGS\)", recipes):
        narrow = part.endswith((f" {runs.WHOLE_ROOMS}", " $(JOURNEYS)"))
        assert narrow or part == '"not cluster and not alone and (not journey or sample)"'
    assert f'grep -rlE "{runs.GOES_FAR.pattern}" tests ' in _makefile()
    assert "--ignore=tests/bench --ignore=tests/style\n" in _makefile()
    assert _recipe("lint").endswith("\t$(PYTEST) -q -n $(ROOMS) --dist worksteal tests/style\n")


@pytest.mark.parametrize(
    ("file", "lines", "refused"),
    [
        ("tests/deploy/test_room.py", "@mark.cluster", False),
        ("tests/test_room.py", "@mark.cluster", True),
        ("tests/test_kill.py", "@mark.alone", True),
        ("tests/test_far.py", "@mark.journey", False),
        ("tests/test_far.py", "@far", True),
        ("tests/test_far.py", "@mark.sample\n@far", False),
        ("tests/test_visit.py", "@mark.usefixtures('visit')", True),
        ("tests/test_misspelt.py", "@mark.jorney", True),
    ],
)
def test_a_test_that_no_run_takes_is_refused(
    tmp_path: Path, file: str, lines: str, refused: bool
) -> None:
    written = tmp_path / file
    written.parent.mkdir(parents=True)
    shutil.copy(HOME / "pyproject.toml", tmp_path)
    (tmp_path / "tests" / "conftest.py").write_text(_CONFTEST, encoding="utf-8")
    written.write_text(
        f"from pytest import mark\nfrom marks import far\n\n{lines}\ndef test(): pass\n",
        encoding="utf-8",
    )
    (tmp_path / "marks.py").write_text(_MARKS, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "tests.runs", "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        env={"PYTHONPATH": str(HOME), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is not refused, done.stdout + done.stderr
    assert ("No run takes these tests" in done.stdout + done.stderr) is (
        refused and "jorney" not in lines
    )


@pytest.mark.parametrize(
    ("script", "targets"), [("run", ("lint", "test")), ("night", ("rooms", "long"))]
)
@pytest.mark.parametrize("fails", [None, 0, 1])
def test_a_whole_run_fails_with_any_of_its_parts(
    tmp_path: Path, script: str, targets: tuple[str, ...], fails: int | None
) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(HOME / ".ci" / script, tmp_path / ".ci" / script)
    (tmp_path / "Makefile").write_text("".join(map(_NOTING.format, targets)), encoding="utf-8")
    failing = "none" if fails is None else targets[fails]
    done = subprocess.run(
        [tmp_path / ".ci" / script],
        env={"PATH": "/usr/local/bin:/usr/bin:/bin", "FAILS": failing},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is (fails is None)
    # Without lint nothing else is asked; at night the tests of one target do not stop the other.
    assert done.stdout.split() == (["lint"] if failing == "lint" else list(targets))
