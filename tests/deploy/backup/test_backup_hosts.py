"""Hosts on which a backup or a restore refuses to guess the room."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import LazySettings

from config import environment
from config.environment import HOME
from deploy.backup import servers
from deploy.backup.manifest import BackupRefused
from deploy.backup.servers import servers_of_room


@pytest.mark.parametrize("must_exist", [False, True])
def test_a_command_without_addresses_is_refused_where_systemd_starts_the_room(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, must_exist: bool
) -> None:
    """A restore would fill servers of its own, which no unit reads, and say that it is done."""
    for name in ("DATABASE_URL", "ROOM_REDIS_URL", "ROOM_LOCAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(environment, "HOME", tmp_path)
    monkeypatch.setattr(servers, "TARGET", tmp_path / "room.target")
    (tmp_path / "room.target").write_text((HOME / "deploy/systemd/room.target").read_text())
    with pytest.raises(BackupRefused, match="A room of systemd is on this machine"):
        servers_of_room(lambda line: None, must_exist=must_exist).__enter__()
    assert not (tmp_path / ".local").exists()


def test_a_command_whose_two_addresses_name_two_databases_is_refused(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    """Play would go on where nothing was restored, and a backup would be of another room."""
    settings.DATABASE_URL = "postgresql://room_runtime:word@127.0.0.1:1/room"
    monkeypatch.setenv("DATABASE_URL", settings.DATABASE_URL)
    owner = "postgresql://room:word@127.0.0.1:1/"
    monkeypatch.setenv("DATABASE_OWNER_URL", owner + "room_new")
    with pytest.raises(BackupRefused, match="database room_new, and DATABASE_URL room: "):
        servers_of_room(lambda line: None).__enter__()
    monkeypatch.setenv("DATABASE_OWNER_URL", owner + "room")
    with servers_of_room(lambda line: None) as found:
        assert found.owner_url == owner + "room"


def test_a_pooler_may_have_its_own_name_for_the_database(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    settings.DATABASE_URL = "postgresql://room_runtime:word@127.0.0.1:1/room_pool"
    monkeypatch.setenv("DATABASE_URL", settings.DATABASE_URL)
    monkeypatch.setenv("DATABASE_POOLED", "1")
    owner = "postgresql://room:word@127.0.0.1:1/room"
    monkeypatch.setenv("DATABASE_OWNER_URL", owner)
    with servers_of_room(lambda line: None) as found:
        assert found.owner_url == owner
