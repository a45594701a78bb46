"""Boxes of finished hands: changed, moved, or closed with another key they open nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.dealer.seen_record import SeenRecord
from tables.dealer.versions import marked
from tables.records import month_keys, parts, stored
from tables.records.month_keys import BurntMonth, MonthKeys, NoMonthKey, own_keys, record_keys
from tables.records.stored import DamagedRecord
from tests.tables.records.hands import sealed_record


@pytest.fixture
def kept() -> HandRecord:
    """A finished hand of which each player knows cards that not all were shown."""
    random = Random(5)
    while True:
        found = sealed_record(random, "holdem", "no_limit")
        own = parts.split(found).own
        if len(own) > 2 and all(seat.seat in own for seat in found.seats):
            return found


def _fields(raw: bytes) -> list[object]:
    found: list[object] = msgspec.msgpack.decode(raw[1:])
    return found


def _again(fields: list[object]) -> bytes:
    return marked(stored.VERSION, msgspec.msgpack.encode(fields))


def _other(path: Path, keys: MonthKeys, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold the keys of another room."""
    other = path / "other"
    month_keys.make(other, keys.first)
    keys.load_file(other)


@pytest.fixture(autouse=True)
def _keys_are_put_back() -> Iterator[None]:
    yield
    record_keys.load_file()
    own_keys.load_file()


def test_each_changed_byte_of_the_box_and_of_what_is_open_is_noticed(kept: HandRecord) -> None:
    raw = stored.encode(kept)
    user = kept.seats[0].user
    box, opened = 2, 5
    for place in (box, opened):
        fields = _fields(raw)
        good = fields[place]
        assert isinstance(good, bytes)
        for at in range(0, len(good), max(1, len(good) // 20)):
            fields[place] = good[:at] + bytes((good[at] ^ 1,)) + good[at + 1 :]
            with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
                stored.decode(_again(fields))
            if place == opened:
                with pytest.raises((msgspec.DecodeError, UnicodeDecodeError)):
                    stored.decode_seen(_again(fields), user)


def test_boxes_of_another_hand_or_seat_are_refused(kept: HandRecord) -> None:
    mine, other = _fields(stored.encode(kept)), _fields(stored.encode(replace(kept, hand=2)))
    with pytest.raises(DamagedRecord):
        stored.decode(_again([*mine[:2], other[2], *mine[3:]]))
    own = mine[4]
    assert isinstance(own, list) and len(own) > 1
    (seat, _), (_, box) = own[0], own[1]
    user = next(one.user for one in kept.seats if one.seat == seat)
    with pytest.raises(DamagedRecord):
        stored.decode_seen(_again([*mine[:4], [[seat, box]], mine[5]]), user)


def test_a_wrong_key_and_one_of_another_month_open_nothing(
    kept: HandRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw, user = stored.encode(kept), kept.seats[0].user
    fields = _fields(raw)
    month = fields[0]
    assert isinstance(month, int)
    for names in ([month + 1, fields[1]], [month, b"name"]):
        with pytest.raises(DamagedRecord, match="name of the key"):
            stored.decode(_again([*names, *fields[2:]]))
    next_name = record_keys.of(month + 1)[0]
    with pytest.raises(DamagedRecord):
        stored.decode(_again([month + 1, next_name, *fields[2:]]))
    _other(tmp_path, record_keys, monkeypatch)
    with pytest.raises(NoMonthKey, match="put the right file at"):
        stored.decode(raw)
    seen = stored.decode_seen(raw, user)
    assert isinstance(seen, SeenRecord) and seen.known and not seen.unread
    own_keys.drop()
    seen = stored.decode_seen(raw, user)
    assert isinstance(seen, SeenRecord) and not seen.known and seen.unread == "no_key"


def test_a_process_without_keys_writes_nothing(kept: HandRecord) -> None:
    for keys in (record_keys, own_keys):
        keys.drop()
        with pytest.raises(NoMonthKey, match="holds no"):
            stored.encode(kept)
        keys.load_file()


def test_a_burnt_month_leaves_what_all_saw(kept: HandRecord, tmp_path: Path) -> None:
    raw, user = stored.encode(kept), kept.seats[0].user
    for keys in (record_keys, own_keys):
        path = tmp_path / keys.variable
        path.write_text(keys.path().read_text())
        month_keys.burn(path, keys.name, keys.first + 1)
        keys.load_file(path)
    with pytest.raises(BurntMonth):
        stored.decode(raw)
    seen = stored.decode_seen(raw, user)
    assert isinstance(seen, SeenRecord) and seen.unread == "burnt"
    assert seen.events() == stored.decode_open(raw).events()


def test_records_of_the_release_before_are_read_as_they_are(kept: HandRecord) -> None:
    plain = record.encode(kept)
    for read in (stored.decode, stored.decode_open, lambda raw: stored.decode_seen(raw, 1)):
        assert read(plain) == kept
    assert stored.open_bytes(plain) == plain and stored.key_names(plain) is None


def test_a_record_of_a_newer_release_is_refused(kept: HandRecord) -> None:
    raw = stored.encode(kept)
    with pytest.raises(msgspec.DecodeError, match="version 2"):
        stored.decode(bytes((2,)) + raw[1:])
