"""Files that no row names: found and removed when older than a day, in a folder and a bucket."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from redis import Redis
from structlog.testing import capture_logs

from accounts.clubs import pictures
from accounts.faces import faces
from accounts.faces.models import PlayerFace
from accounts.models import User
from accounts.stored_files import orphans, sweeping
from accounts.stored_files.retention import OrphanFiles
from config.environment import HOME
from tests.accounts.clubs.cast import club_of
from tests.accounts.s3_receiver import bucket, settings_of
from tests.config.files.drawn_pictures import drawn
from tests.tournaments import course
from tournaments.overlays import sponsoring
from tournaments.overlays.models import Sponsor

pytestmark = pytest.mark.django_db(transaction=True)

DAY = timedelta(days=1)
OLD, YOUNG = f"faces/{'a' * 32}.webp", f"sponsors/{'b' * 32}.webp"


@pytest.fixture(params=["folder", "bucket"])
def storage(
    request: pytest.FixtureRequest, tmp_path: Path, settings: LazySettings, room: Redis
) -> Iterator[str]:
    """The storage of files, empty, of either kind."""
    settings.MEDIA_ROOT = str(tmp_path / "files")
    if request.param == "folder":
        yield "folder"
        return
    with bucket() as held:
        settings.STORAGES = settings.STORAGES | {"default": settings_of(held)}
        yield "bucket"


def _run(*arguments: str) -> str:
    said = StringIO()
    call_command("orphan_files", *arguments, stdout=said)
    return said.getvalue()


@pytest.mark.usefixtures("storage")
def test_files_without_a_row_go_after_a_day_and_named_ones_stay() -> None:
    ann = User.objects.create_user("Ann", password=None, is_staff=True, is_superuser=True)
    key = faces.set_picture(ann, drawn("PNG"))
    tournament = course.offer(3, 3, cards_up="everybody")
    sponsoring.show_sponsor(tournament.pk, ann, drawn("PNG"))
    crest = pictures.set_picture(club_of(ann), ann, drawn("PNG"))
    named = [f"faces/{key}.webp", Sponsor.objects.get().file, f"clubs/{crest}.webp"]
    for path in (OLD, YOUNG, "faces/README.txt"):
        default_storage.save(path, ContentFile(b"left by a process that died"))
    assert _run() == "orphan files: 0\n", "a row may be on its way"
    tomorrow = timezone.now() + DAY
    assert sorted(orphans.orphans(tomorrow)) == [OLD, YOUNG]
    assert default_storage.exists(OLD), "looking removes nothing"
    assert sorted(orphans.remove_orphans(tomorrow)) == [OLD, YOUNG]
    assert orphans.remove_orphans(tomorrow) == []
    assert [default_storage.exists(path) for path in (OLD, YOUNG)] == [False, False]
    assert all(default_storage.exists(path) for path in (*named, "faces/README.txt"))


def test_a_process_that_dies_before_its_commit_leaves_an_orphan(
    tmp_path: Path, settings: LazySettings, room: Redis
) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "files")
    ann, bea = (User.objects.create_user(name, password=None) for name in ("Ann", "Bea"))
    faces.set_picture(bea, drawn("PNG"))
    script = f"""
        import os, django
        django.setup()
        from accounts.faces import faces, models
        models.PlayerFace.save = lambda row, *given, **more: os._exit(9)
        faces._replace({ann.pk}, faces.FOLDER.put("{"c" * 32}", b"picture") or "{"c" * 32}")
    """
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=connection.settings_dict["NAME"])
    variables = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database.geturl(),
        "FILES_DIR": settings.MEDIA_ROOT,
    }
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], cwd=HOME, env=variables, check=False
    )
    assert done.returncode == 9 and PlayerFace.objects.exclude(picture="").get().user_id == bea.pk
    left = tmp_path / "files" / "faces" / f"{'c' * 32}.webp"
    assert left.read_bytes() == b"picture"
    assert "removed: 0" in _run("--remove") and left.exists()
    an_hour_more = (timezone.now() - DAY - timedelta(hours=1)).timestamp()
    os.utime(left, (an_hour_more, an_hour_more))
    assert _run() == f"faces/{left.name}\norphan files: 1\n" and left.exists()
    sweeping.sweep_once()
    assert not left.exists()


def test_files_that_mostly_have_no_row_go_by_order_of_the_operator_alone(
    tmp_path: Path, settings: LazySettings, room: Redis
) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "files")
    ann = User.objects.create_user("Ann", password=None)
    faces.set_picture(ann, drawn("PNG"))
    left = [tmp_path / "files" / path for path in (OLD, f"hands/2026-01-{'d' * 32}.ndjson.gz")]
    two_days_ago = (timezone.now() - 2 * DAY).timestamp()
    for path in left:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"of a database that is to be restored")
        os.utime(path, (two_days_ago, two_days_ago))
    with capture_logs() as told:
        sweeping.sweep_once()
    assert [line["log_level"] for line in told] == ["error"]
    assert OrphanFiles().prune(timezone.now(), 1_000) == 0
    assert all(path.exists() for path in left)
    assert "removed: 2" in _run("--remove") and not any(path.exists() for path in left)


def test_one_turn_removes_a_bounded_number(
    tmp_path: Path, settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = str(tmp_path)
    monkeypatch.setattr(orphans, "REMOVED_AT_ONCE_MAX", 2)
    monkeypatch.setattr(orphans, "NAMES_AT_ONCE", 2)
    for digit in "abc":
        default_storage.save(f"faces/{digit * 32}.webp", ContentFile(b""))
    tomorrow = timezone.now() + DAY
    assert [len(orphans.remove_orphans(tomorrow)) for _turn in range(3)] == [2, 1, 0]


def test_a_storage_that_is_away_is_asked_again_later(
    tmp_path: Path, settings: LazySettings
) -> None:
    settings.MEDIA_ROOT = str(tmp_path / "files")
    (tmp_path / "files").write_text("a file where the folder should be")
    with pytest.raises(OSError, match="Not a directory"):
        orphans.remove_orphans()
    sweeping.sweep_once()
