"""Old hands in archives: every reader finds them, killed runs and bad input lose none."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from datetime import timedelta
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from asgiref.sync import async_to_sync
from django.conf import LazySettings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from accounts.models import User
from accounts.stored_files import orphans
from accounts.users import access_tokens
from config.environment import HOME
from tables.chance import reading
from tables.history.kept import kept_of
from tables.history.released import released_hands
from tables.models import Hand, HandArchive, Table
from tables.records import archive, archiving, boxing, stored
from tests.accounts.s3_receiver import bucket, settings_of
from tests.tables.fairlog.log_scene import keep_all, play
from tests.tables.records.hands import GAMES, sealed_record

pytestmark = pytest.mark.django_db(transaction=True)

HANDS = 5


@pytest.fixture
def files(tmp_path: Path, settings: LazySettings) -> Path:
    """The folder of stored files, empty."""
    settings.MEDIA_ROOT = str(tmp_path / "files")
    return tmp_path / "files" / "hands"


@pytest.fixture
def table(room: Redis, files: Path) -> Table:
    """A table with settled hands, all logged, three months old but for the last one."""
    made = play(room, HANDS)
    keep_all()
    old = timezone.now() - timedelta(days=95)
    Hand.objects.filter(number__lt=HANDS).update(finished_at=old)
    return made


def _run(*arguments: str) -> str:
    told = StringIO()
    call_command("retention", "--only", "hands", *arguments, stdout=told, stderr=told)
    return told.getvalue()


def _compared() -> str:
    told = StringIO()
    call_command("retention", "--check-files", stdout=told, stderr=told)
    return told.getvalue()


def _raws() -> list[bytes]:
    return [bytes(raw) for raw in Hand.objects.order_by("pk").values_list("record", flat=True)]


def _seen(table: Table) -> dict[str, Any]:
    """All that readers show of a table's hands."""
    player = User.objects.filter(seat__table=table).order_by("pk")[0]
    client = Client()
    client.force_login(player)
    rows = list(released_hands().filter(table=table))
    assert len(rows) == HANDS
    text = access_tokens.issue(player, name="t", scopes=access_tokens.SCOPES, days=1)
    program = Client(headers={"Authorization": f"Bearer {text}"})
    exported = program.get("/api/v1/hands/export", {"format": "ndjson"})
    listed = program.get("/api/v1/hands")
    assert exported.status_code == listed.status_code == 200
    return {
        "replays": [
            client.get(reverse("hand", args=[table.pk, row.number])).context["replay"]
            for row in rows
        ],
        "proofs": [
            client.get(reverse("hand_proof", args=[table.pk, row.number])).json() for row in rows
        ],
        "listed": listed.json(),
        "exported": _content(exported),
        "own": [kept_of(row, player.pk) for row in rows],
        "whole": list(reading._records()),
    }  # fmt: skip


def _content(answer: Any) -> bytes:
    if not answer.streaming:
        return bytes(answer.content)
    parts: list[bytes] = async_to_sync(_all_of)(answer.streaming_content)
    return b"".join(parts)


async def _all_of(parts: Any) -> list[bytes]:
    return [part async for part in parts]


def test_every_reader_finds_an_archived_hand(table: Table, files: Path) -> None:
    before, raws = _seen(table), _raws()
    told = _run("--dry-run", "--older", "2")
    assert told.splitlines()[1].split()[:5] == ["hands", "in", "rows", "2", "months"]
    assert told.splitlines()[1].split()[6] == str(HANDS) and " 4 " in told.splitlines()[1]
    assert _raws() == raws and not files.exists() and not HandArchive.objects.exists()
    assert "hands: 4 of 4 rows" in _run("--older", "2")
    assert list(map(archive.is_reference, _raws())) == [True] * 4 + [False]
    assert sum(map(len, _raws()[:4])) * 20 < sum(map(len, raws[:4]))
    assert list(map(archive.fetched, _raws())) == raws, "boxes are archived as they are"
    assert _seen(table) == before
    call_command("fair_audit", "--one-engine")
    [made] = HandArchive.objects.all()
    assert (made.hands, made.taken_at is not None) == (4, True)
    archived = _raws()
    assert "rows\n" not in _run("--older", "2") and _raws() == archived, "a second run has no work"
    assert boxing.left() == 0 and not list(orphans.orphans(timezone.now() + timedelta(days=2)))


def test_a_file_is_read_by_ordinary_tools(table: Table, files: Path) -> None:
    raws = _raws()
    _run("--older", "2")
    [path] = files.iterdir()
    lines = subprocess.run(["gzip", "-dc", path], capture_output=True, check=True).stdout
    hands = [json.loads(line) for line in lines.splitlines()]
    rows = list(Hand.objects.order_by("pk")[:4])
    assert [one["hand"] for one in hands] == [row.pk for row in rows]
    assert [one["digest"] for one in hands] == [row.digest for row in rows]
    month = rows[0].finished_at
    assert path.name.startswith(f"{month:%Y-%m}-") and raws[0] == archive.fetched(_raws()[0])


def test_files_are_of_one_month_and_of_bounded_length(
    table: Table, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archiving, "HANDS_PER_FILE", 2)
    monkeypatch.setattr(archiving, "ROWS_AT_ONCE", 1)
    Hand.objects.filter(number=1).update(finished_at=timezone.now() - timedelta(days=200))
    raws = _raws()
    assert "hands: 1 of 4 rows\nhands: 3 of 4 rows\nhands: 4 of 4 rows" in _run("--older", "2")
    assert [made.hands for made in HandArchive.objects.order_by("pk")] == [1, 2, 1]
    assert list(map(archive.fetched, _raws())) == raws


@pytest.mark.parametrize(
    ("dies_in", "rows", "taken"),
    [
        ("archive.whole_file", 0, 0),  # the file is stored, its row is not
        ("_take_records", 1, 0),  # the row is committed, the hands are as they were
        ("timezone", 1, 4),  # references are in the rows, the archive does not say so yet
    ],
)
def test_a_killed_run_is_continued_and_loses_nothing(
    table: Table, files: Path, dies_in: str, rows: int, taken: int
) -> None:
    before, raws = _seen(table), _raws()
    script = f"""
        import os, signal, django
        django.setup()
        from tables.records import archive, archiving
        until = archiving.end_of_months(2, archiving.timezone.now())
        class Killer:
            def now(self, *given):
                os.kill(os.getpid(), signal.SIGKILL)
            __call__ = now
        archiving.{dies_in} = Killer()
        archiving.archive_some(until)
    """
    database = urlsplit(os.environ["DATABASE_URL"])._replace(path=connection.settings_dict["NAME"])
    variables = {
        **os.environ,
        "DATABASE_URL": database.geturl(),
        "FILES_DIR": str(files.parent),
    }
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], cwd=HOME, env=variables, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert len(list(files.iterdir())) == 1 and HandArchive.objects.count() == rows
    assert sum(map(archive.is_reference, _raws())) == taken
    assert list(map(archive.fetched, _raws())) == raws
    assert "hands: 4 of 4 rows" in _run("--older", "2")
    assert HandArchive.objects.count() == 1 and list(map(archive.fetched, _raws())) == raws
    assert _seen(table) == before
    # The file without a row is garbage after a day; the other one is not.
    later = timezone.now() + timedelta(days=2)
    assert len(orphans.remove_orphans(later)) == (1 if rows == 0 else 0)
    assert _seen(table) == before


def test_a_changed_or_missing_file_is_noticed_and_changes_nothing(
    table: Table, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # 1. Changed between the file and the rows: nothing is taken from the hands.
    raws = _raws()
    until = archiving.end_of_months(2, timezone.now())
    made = archiving._make_file(until, 10)
    assert made is not None
    [path] = files.iterdir()
    whole = path.read_bytes()
    first = next(archive.members(made.name, whole)).reference
    for wrong in (whole[:-1], whole[:50] + b"\0" + whole[51:], b""):
        # One record is taken already: the run stops, the others stay.
        Hand.objects.filter(pk=made.first).update(record=first)
        path.write_bytes(wrong)
        with pytest.raises(CommandError, match="Not done: hands"):
            _run("--older", "2")
        assert _raws() == [first, *raws[1:]]
        with pytest.raises(CommandError, match="1 of 1 files"):
            _compared()
    path.unlink()
    # Nothing is taken yet: another file takes its place.
    Hand.objects.filter(pk=made.first).update(record=raws[0])
    _run("--older", "2")
    assert list(map(archive.fetched, _raws())) == raws and not path.exists()
    [path] = files.iterdir()
    whole = path.read_bytes()
    assert "1 files with 4 hands are as they were stored." in _compared()
    # 2. Later: each read is compared, and a page says that something is away.
    client = Client(raise_request_exception=False)
    page = reverse("hand", args=[table.pk, 1])
    assert client.get(page).status_code == 200
    for wrong in (whole[:90] + b"\0" * 20 + whole[110:], b""):
        path.write_bytes(wrong)
        with pytest.raises(archive.ArchiveAway):
            archive.fetched(_raws()[0])
        assert client.get(page).status_code == 503
    path.unlink()
    assert client.get(page).status_code == 503
    assert client.get(reverse("hand", args=[table.pk, HANDS])).status_code == 200
    path.write_bytes(whole)
    assert client.get(page).status_code == 200


def test_a_record_of_another_hand_in_a_file_is_refused(table: Table, files: Path) -> None:
    _run("--older", "2")
    first, second = Hand.objects.order_by("pk")[:2]
    Hand.objects.filter(pk=first.pk).update(record=second.record)
    client = Client(raise_request_exception=False)
    assert client.get(reverse("hand", args=[table.pk, 1])).status_code == 500
    assert client.get(reverse("hand", args=[table.pk, 2])).status_code == 200


@pytest.mark.parametrize("older", ["0", "-1", "1201", "two", "1.5", ""])
def test_bad_months_archive_nothing(table: Table, files: Path, older: str) -> None:
    raws = _raws()
    with pytest.raises(CommandError, match=r"--older is 1 to 1200 months|invalid int value"):
        _run("--older", older)
    assert _raws() == raws and not files.exists() and not HandArchive.objects.exists()


def test_plain_hands_of_earlier_releases_are_boxed_first(table: Table, files: Path) -> None:
    from tables.dealer import record

    first, second = Hand.objects.order_by("pk")[:2]
    Hand.objects.filter(pk=first.pk).update(record=b"\x81nobody reads this")
    Hand.objects.filter(pk=second.pk).update(
        record=record.encode(stored.decode(bytes(second.record)))
    )
    raws = _raws()
    with pytest.raises(CommandError, match="Not done: hands"):
        _run("--older", "2")
    assert _raws() == raws and not HandArchive.objects.exists()
    with pytest.raises(CommandError, match="1 records cannot be read"):
        call_command("seal_records")
    _run("--older", "2")
    assert list(map(archive.is_reference, _raws())) == [False, True, True, True, False]


def test_a_storage_that_takes_nothing_changes_nothing(table: Table, files: Path) -> None:
    raws = _raws()
    files.parent.write_text("a file where the folder should be")
    with pytest.raises(CommandError, match="Not done: hands"):
        _run("--older", "2")
    assert _raws() == raws and not HandArchive.objects.exists()


def test_a_bucket_holds_archives_too(table: Table, settings: LazySettings) -> None:
    before = _seen(table)
    with bucket() as held:
        settings.STORAGES = settings.STORAGES | {"default": settings_of(held)}
        assert "hands: 4 of 4 rows" in _run("--older", "2")
        assert _seen(table) == before
    archive._kept_whole.cache_clear()
    client = Client(raise_request_exception=False)
    answer = client.get(reverse("hand", args=[table.pk, 1]))
    assert answer.status_code == 503, "the bucket does not answer any more"
    with pytest.raises(CommandError, match="1 of 1 files"):
        _compared()


def test_any_record_comes_back_as_it_was_and_no_cut_goes_unnoticed() -> None:
    chance = Random(17)
    raws = [stored.encode(sealed_record(chance, *chance.choice(GAMES))) for _ in range(12)] + [
        bytes([1]),
        chance.randbytes(40_000),
    ]
    lines = [
        archive.line_of((key, 7, key, 1, "2026-01-01T00:00:00+00:00", "d"), raw)
        for key, raw in enumerate(raws)
    ]
    content = b"".join(map(archive.member, lines))
    found = list(archive.members("x", content))
    assert [one.line for one in found] == lines and [one.line.raw() for one in found] == raws
    ends = {archive._decode(one.reference[1:]).first for one in found}
    for cut in [chance.randrange(1, len(content)) for _ in range(60)]:
        if cut not in ends:
            with pytest.raises(archive.ArchiveAway):
                list(archive.members("x", content[:cut]))
