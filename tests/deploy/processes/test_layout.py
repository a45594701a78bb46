"""Files that a local room writes before its processes start, and who may read them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from deploy.embedded import ports
from deploy.processes import layout as layouts


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Folder of a room that left a folder of mail open to all."""
    mail = tmp_path / "room" / "mail"
    mail.mkdir(parents=True)
    mail.chmod(0o755)
    return tmp_path / "room"


def test_only_its_owner_reads_the_mail_and_the_addresses_of_a_local_room(home: Path) -> None:
    layout, _said = layouts.choose(home, None)
    try:
        layouts.remember(layout)
    finally:
        ports.let_go(*layout.ports.values())
    modes = {path: stat.S_IMODE((home / path).stat().st_mode) for path in ("mail", "environment")}
    assert modes == {"mail": 0o700, "environment": 0o600}
