"""The path of a stranger in docs/api.md: the client package alone, a token, a bot, own hands."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from pokerkit import HandHistory

from config.environment import HOME
from tables.history.exports.differs import Difference
from tests.deploy.cluster.living import Living

CLIENT = HOME / "client"
EXAMPLE = CLIENT / "examples" / "sit_and_go.py"
LINES_MAX = 30
WITHIN_S = 240.0

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an empty environment with the wheel of the client and what it names, no more."""
    place = tmp_path_factory.mktemp("stranger")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
    wheels = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(place)]
    subprocess.run([*pip, *wheels, str(CLIENT)], check=True)
    (wheel,) = place.glob("room_client-*.whl")
    venv.create(place / "env", with_pip=False)
    python = place / "env" / "bin" / "python"
    install = ["--python", str(python), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run([*pip, *install], check=True)
    (libraries,) = (place / "env" / "lib").glob("python*/site-packages")
    for path in _needed("room-client", libraries):
        if not (libraries / path.name).exists():
            (libraries / path.name).symlink_to(path)
    return python


def _needed(name: str, inside: Path) -> Iterator[Path]:
    """Yield the installed packages that a distribution names, and those that they name."""
    (wheel,) = metadata.distributions(name=name, path=[str(inside)])
    waiting, seen = list(wheel.requires or ()), set()
    while waiting:
        requirement = Requirement(waiting.pop())
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if not applies or requirement.name in seen:
            continue
        seen.add(requirement.name)
        distribution = metadata.distribution(requirement.name)
        waiting += distribution.requires or []
        tops = {str(file).split("/")[0] for file in distribution.files or ()}
        yield from (Path(str(distribution.locate_file(top))) for top in tops if top[0] != ".")


def _run(python: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [str(python), *arguments],
        cwd="/",
        env={"PATH": os.environ["PATH"]},
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def test_the_package_stands_alone(stranger: Path) -> None:
    names = sorted(
        ".".join(path.relative_to(CLIENT).with_suffix("").parts)
        for path in (CLIENT / "room_client").rglob("*.py")
    )
    code = f"import importlib\nfor name in {names}: importlib.import_module(name)"
    run = _run(stranger, "-c", code)
    assert run.wait(WITHIN_S) == 0, run.stdout and run.stdout.read()
    outside = _run(stranger, "-c", "import tables")
    assert outside.wait(WITHIN_S) == 1, "nothing of the room can be imported there"
    outside.communicate()


def test_strangers_play_a_sit_and_go_and_verify_their_hands(
    living: Living, stranger: Path, tmp_path: Path
) -> None:
    living.operate("tokens", str(tmp_path / "tokens"), "2")
    tournament = living.offer(players=2, seats=2, calm_ms=5_000)
    url = f"http://127.0.0.1:{living.layout.ports['web']}"
    folders = [tmp_path / name for name in ("first", "second")]
    bots = []
    for folder, token in zip(folders, (tmp_path / "tokens").read_text().split(), strict=True):
        bots.append(_run(stranger, str(EXAMPLE), url, token, str(folder)))
    living.wait(lambda: all(bot.poll() is not None for bot in bots), WITHIN_S, "the bots end")
    outputs = [bot.communicate()[0] for bot in bots]
    assert [bot.returncode for bot in bots] == [0, 0], outputs
    living.wait(lambda: living.state_of(tournament) == "finished", 30, "the tournament ends")
    ((hands,),) = living.sql(
        "SELECT count(*) FROM tables_hand h JOIN tables_table t ON t.id = h.table_id"
        " WHERE t.director = 'tournament' AND t.game = %s",
        tournament,
    )
    for folder in folders:
        histories = [
            history
            for path in folder.iterdir()
            for history in HandHistory.loads_all(path.read_text())
        ]
        assert len(histories) == hands > 0
        assert all(map(_is_right, histories))
    assert living.manage("audit") == "no violation\n"


def _is_right(history: HandHistory) -> bool:
    """Return whether pokerkit plays a hand to equal stacks, or the export says why it cannot."""
    reason = history.user_defined_fields.get("_differs")
    if reason is not None:
        return reason in Difference.__args__  # type: ignore[attr-defined]
    last = list(history)[-1]
    return not last.status and last.stacks == history.finishing_stacks


def test_the_docs_show_the_example_as_it_runs() -> None:
    text = EXAMPLE.read_text()
    assert text.strip() in (HOME / "docs" / "api.md").read_text()
    assert len([line for line in text.splitlines() if line.strip()]) <= LINES_MAX
