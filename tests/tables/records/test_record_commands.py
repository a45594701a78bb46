"""Commands of operators over finished hands: box the old ones, burn months, name the keys."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.models import User
from config import clock, limits
from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.history import replays
from tables.models import Hand, Table
from tables.records import boxing, holding, month_keys, stored
from tables.records.month_keys import BurntMonth, NoMonthKey, own_keys, record_keys
from tables.workers import sealing
from tests.tables.fairlog.log_scene import keep_all, play
from tests.tables.records.folding import play_folded

pytestmark = pytest.mark.django_db(transaction=True)

DAY_MS = 24 * 3_600_000


@pytest.fixture
def key_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """Keys of months of the test's own."""
    monkeypatch.setattr(limits, "KEY_FILES_READ_MS", 0)
    monkeypatch.setenv("LOG_KEY_FILE", str(tmp_path / "log_key"))
    found = []
    for keys in (record_keys, own_keys):
        found.append(tmp_path / keys.variable.lower())
        monkeypatch.setenv(f"{keys.variable}_FILE", str(found[-1]))
        month_keys.make(found[-1], month_keys.month_of(clock.now_ms()))
        keys.load_file()
    yield found
    monkeypatch.undo()
    for keys in (record_keys, own_keys):
        keys.load_file()


@pytest.fixture
def table(room: Redis, key_files: list[Path]) -> Table:
    """A table with three settled hands, all logged."""
    made = play(room, 3)
    keep_all()
    return made


def told_by(*command: str) -> str:
    """Run a command; return what it told."""
    out = StringIO()
    call_command(*command, stdout=out, stderr=out)
    return out.getvalue()


def _raws() -> list[bytes]:
    return [bytes(raw) for raw in Hand.objects.order_by("pk").values_list("record", flat=True)]


def _in_plain() -> list[HandRecord]:
    """Put the hands back as a release before stored them."""
    whole = [stored.decode(raw) for raw in _raws()]
    for row, kept in zip(Hand.objects.order_by("pk"), whole, strict=True):
        Hand.objects.filter(pk=row.pk).update(record=record.encode(kept))
    return whole


def test_hands_of_the_release_before_are_boxed_in_batches(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, plain = _in_plain(), _raws()
    monkeypatch.setattr(boxing, "ROWS_AT_ONCE", 2)
    assert told_by("seal_records", "--count").split() == ["3", "hands", "in", "plain"]
    assert _raws() == plain, "counting changes nothing"
    told = told_by("seal_records")
    assert "2 of 3 boxed\n3 of 3 boxed" in told
    assert all(map(stored.is_boxed, _raws()))
    assert [stored.decode(raw) for raw in _raws()] == whole
    assert [kept.digest() for kept in whole] == list(
        Hand.objects.order_by("pk").values_list("digest", flat=True)
    )
    boxed = _raws()
    assert told_by("seal_records").startswith("0 hands in plain") and _raws() == boxed
    call_command("fair_audit", "--one-engine")


def test_a_record_that_nobody_can_read_is_left_as_it_is(table: Table) -> None:
    _in_plain()
    Hand.objects.filter(number=2).update(record=b"\x81damaged")
    with pytest.raises(CommandError, match="1 records cannot be read and were left"):
        call_command("seal_records")
    boxed = [stored.is_boxed(raw) for raw in _raws()]
    assert boxed == [True, False, True] and _raws()[1] == b"\x81damaged"


def test_without_keys_nothing_is_boxed(table: Table, key_files: list[Path]) -> None:
    _in_plain()
    plain = _raws()
    key_files[0].unlink()
    with pytest.raises(CommandError, match=r"record key .* cannot be read"):
        call_command("seal_records")
    assert _raws() == plain


def test_a_burnt_month_is_gone_for_the_room_and_its_replay_says_so(
    room: Redis, key_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    sealing.publish_call_key()
    table, _ = play_folded(room)
    keep_all()
    row = Hand.objects.get(number=2)
    player = User.objects.get(seat__table=table, seat__seat=2)
    page = reverse("hand", args=[table.pk, 2])
    viewer = Client()
    viewer.force_login(player)
    public, own = Client().get(page).context["replay"], viewer.get(page).context["replay"]
    proof = Client().get(reverse("hand_proof", args=[table.pk, 2])).json()
    raws, texts = _raws(), [path.read_text() for path in key_files]
    later = clock.now_ms() + 150 * DAY_MS
    monkeypatch.setattr(clock, "now_ms", lambda: later)
    # 1. A dry run names the months and changes nothing.
    told = told_by("burn_records", "--older", "90")
    assert "2 hands" in told and "Nothing was changed" in told
    assert [path.read_text() for path in key_files] == texts
    # 2. The keys go, the rows stay.
    assert "are deleted here" in told_by("burn_records", "--older", "90", "--yes")
    assert _raws() == raws and all(
        text not in path.read_text() for text, path in zip(texts, key_files, strict=True)
    )
    assert {stat.S_IMODE(path.stat().st_mode) for path in key_files} == {0o600}
    for keys in (record_keys, own_keys):
        keys.load_file()
    with pytest.raises(BurntMonth):
        stored.decode(bytes(row.record))
    # 3. The replay shows what was shown, and says why the rest is gone.
    answer = viewer.get(page)
    assert answer.context["replay"]["unread"] == "burnt"
    assert "deleted the key of this month" in answer.content.decode()
    assert answer.context["replay"]["events"] == public["events"] != own["events"]
    assert Client().get(page).context["replay"] == public
    assert Client().get(reverse("hand_proof", args=[table.pk, 2])).json() == proof
    assert viewer.get(reverse("hand_proof", args=[table.pk, 2])).json()["viewer"] is None
    # 4. The audit checks what is left.
    told = told_by("fair_audit", "--one-engine")
    assert "burnt: 2" in told and "no differences" in told
    assert "No month is that old" in told_by("burn_records", "--older", "90")


@pytest.mark.parametrize(
    ("older", "words"), [("29", "30 to 36500"), ("-1", "30 to"), ("999999", "30 to")]
)
def test_hands_in_use_and_years_before_ours_are_not_burnt(
    key_files: list[Path], older: str, words: str
) -> None:
    texts = [path.read_text() for path in key_files]
    with pytest.raises(CommandError, match=words):
        call_command("burn_records", "--older", older, "--yes")
    assert [path.read_text() for path in key_files] == texts


def test_keys_in_the_environment_are_not_burnt(
    key_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OWN_KEY", key_files[1].read_text())
    with pytest.raises(CommandError, match="OWN_KEY is set in the environment"):
        call_command("burn_records", "--older", "90", "--yes")


def test_a_settle_worker_with_keys_of_another_room_is_told_so(
    table: Table, key_files: list[Path]
) -> None:
    holding.hold_all()
    text = key_files[1].read_text()
    key_files[1].unlink()
    month_keys.make(key_files[1], own_keys.first)
    with pytest.raises(NoMonthKey, match=r"own key of .* put the right file at"):
        holding.hold_all()
    key_files[1].write_text(text)
    holding.hold_all()


def test_pages_start_without_keys_and_hold_what_the_room_says(
    key_files: list[Path], settings: object
) -> None:
    for see, held in ((False, (False, True)), (True, (True, True))):
        settings.SEE_HOLE_CARDS = see  # type: ignore[attr-defined]
        record_keys.drop()
        own_keys.drop()
        holding.hold_for_pages()
        assert (record_keys.are_held, own_keys.are_held) == held
    for path in key_files:
        path.unlink()
    record_keys.drop()
    own_keys.drop()
    holding.hold_for_pages()
    assert not record_keys.are_held and not own_keys.are_held


def test_one_command_names_makes_and_renews_all_keys(
    key_files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = told_by("fair_keys")
    assert {line.partition(":")[0] for line in told.splitlines()} == {
        *("call", "log", "deck", "record", "own")
    }
    month = month_keys.text_of(record_keys.first)
    assert told_by("fair_keys", "record").split() == [
        month,
        record_keys.of(record_keys.first)[0].hex(),
    ]
    following = month_keys.text_of(record_keys.first + 1)
    assert f"used from {following} on" in told_by("fair_keys", "own", "--new")
    assert len(key_files[1].read_text().splitlines()) == 2
    key_files[0].unlink()
    assert str(key_files[0]) in told_by("fair_keys", "--make")
    assert stat.S_IMODE(key_files[0].stat().st_mode) == 0o600
    for wrong, words in ((["--new"], "Name the key"), (["record", "--lost"], "for the deck key")):
        with pytest.raises(CommandError, match=words):
            call_command("fair_keys", *wrong)
    monkeypatch.setenv("RECORD_KEY", key_files[0].read_text())
    with pytest.raises(CommandError, match="RECORD_KEY is set in the environment"):
        call_command("fair_keys", "record", "--new")
    assert "RECORD_KEY" in os.environ


def test_a_row_that_holds_the_record_of_another_hand_is_refused(table: Table) -> None:
    first, second = Hand.objects.order_by("pk")[:2]
    Hand.objects.filter(pk=first.pk).update(record=second.record)
    client = Client(raise_request_exception=False)
    assert client.get(reverse("hand", args=[table.pk, 1])).status_code == 500
    assert client.get(reverse("hand", args=[table.pk, 2])).status_code == 200
    assert replays.line(stored.decode_open(bytes(second.record)), None).number == 2
