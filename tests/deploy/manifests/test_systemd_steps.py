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

SECTION = re.search(r"^## With systemd\n(?s:.*?)^## ", (HOME / "docs/servers.md").read_text(), re.M)
assert SECTION is not None
STEPS, UPGRADE = re.findall(r"\n\n((?:    .*\n)+)", SECTION[0])
"""Steps of a new room, and of an upgrade."""
AS_ROOT = """
set -e
useradd() { :; }
chown() { :; }
chgrp() { for file in $(echo "$*" | sed 's/^room //'); do test -f $file; done; }
systemctl() { :; }
sleep() { :; }
runuser() { shift 3; "$@"; }
install() { command install $(echo "$*" | sed -E 's/-[og] room//g'); }
"""
"""Commands that need root or a user of the room, done without them."""
NOTING = """
systemctl() {
    case $1 in
        show) echo UNITS;;
        *) echo "$* $(readlink PLACE/room)" >> PLACE/systemd;;
    esac
}
"""
"""Systemd that notes what it is told, and which release the link names then."""


def run_steps(text: str, place: Path, before: str = AS_ROOT) -> None:
    """Run steps of the page below `place`; what is told to `manage.py` is noted there."""
    steps = re.sub(r"^    ", "", text, flags=re.M)
    assert steps.count("-m venv .venv") == steps.count(".venv/bin/pip") == 1
    steps = re.sub(r"^.*\.venv/bin/pip.*$|^.*-m venv.*$", "", steps, flags=re.M)
    told = place / "told"
    told.write_text('#!/bin/sh\n(echo "== $*"; env) >> "$0.out"\n')
    told.chmod(0o755)
    for named, own in (
        (".venv/bin/python manage.py", str(told)),
        ("/etc/systemd/system/", f"{place}/units/"),
        ("/etc/room", f"{place}/etc"),
        ("/opt/room", f"{place}/room"),
    ):
        assert named in steps
        steps = steps.replace(named, own)
    steps = steps.replace("/var/lib/room", f"{place}/var")
    subprocess.run(["sh", "-c", before + steps], check=True)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Folder in which the steps ran: `etc` and `var` of the room, and what was told to commands."""
    for folder in ("units", "var", "room-0.1", "room-0.2"):
        (tmp_path / folder).mkdir()
    for release in ("room-0.1", "room-0.2"):
        (tmp_path / release / "deploy").symlink_to(HOME / "deploy")
    run_steps(STEPS, tmp_path)
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
    for path in (run / "etc").glob("*.env"):
        assert path.stat().st_mode & 0o077 == 0, path.name
    assert re.findall(
        r"^chgrp room (.+?)(?: &&|$)", re.sub("^    ", "", STEPS, flags=re.M), re.M
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
    own = {
        folder
        for folders in re.findall(r"install -d -m \d+ -o room -g room (.+)", STEPS)
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


def test_an_upgrade_switches_the_release_after_prepare_and_restarts_every_unit(run: Path) -> None:
    assert (run / "room").readlink() == run / "room-0.1"
    (run / "told.out").unlink()
    (run / "units" / "room-play@.service").write_text("of the release before")
    units = [f"room-{name}.service" for name in deployed.wanted_units()]
    noting = NOTING.replace("UNITS", " ".join(units)).replace("PLACE", str(run))
    # Commands of the new release run while processes of the old one can be started again.
    run_steps(
        UPGRADE.replace("    ln ", "    readlink PLACE/room >> PLACE/before; ln ").replace(
            "PLACE", str(run)
        ),
        run,
        AS_ROOT + noting,
    )
    (told,) = re.split(r"^== ", (run / "told.out").read_text(), flags=re.M)[1:]
    assert told.splitlines()[0] == "prepare"
    assert f"\nPWD={run}/room-0.2\n" in told and "\nDATABASE_OWNER_URL=" in told
    assert (run / "before").read_text() == f"{run}/room-0.1\n"
    assert (run / "room").readlink() == run / "room-0.2"
    assert (run / "systemd").read_text().splitlines() == [
        f"{words} {run}/room-0.2" for words in ("daemon-reload", *(f"restart {u}" for u in units))
    ]
    unit = (run / "units" / "room-play@.service").read_text()
    assert unit == (deployed.DEPLOY / "systemd" / "room-play@.service").read_text()


def test_a_process_keeps_the_libraries_of_its_release_when_the_link_is_switched(
    tmp_path: Path,
) -> None:
    link = tmp_path / "room"
    link.symlink_to(HOME)
    paths = "import django; print(*sys.path, django.__file__, sep='\\n')"
    by_command = "sys.argv = ['manage.py', 'version']; import manage; manage.main()"
    for begin in ("import config", by_command):
        found = subprocess.run(
            [link / ".venv/bin/python", "-c", f"import sys; {begin}; {paths}"],
            check=True,
            cwd=link,
            capture_output=True,
            text=True,
        )
        assert "django/__init__.py" in found.stdout and str(link) not in found.stdout
