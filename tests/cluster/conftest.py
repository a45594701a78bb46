"""What cluster tests share: one living room, which takes a while to start, and sleepers."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.cluster.supervisor import Supervisor
from config.embedded.program import Program
from tests.cluster.living import Living

SLEEPER = "import time; time.sleep(600)"


@pytest.fixture(scope="session")
def living() -> Iterator[Living]:
    """A room with everything up but bots; its processes are killed and restarted by tests."""
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
    """Processes with names of a room's that only sleep, for tests that harm them."""
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
