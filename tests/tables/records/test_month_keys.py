"""Keys by month: each makes the next one, none an earlier one; wrong files change nothing."""

from __future__ import annotations

import stat
from pathlib import Path, PosixPath
from typing import Any

import pytest

from config import limits
from config.environment import KeyFileMissing
from tables.records import month_keys
from tables.records.month_keys import BurntMonth, MonthKeys, NoMonthKey

NOVEMBER = 2026 * 12 + 10


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key file from November on, looked at without a pause."""
    monkeypatch.setattr(limits, "KEY_FILES_READ_MS", 0)
    found = tmp_path / "record_key"
    month_keys.make(found, NOVEMBER)
    return found


def held(path: Path) -> MonthKeys:
    """Keys of a process that read the file."""
    keys = MonthKeys("record key", "record", "NO_SUCH_VARIABLE", lambda: path)
    keys.load_file()
    return keys


def test_months_are_counted_in_utc() -> None:
    assert month_keys.month_of(1_795_440_600_000) == NOVEMBER
    assert month_keys.text_of(NOVEMBER) == "2026-11"
    assert month_keys.text_of(NOVEMBER + 2) == "2027-01"
    assert str(month_keys.first_day(NOVEMBER + 1)) == "2026-12-01"
    # A month is over for 90 days when its last day is.
    assert month_keys.first_kept(1_795_440_600_000, 90) == NOVEMBER - 3


def test_a_file_is_made_once_for_its_owner_alone(path: Path) -> None:
    text = path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600 and text.startswith("2026-11 ")
    month_keys.make(path, NOVEMBER + 4)
    assert path.read_text() == text


def test_two_processes_have_the_same_key_of_each_month(path: Path) -> None:
    one, other = held(path), held(path)
    names = [one.of(NOVEMBER + later)[0] for later in range(30)]
    assert names == [other.of(NOVEMBER + later)[0] for later in range(30)]
    assert len(set(names)) == 30


def test_a_burnt_month_is_gone_and_later_ones_stay(path: Path) -> None:
    keys = held(path)
    names = [keys.of(NOVEMBER + later)[0] for later in range(6)]
    before = month_keys.read(path, "record key")
    assert not month_keys.burn(path, "record key", NOVEMBER)
    assert month_keys.burn(path, "record key", NOVEMBER + 2)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert before[NOVEMBER].hex() not in path.read_text()
    for process in (keys, held(path)):  # one that runs forgets it, too
        assert [process.of(NOVEMBER + later)[0] for later in range(2, 6)] == names[2:]
        for later in range(2):
            with pytest.raises(BurntMonth, match=r"2026-1[12] was deleted"):
                process.of(NOVEMBER + later)


class LateFile(PosixPath):
    """Key file whose first month is burnt just after it was read."""

    def read_text(self, *given: Any, **named: Any) -> str:
        """Return the text, and burn its first month."""
        text = super().read_text(*given, **named)
        month_keys.burn(Path(self), "record key", NOVEMBER + 1)
        return text


def test_a_month_that_is_burnt_while_the_file_is_read_is_forgotten(path: Path) -> None:
    keys = held(path)
    keys.load_file(LateFile(path))
    with pytest.raises(BurntMonth, match="2026-11 was deleted"):
        keys.of(NOVEMBER)


def test_a_new_key_is_no_child_of_the_old_one_and_survives_a_burning(path: Path) -> None:
    keys = held(path)
    old = keys.of(NOVEMBER + 3)[0]
    this = keys.of(NOVEMBER + 1)[0]
    month_keys.renew(path, "record key", NOVEMBER + 2)
    fresh = held(path).of(NOVEMBER + 3)[0]
    assert fresh != old and held(path).of(NOVEMBER + 1)[0] == this
    month_keys.burn(path, "record key", NOVEMBER + 3)
    assert held(path).of(NOVEMBER + 3)[0] == fresh


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (None, "cannot be read .FileNotFoundError.: restore the file"),
        ("", "is empty: restore it"),
        ("2026-11 abc\n", "cut short or damaged: line 1"),
        ("2026-13 " + "0" * 64, "cut short or damaged: line 1"),
        ("2026-11 " + "0" * 64 + "\nx", "line 2 is not a month and 64 hexadecimal digits"),
    ],
)
def test_a_wrong_file_is_one_clear_sentence_and_changes_nothing(
    path: Path, text: str | None, words: str
) -> None:
    keys = held(path)
    name = keys.of(NOVEMBER)[0]
    path.unlink()
    if text is not None:
        path.write_text(text)
    with pytest.raises(KeyFileMissing, match=words):
        keys.load_file()
    assert keys.of(NOVEMBER)[0] == name, "a process that runs goes on with what it read"
    assert path.exists() == (text is not None)


def test_keys_from_the_environment_are_read_alike(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    month_keys.renew(path, "record key", NOVEMBER + 1)
    name = held(path).of(NOVEMBER + 1)[0]
    monkeypatch.setenv("RECORD_KEY", ";".join(path.read_text().split("\n")))
    keys = MonthKeys("record key", "record", "RECORD_KEY", lambda: path.with_name("none"))
    keys.load_file()
    assert keys.of(NOVEMBER + 1)[0] == name


def test_a_process_without_keys_and_a_key_of_another_name_say_so(path: Path) -> None:
    keys = held(path)
    with pytest.raises(NoMonthKey, match="put the right file at"):
        keys.named(NOVEMBER, b"othr")
    keys.drop()
    with pytest.raises(NoMonthKey, match="holds no record key"):
        keys.of(NOVEMBER)
