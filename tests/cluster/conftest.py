"""One living room for all cluster tests: it takes a while to start."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.living import Living


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
