"""Shared parts of cluster tests: a living room, which is slow to start, and sleepers."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

from deploy.embedded.program import Program
from deploy.processes.supervisor import Supervisor
from tests.deploy.cluster.living import Living

SLEEPER = "import time; time.sleep(600)"


CHAINS = {
    **dict.fromkeys(
        ("test_told_after_shown", "test_browser_journeys", "test_overlay_watch", "test_stranger"),
        "first living room",
    ),
    **dict.fromkeys(
        ("test_backup", "test_cards_up_kills", "test_shared_files", "test_tournament"),
        "second living room",
    ),
}
"""Files with tests of a living room, those of one room after another in one process."""


class Rooms(LoadScopeScheduling):
    """Scheduler that gives the tests of a chain to one process, other rooms to any."""

    def _split_scope(self, nodeid: str) -> str:
        file = Path(nodeid.partition("::")[0]).stem
        return CHAINS.get(file, nodeid)


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Rooms | None:
    """Return this scheduler where `--dist loadgroup` is set."""
    return Rooms(config, log) if config.getoption("dist") == "loadgroup" else None


@pytest.fixture(scope="session")
def living() -> Iterator[Living]:
    """Room with all processes but bots; tests kill and restart them."""
    home = Path(tempfile.mkdtemp(prefix="room-living-"))
    home.chmod(0o711)
    made = Living(home)
    try:
        made.start()
        yield made
    finally:
        made.stop()
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    """Supervisor of sleeping processes with the names of a room's, for tests that harm them."""
    made = Supervisor(lambda _: None)
    made.start(
        [
            Program(
                name=name,
                argv=(sys.executable, "-c", SLEEPER),
                directory=tmp_path,
                log=tmp_path / f"{name}.log",
                ready=lambda: True,
            )
            for name in ("web", "play0", "settle0", "room")
        ]
    )
    yield made
    made.stop()
