"""Steps of docs/servers.md for a room under systemd: they make what its units need."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from config.environment import HOME
from deploy.processes.roster import ROLES
from tables.workers import key_files
from tests.deploy.manifests import deployed

STEPS = re.search(
    r"^## With systemd\n(?s:.*?)\n\n((?:    .*\n)+)",
    (HOME / "docs/servers.md").read_text(),
    re.M,
)
AS_ROOT = """
set -e
useradd() { :; }
chown() { :; }
chgrp() { for file in $(echo "$*" | sed 's/^room //'); do test -f $file; done; }
systemctl() { :; }
runuser() { shift 3; "$@"; }
install() { command install $(echo "$*" | sed -E 's/-[og] room//g'); }
"""
"""Commands that need root or a user of the room, done without them."""


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Folder in which the steps ran: `etc` and `var` of the room, and what was told to commands."""
    assert STEPS is not None
    steps = re.sub(r"^    ", "", STEPS[1], flags=re.M)
    assert steps.count("-m venv .venv") == steps.count(".venv/bin/pip") == 1
    steps = re.sub(r"^.*\.venv/bin/pip.*$|^.*-m venv.*$", "", steps, flags=re.M)
    told = tmp_path / "told"
    told.write_text('#!/bin/sh\n(echo "== $*"; env) >> "$0.out"\n')
    told.chmod(0o755)
    for before, after in (
        (".venv/bin/python manage.py", str(told)),
        ("/etc/systemd/system/", f"{tmp_path}/units/"),
        ("/etc/room", f"{tmp_path}/etc"),
        ("/var/lib/room", f"{tmp_path}/var"),
        ("/opt/room", str(HOME)),
    ):
        assert before in steps
        steps = steps.replace(before, after)
    for folder in ("units", "var"):
        (tmp_path / folder).mkdir()
    subprocess.run(["sh", "-c", AS_ROOT + steps], check=True, cwd=HOME)
    return tmp_path


def test_the_steps_make_every_file_that_the_units_read(run: Path) -> None:
    named = [name for files in deployed.database_files().values() for name in files]
    for name in named:
        path = run / "etc" / Path(name).name
        assert path.read_text().strip(), name
        assert path.stat().st_mode & 0o007 == 0, name
    assert len({path.name for path in (run / "units").iterdir()}) == len(ROLES) + 1
    assert (run / "etc" / "secret_key").stat().st_mode & 0o777 == 0o640
    passwords = re.findall(r"^DATABASE_PASSWORD_(\w+)=(.+)$", _owner(run), re.M)
    assert {kind.lower() for kind, _ in passwords} == {role.kind for role in ROLES}
    for kind, password in passwords:
        address = (run / "etc" / f"database-{kind.lower()}.env").read_text()
        assert f"postgresql://room_{kind.lower()}:{password}@" in address


def test_no_unit_reads_addresses_and_processes_of_another(run: Path) -> None:
    """All have one user, which could open /proc/PID/environ and /proc/PID/root of the others."""
    assert STEPS is not None
    for path in (run / "etc").glob("*.env"):
        assert path.stat().st_mode & 0o077 == 0, path.name
    assert re.findall(
        r"^chgrp room (.+?)(?: &&|$)", re.sub("^    ", "", STEPS[1], flags=re.M), re.M
    ) == ["/etc/room/secret_key"]
    for unit in (deployed.DEPLOY / "systemd").glob("*.service"):
        assert "\nPrivateUsers=yes\n" in unit.read_text(), unit.name


def test_commands_get_the_owner_and_the_folder_of_the_units(run: Path) -> None:
    told = re.split(r"^== ", (run / "told.out").read_text(), flags=re.M)[1:]
    assert [text.split()[0] for text in told] == [
        *("fair_keys", "prepare", "database_roles", "createsuperuser")
    ]
    for text in told:
        given = dict(line.split("=", 1) for line in text.splitlines()[1:] if "=" in line)
        assert given["DATABASE_OWNER_URL"].startswith("postgresql://room:")
        assert given["DATABASE_URL"].startswith("postgresql://room_runtime:")
        assert given["PROCESS_NAME"] == "operator", "counters of commands share a file"
        assert given.keys() >= {f"DATABASE_PASSWORD_{role.kind.upper()}" for role in ROLES}


def _owner(run: Path) -> str:
    return (run / "etc" / "owner.env").read_text()


def test_operators_commands_look_for_stored_files_where_the_units_do() -> None:
    for kind, started in deployed.units().items():
        assert started.environment["ROOM_LOCAL"] == deployed.example()["ROOM_LOCAL"], kind
    assert "DATABASE_OWNER_URL" not in deployed.example()


def test_keys_are_in_folders_of_the_room_that_units_hide_from_those_who_need_none() -> None:
    """A file is no longer hidden once a command has put another in its place; a folder stays so."""
    assert STEPS is not None
    own = {
        folder
        for folders in re.findall(r"install -d -m \d+ -o room -g room (.+)", STEPS[1])
        for folder in folders.split()
    }
    places = {
        word: str(Path(deployed.example()[f"{key.variable}_FILE"]).parent)
        for word, key in key_files.ALL.items()
    }
    assert set(places.values()) == own
    needs = {"web": {"own"}, "play": {"deck"}, "cardsup": {"record"}, "settle": set(places)}
    for kind in {role.kind for role in ROLES}:
        words = needs.get(kind, set())
        (unit,) = (deployed.DEPLOY / "systemd").glob(f"room-{kind}*.service")
        hidden = re.findall(
            r" ?-(/\S+)", "".join(re.findall(r"^Inacc.*=(.*)$", unit.read_text(), re.M))
        )
        assert {word for word, place in places.items() if place not in hidden} == words, kind
