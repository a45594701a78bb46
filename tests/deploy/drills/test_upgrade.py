"""Upgrade drill: which releases it takes, and how it judges a run (`make upgrade-drill`)."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.environment import HOME
from deploy.drills.upgrade import releases, verdict
from deploy.drills.upgrade.mixed_room import is_polled, run_by
from deploy.drills.upgrade.pages import links_of
from deploy.drills.upgrade.releases import Release, UnfitReleases
from deploy.embedded.program import Program

GIT = ("git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=no")

APP = "shop/migrations"
EMPTY = "from django.db import migrations, models\nclass Migration(migrations.Migration):\n"
FIRST = (
    f"{EMPTY}    operations = [migrations.CreateModel('Item', [('id', models.BigAutoField("
    "primary_key=True)), ('name', models.TextField()), ('note', models.TextField())])]\n"
)
AFTER = f"{EMPTY}    dependencies = [('shop', '0001_first')]\n    operations = "
EXPANDS = f"{AFTER}[migrations.AddField('item', 'size', models.IntegerField(null=True))]\n"
TAKES = f"{AFTER}[migrations.RemoveField('item', 'note')]\n"
CONTRACTS = f"{TAKES}    contract = '0.2'\n"
SETTINGS = "SECRET_KEY = 'x'\nINSTALLED_APPS = ['shop']\n"


@pytest.fixture
def commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Small project in git as the folder of this code; commits files, and returns the commit."""
    home = tmp_path / "home"
    home.mkdir()
    subprocess.run([*GIT, "init", "-q", str(home)], check=True)
    monkeypatch.setattr(releases, "HOME", home)
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", "shop_settings")

    def made(files: dict[str, str], tag: str = "") -> str:
        for name, text in files.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text)
        for line in (["add", "-A"], ["commit", "-qm", "x"], *([["tag", tag]] if tag else [])):
            subprocess.run([*GIT, *line], cwd=home, check=True)
        said = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=home, check=True, capture_output=True
        )
        return said.stdout.decode().strip()

    made({
        "shop_settings.py": SETTINGS, "shop/__init__.py": "", f"{APP}/__init__.py": "",
        f"{APP}/0001_first.py": FIRST, "requirements/base.txt": "django==5\n",
    })  # fmt: skip
    return made


def fits(tmp_path: Path, start: str | None = None, end: str | None = None) -> list[str]:
    """Return the newer migrations of two releases; raise UnfitReleases as the drill does."""
    pair = releases.choose(start, end)
    return releases.verify_migrations(releases.unpack(pair.new, tmp_path / "new"), pair.old)


def test_a_release_that_only_expands_is_taken(commit: Callable[..., str], tmp_path: Path) -> None:
    before = commit({"a.py": ""})
    after = commit({f"{APP}/0002_size.py": EXPANDS})
    assert fits(tmp_path, before, after) == [f"{APP}/0002_size.py"]


@pytest.mark.parametrize(
    ("migration", "wrong"),
    [
        (TAKES, "0002_x.py: Remove field note from item: an older process still uses it"),
        (CONTRACTS, "takes away what only releases before 0.2 use"),
        ("import missing_library\n", "cannot be read: .*missing_library"),
    ],
)
def test_a_release_that_takes_away_what_the_older_one_uses_is_refused(
    commit: Callable[..., str], tmp_path: Path, migration: str, wrong: str
) -> None:
    before = commit({"a.py": ""}, tag="v0.1")
    commit({f"{APP}/0002_x.py": migration})
    with pytest.raises(UnfitReleases, match=wrong):
        fits(tmp_path, before)
    assert not (tmp_path / "new").exists()


def test_a_contracting_release_is_taken_after_the_one_that_it_names(
    commit: Callable[..., str], tmp_path: Path
) -> None:
    commit({"a.py": ""}, tag="v0.2")
    later = commit({"b.py": ""})
    after = commit({f"{APP}/0002_x.py": CONTRACTS})
    assert fits(tmp_path, "v0.2", after) == fits(tmp_path, later) == [f"{APP}/0002_x.py"]


def test_releases_that_cannot_be_compared_are_refused(commit: Callable[..., str]) -> None:
    first = commit({"a.py": ""})
    for start, end, wrong in (
        ("v9", None, "--from: this repository has no revision v9"),
        ("--help", None, "--from: this repository has no revision --help"),
        (first, "v9", "--to: this repository has no revision v9"),
        (first, "HEAD", "--from and --to are the same commit"),
    ):
        with pytest.raises(UnfitReleases, match=wrong):
            releases.choose(start, end)


def test_other_libraries_need_an_environment_of_their_own(commit: Callable[..., str]) -> None:
    first = commit({"a.py": ""})
    commit({"requirements/base.txt": "django==6\n"})
    with pytest.raises(UnfitReleases, match=r"requirements/base.txt differs .* --with-venv"):
        releases.choose(first, None)
    assert releases.choose(first, None, with_venv=True).old.commit == first


def test_the_default_is_the_newest_tag_else_the_oldest_commit_that_fits(
    commit: Callable[..., str],
) -> None:
    with pytest.raises(UnfitReleases, match="no earlier commit; name one with --from"):
        releases.choose(None, None)
    commit({f"{APP}/0002_x.py": TAKES})
    fitting = commit({"requirements/base.txt": "django==6\n"})
    commit({"b.py": ""})
    commit({"c.py": ""})
    assert releases.choose(None, None).old.commit == fitting
    tagged = commit({"d.py": ""}, tag="v0.3")
    commit({"e.py": ""})
    assert releases.choose(None, None).old.commit == tagged
    assert releases.choose(None, None).old.name == "v0.3"


def test_a_commit_is_unpacked_beside_the_working_tree(
    commit: Callable[..., str], tmp_path: Path
) -> None:
    first = commit({"a.py": "old"})
    commit({"a.py": "new"})
    pair = releases.choose(first, None)
    old, new = (
        releases.unpack(pair.old, tmp_path / "old"),
        releases.unpack(pair.new, tmp_path / "n"),
    )
    assert (old.folder / "a.py").read_text() == "old"
    assert (new.folder / "a.py").read_text() == "new"
    assert new.folder == tmp_path / "home" and new.python == old.python == sys.executable


@pytest.mark.parametrize("options", [{"players": 3}, {"at_once": 0}, {"webs": 0}])
def test_wrong_options_start_nothing(options: dict[str, int]) -> None:
    with pytest.raises(CommandError, match="--players must be 4 or more"):
        call_command("upgrade_drill", **options)


def test_an_unknown_revision_starts_nothing() -> None:
    with pytest.raises(CommandError, match="has no revision nowhere"):
        call_command("upgrade_drill", "--from", "nowhere")


def test_a_program_runs_in_the_folder_of_its_release(tmp_path: Path) -> None:
    manage = str(HOME / "manage.py")
    program = Program("swarm", ("python", manage, "swarm"), HOME, tmp_path / "log", lambda: True)
    moved = run_by(program, Release("old", tmp_path, "/venv/python"))
    assert moved.argv == ("/venv/python", str(tmp_path / "manage.py"), "swarm")
    assert moved.directory == tmp_path


def test_a_process_is_ready_once_it_waits_for_its_socket() -> None:
    with socket.socket() as listening, select.epoll() as poll:
        assert not is_polled(os.getpid(), listening.fileno())
        poll.register(listening.fileno())
        assert is_polled(os.getpid(), listening.fileno())
    assert not is_polled(2**22 + 1, 3)


def test_links_of_a_page_are_its_static_files() -> None:
    page = '<script src="/static/js/a.1.js"></script><a href="/x/"><link href="/static/b.css">'
    assert links_of(page) == {"/static/js/a.1.js", "/static/b.css"}


def report(**changes: Any) -> dict[str, Any]:
    """Return the report of a drill in which nothing was lost."""
    step = {
        "process": "play0", "release": "new", "stop_s": 0.4, "ready_s": 3.1, "tables": 6,
        "silence_s": 1.2, "waiting": [], "killed": False, "pages": [],
    }  # fmt: skip
    game = {
        "tournament": 1, "offered_by": "old", "state": "finished", "hands": 90, "actions": 700,
        "paid": 100, "pool": 100, "void": [], "violations": [],
        "histories": {"fates": {"acted": 700, "refused": 2}},
    }  # fmt: skip
    found: dict[str, Any] = {"errors": {}, "audit": [], "crashes": []}
    found["steps"] = [{**step, **changes.pop("steps", {})}]
    found["tournaments"] = [{**game, **changes.pop("tournaments", {})}]
    return {**found, **changes}


def test_a_drill_that_lost_nothing_is_right() -> None:
    assert verdict.violations(report()) == []
    assert verdict.table(report()).splitlines()[-1] == "all right"
    assert verdict.summary(report()) == {
        "hands": 90, "actions": 700, "fates": {"acted": 700, "refused": 2}, "void": [],
        "unreadable": 0, "silence_s": 1.2, "violations": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "wrong"),
    [
        ({"steps": {"tables": 0, "silence_s": None}}, "no table was in play"),
        ({"steps": {"killed": True}}, "did not stop by itself"),
        ({"steps": {"waiting": ["table:7"]}}, "did not go on: table:7"),
        ({"steps": {"silence_s": 15.2}}, "silent for 15.2 s"),
        ({"steps": {"pages": ["page /: answered 500"]}}, "page /: answered 500"),
        ({"tournaments": {"violations": ["bot-3: gap after 7-12"]}}, "tournament 1: bot-3: gap"),
        ({"errors": {"table state unreadable": ["play0: {}"]}}, "unreadable in a log, 1 times"),
        ({"errors": {"table failed": ["play0: {}"] * 9}}, "error in a log, 9 times: play0"),
        ({"audit": ["chips do not add up"]}, "audit: chips do not add up"),
        ({"crashes": ["web0 crashed: signal 11"]}, "web0 crashed: signal 11"),
    ],
)
def test_each_loss_is_told(changes: dict[str, Any], wrong: str) -> None:
    found = verdict.violations(report(**changes))
    assert found and wrong in found[0]
    assert wrong in verdict.table(report(**changes)).split("NOT RIGHT:")[1]


def test_a_drill_without_a_tournament_shows_nothing() -> None:
    assert verdict.violations({**report(), "tournaments": []}) == ["no tournament was played"]
