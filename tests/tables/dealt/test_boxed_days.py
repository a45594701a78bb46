"""Sums of dealt cards in their boxes: a dump tells no hand, and burnt months keep only sums."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from redis import Redis

from accounts.models import User
from config import clock, limits
from config.sums import added
from tables.conduct import recount
from tables.conduct.counting import count_waiting, is_elected, nobody_counts
from tables.dealt import boxed, counting, merging, rows
from tables.dealt.boxed import DealtKey
from tables.dealt.figures import DealtFigures, dealt_figures
from tables.dealt.models import DealtDay
from tables.fairness import boxes
from tables.fairness.boxes import DamagedBox
from tables.models import Hand
from tables.records import month_keys, stored
from tables.records.month_keys import BurntMonth, own_keys, record_keys
from tests.tables.records.folding import play_folded
from tests.tournaments.club_scene import person

pytestmark = pytest.mark.django_db(transaction=True)

ACES = DealtFigures(hands=1, ranks=(*(0,) * 12, 2), suits=(0, 0, 1, 1), pairs=1, premium=1)
DAY_MS = 24 * 3_600_000
TODAY = date(2026, 11, 20)


@pytest.fixture
def month_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """Keys of months of the test's own."""
    monkeypatch.setattr(limits, "KEY_FILES_READ_MS", 0)
    found = []
    for keys in (record_keys, own_keys):
        found.append(tmp_path / keys.variable.lower())
        monkeypatch.setenv(f"{keys.variable}_FILE", str(found[-1]))
        month_keys.make(found[-1], boxed.month_of_day(date(2026, 9, 1)))
        keys.load_file()
    yield found
    monkeypatch.undo()
    for keys in (record_keys, own_keys):
        keys.load_file()


def _told(before: DealtDay, after: DealtDay) -> bool:
    """Return whether two dumps tell what a day gained: any number in place, or another length."""
    kept = bytes(before.box), bytes(after.box)
    if len(kept[0]) != len(kept[1]):
        return True
    plain = [boxed.packed(DealtFigures()) in box or box[12:].count(0) > 64 for box in kept]
    return any(plain)


def _two_hands(user: User) -> tuple[DealtDay, DealtDay]:
    """Count two hands of a player; return the row after each."""
    seen = []
    for _ in range(2):
        counting.write({DealtKey(user.pk, TODAY, 2): ACES})
        seen.append(DealtDay.objects.get(user=user))
    return seen[0], seen[1]


def test_the_difference_of_two_dumps_tells_no_hand(
    room: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not _told(*_two_hands(person("Ann")))
    columns = {field.attname for field in DealtDay._meta.concrete_fields}
    assert columns == {"id", "user_id", "day", "cards", "month", "key", "box"}
    monkeypatch.setattr(boxes, "close_box", lambda _key, nonce, plain, _place: nonce + plain)
    monkeypatch.setattr(boxes, "open_box", lambda _key, box, _place: box[12:])
    assert _told(*_two_hands(person("Bob"))), "planted: figures in plain are found"


def test_no_folded_hand_is_in_its_day(room: Redis) -> None:
    play_folded(room)
    while count_waiting():
        pass
    for hand in Hand.objects.all():
        for own in dealt_figures(stored.decode(bytes(hand.record))).values():
            assert not any(boxed.packed(own)[8:112] in bytes(row.box) for row in _rows())
    assert recount.differences() == []


def test_figures_are_read_as_they_were_written_and_all_boxes_are_equally_long(room: Redis) -> None:
    ann, at = person("Ann"), TODAY
    large = DealtFigures(hands=90_000, ranks=(9_999,) * 13, won=-(2**40), due=2**40, spread=2**50)
    counting.write({DealtKey(ann.pk, at, 2): ACES, DealtKey(ann.pk, at, 4): large})
    counting.write({DealtKey(ann.pk, at, 2): ACES})
    assert rows.own_days(ann) == ([(at, 2, added(ACES, ACES)), (at, 4, large)], 0)
    assert len({len(bytes(row.box)) for row in _rows()}) == 1


@pytest.mark.parametrize("change", ["byte", "user", "day", "cards", "key", "early", "late", "far"])
def test_a_changed_or_moved_box_counts_as_nothing_and_is_found(
    room: Redis, month_files: list[Path], change: str
) -> None:
    ann, bob = person("Ann"), person("Bob")
    counting.write({DealtKey(ann.pk, TODAY, 2): ACES})
    row = DealtDay.objects.get()
    if change == "byte":
        row.box = bytes(row.box)[:-1] + bytes([bytes(row.box)[-1] ^ 1])
    row.user_id = bob.pk if change == "user" else row.user_id
    row.day = TODAY - timedelta(days=1) if change == "day" else row.day
    row.cards = 4 if change == "cards" else row.cards
    row.key = b"other" if change == "key" else row.key
    row.month += {"early": -1, "late": 1, "far": 2_000_000_000}.get(change, 0)
    row.save()
    at = DealtKey(row.user_id, row.day, row.cards)
    with pytest.raises(DamagedBox):
        boxed.open_figures(at, boxed.DealtBox(row.month, bytes(row.key), bytes(row.box)))
    assert rows.all_rows(date.min) == {at: DealtFigures()}
    assert recount.differences() != []
    counting.write({at: ACES})
    assert rows.all_rows(date.min) == {at: ACES}, "the count of all goes on"


def test_a_page_without_the_key_says_what_it_cannot_show(
    room: Redis, month_files: list[Path]
) -> None:
    ann = person("Ann")
    counting.write({DealtKey(ann.pk, TODAY, 2): ACES})
    browser = Client()
    browser.force_login(ann)
    own_keys.drop()
    page = browser.get("/account/cards/").content.decode()
    assert "The figures of 1 day are not shown" in page
    assert browser.get("/account/cards.json").json()["days"] == []
    own_keys.load_file()
    assert "1 finished hand with 2 cards" in browser.get("/account/cards/").content.decode()


def test_days_of_burnt_months_become_months_and_small_ones_go(
    room: Redis, month_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = person("Ann"), person("Bob")
    days = [date(2026, 9, 1) + timedelta(days=n) for n in range(merging.HANDS_MIN)]
    counting.write({DealtKey(ann.pk, day, 2): ACES for day in days})
    counting.write({DealtKey(bob.pk, day, 2): ACES for day in days[1:]})
    counting.write({DealtKey(ann.pk, date(2026, 10, 5), 2): ACES})
    counting.write({DealtKey(ann.pk, date(2026, 12, 24), 2): ACES})
    before, boxes_before = rows.own_days(ann), [bytes(row.box) for row in _rows()]
    at_ms = round(datetime(2027, 1, 20, tzinfo=UTC).timestamp() * 1_000)
    monkeypatch.setattr(clock, "now_ms", lambda: at_ms)
    # 1. A dry run changes nothing.
    _burn()
    assert rows.own_days(ann) == before
    # 2. September has enough hands of one of the two; October and November too few of anybody.
    assert "days of dealt cards became 1 months" in _burn("--yes")
    merged = DealtFigures()
    for _ in days:
        merged = added(merged, ACES)
    kept = [(date(2026, 9, 1), 2, merged), (date(2026, 12, 24), 2, ACES)]
    assert rows.own_days(ann) == (kept, 0) and rows.own_days(bob) == ([], 0)
    # 3. Nobody opens an older dump of the days any more.
    at = DealtKey(ann.pk, days[0], 2)
    september = boxed.month_of_day(days[0])
    with pytest.raises(BurntMonth):
        boxed.open_figures(at, boxed.DealtBox(september, b"", boxes_before[0]))
    # 4. The next burning reads the months of the one before.
    later_ms = at_ms + 60 * DAY_MS
    monkeypatch.setattr(clock, "now_ms", lambda: later_ms)
    _burn("--yes")
    assert rows.own_days(ann) == (kept[:1], 0), "December had one hand"


def test_nothing_is_merged_without_the_key(
    room: Redis, month_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    counting.write({DealtKey(person("Ann").pk, date(2026, 9, 1), 2): ACES})
    later_ms = round(datetime(2027, 1, 20, tzinfo=UTC).timestamp() * 1_000)
    monkeypatch.setattr(clock, "now_ms", lambda: later_ms)
    kept = [bytes(row.box) for row in _rows()]
    month_files[1].unlink()
    with pytest.raises(CommandError, match="own key"):
        _burn("--yes")
    assert [bytes(row.box) for row in _rows()] == kept


def test_nothing_is_merged_with_the_key_of_another_room(
    room: Redis, month_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = person("Ann")
    days = [date(2026, 9, 1) + timedelta(days=n) for n in range(merging.HANDS_MIN)]
    counting.write({DealtKey(ann.pk, day, 2): ACES for day in days})
    later_ms = round(datetime(2027, 1, 20, tzinfo=UTC).timestamp() * 1_000)
    monkeypatch.setattr(clock, "now_ms", lambda: later_ms)
    rows_before, own = [bytes(row.box) for row in _rows()], month_files[1].read_text()
    month_files[1].unlink()
    month_keys.make(month_files[1], boxed.month_of_day(date(2026, 9, 1)))
    other = month_files[1].read_text()
    with pytest.raises(CommandError, match="opens 0 days of dealt cards, and 20 have other keys"):
        _burn("--yes")
    assert [bytes(row.box) for row in _rows()] == rows_before
    assert month_files[1].read_text() == other, "no key went"
    month_files[1].write_text(own)
    DealtDay.objects.filter(day=days[0]).update(key=b"\0" * 8)
    assert "19 days of dealt cards became 0 months" in _burn("--yes"), "a changed name stops nobody"


def test_few_days_are_in_memory_while_all_are_merged(
    room: Redis, month_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [person(name) for name in ("Ann", "Bob", "Cid", "Dan")]
    monkeypatch.setattr(merging, "HANDS_MIN", 3)
    monkeypatch.setattr(merging, "ROWS_AT_ONCE", 5)
    days = [date(2026, 9, 1) + timedelta(days=31 * n) for n in range(3)]
    for user in people:
        counting.write({DealtKey(user.pk, day, 2): added(ACES, ACES) for day in days})
        counting.write({DealtKey(user.pk, days[0] + timedelta(days=1), 2): ACES})
    at_once: list[int] = []
    monkeypatch.setattr(merging, "_opened", _noting(merging._opened, at_once))
    assert merging.merge_before(boxed.month_of_day(date(2026, 11, 1))) == (12, 4, 0)
    assert at_once == [6, 6], "two users, all their days"
    for user in people:
        found = rows.own_days(user).days
        assert [(day, own.hands) for day, _, own in found] == [(days[0], 3), (days[2], 2)]


def _noting(
    opened: Callable[[list[DealtDay]], Any], counts: list[int]
) -> Callable[[list[DealtDay]], Any]:
    """Note how many rows a call opens."""

    def noted(some: list[DealtDay]) -> Any:
        counts.append(len(some))
        return opened(some)

    return noted


def test_figures_that_a_worker_adds_while_months_are_burnt_are_kept(
    room: Redis, month_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, first = person("Ann"), date(2026, 9, 1)
    days = [first + timedelta(days=n) for n in range(merging.HANDS_MIN)]
    counting.write({DealtKey(ann.pk, day, 2): ACES for day in days})
    at_ms = round(datetime(2027, 1, 20, tzinfo=UTC).timestamp() * 1_000)
    monkeypatch.setattr(clock, "now_ms", lambda: at_ms)
    with ThreadPoolExecutor(1) as threads:
        with transaction.atomic():
            assert is_elected()
            burning = threads.submit(_alone, lambda: _burn("--yes"))
            while not burning.done() and not _one_waits():
                time.sleep(0.01)
            counting.write({DealtKey(ann.pk, days[3], 2): ACES, DealtKey(ann.pk, first, 2): ACES})
        burning.result()
    [(day, _, own)] = rows.own_days(ann).days
    assert (day, own.hands) == (first, len(days) + 2)
    counting.write({DealtKey(ann.pk, first, 2): ACES})
    assert [own.hands for _, _, own in rows.own_days(ann).days] == [len(days) + 3], "a late count"


def test_nobody_counts_while_months_are_burnt(room: Redis) -> None:
    play_folded(room)
    with ThreadPoolExecutor(1) as threads:
        with nobody_counts():
            assert threads.submit(_alone, count_waiting).result() == 0
        assert threads.submit(_alone, count_waiting).result() > 0


def _alone(call: Callable[[], Any]) -> Any:
    """Run a call on a database connection of its thread."""
    try:
        return call()
    finally:
        connection.close()


def _one_waits() -> bool:
    """Return whether a process waits for an advisory lock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted)"
        )
        return bool(cursor.fetchone()[0])


def _rows() -> list[DealtDay]:
    return list(DealtDay.objects.order_by("day", "user_id", "cards"))


def _burn(*yes: str) -> str:
    out = StringIO()
    call_command("burn_records", "--older", "30", *yes, stdout=out)
    return out.getvalue()
