"""Servers of the room that is backed up or restored: running ones, or embedded ones, started."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from django.conf import settings

from config import environment
from deploy.backup import database
from deploy.backup.manifest import BackupRefused
from deploy.backup.parts import Say
from deploy.backup.restoring import EmptyRoom
from deploy.embedded.binaries import ServerMissing
from deploy.embedded.program import NotReady
from deploy.preparation.roles import refusal_of_names
from deploy.processes import layout as layouts
from deploy.processes import programs
from deploy.processes.lock import DataLock, InUse
from deploy.processes.supervisor import Supervisor

TARGET = Path("/etc/systemd/system/room.target")
"""File of a machine whose processes systemd starts, put there by the steps of docs/servers.md."""


@contextmanager
def servers_of_room(say: Say, *, must_exist: bool = False) -> Iterator[EmptyRoom]:
    """Give the addresses of the room's servers.

    Those of a room of `make play` that does not run are started for the block. Raises
    BackupRefused when they do not start, where systemd starts a room whose addresses are not given,
    where the owner's address names another database, and with `must_exist` where no room ever ran.
    """
    with ExitStack() as stack:
        is_named = bool(os.environ.get("DATABASE_URL"))
        if not is_named:
            _verify_no_units()
        if must_exist and not is_named:
            _verify_room(environment.local())
        if is_named or _runs(environment.local(), stack):
            owner = environment.text("DATABASE_OWNER_URL", "") or settings.DATABASE_URL
            _verify_one_database(owner)
            yield EmptyRoom(owner, settings.ROOM_REDIS_URL)
            return
        layout, _messages = layouts.choose(environment.local(), None)
        supervisor = Supervisor(say)
        stack.callback(supervisor.stop)
        try:
            started = [one for one in programs.servers(layout) if one.name != "broker"]
            supervisor.start(started)
        except (NotReady, ServerMissing) as problem:
            raise BackupRefused(str(problem)) from problem
        redis = {**layout.environment(), **os.environ}["ROOM_REDIS_URL"]
        yield EmptyRoom(layout.owner_url(), redis)


def _verify_no_units() -> None:
    """Raise BackupRefused where units of systemd have addresses that this command was not given.

    It would start servers of its own, and a restore would fill these.
    """
    if TARGET.exists() and not os.environ.get("ROOM_LOCAL"):
        raise BackupRefused(
            f"A room of systemd is on this machine ({TARGET}): give the command its environment, as"
            " `room` of docs/servers.md does. For a room of make play name its folder as"
            " ROOM_LOCAL."
        )


def _verify_one_database(owner: str) -> None:
    """Raise BackupRefused where the owner's address names another database than that of play."""
    own, played = map(database.name_in, (owner, settings.DATABASE_URL))
    if refused := refusal_of_names(own, played):
        raise BackupRefused(refused)


def _verify_room(home: Path) -> None:
    if not (home / "data").is_dir():
        raise BackupRefused(
            f"There is no room in {home}: name its folder as ROOM_LOCAL, or its servers as"
            " DATABASE_URL and ROOM_REDIS_URL."
        )


def _runs(home: Path, stack: ExitStack) -> bool:
    """Return whether a room runs on a folder; if none does, lock the folder until `stack` ends."""
    try:
        stack.enter_context(DataLock(home / "data" / "lock"))
    except InUse:
        return True
    return False
