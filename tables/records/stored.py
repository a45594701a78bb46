"""Stored form of finished hands: what all saw in plain, the rest in boxes of the hand's month.

A process without keys reads what all saw. Records of the releases before are read as they are, and
archived ones from their file: every function takes the bytes of a row.
"""

from __future__ import annotations

from contextlib import suppress

import msgspec

from config import entropy
from tables.dealer import record
from tables.dealer.record import HandRecord
from tables.dealer.seen_record import SeenRecord
from tables.dealer.versions import UNMARKED, marked, unmarked
from tables.fairness import boxes
from tables.fairness.boxes import BoxKey
from tables.fairness.encoding import digest, tag, u8, u32, u64
from tables.records import archive, parts
from tables.records.month_keys import (
    BurntMonth,
    Month,
    NoMonthKey,
    month_of,
    own_keys,
    record_keys,
)
from tables.records.parts import OwnPart, RecordParts, SecretPart

VERSION = 1
"""Version of boxed records; those of the releases before have none."""


class DamagedRecord(msgspec.DecodeError):
    """A record was changed, or its boxes are those of another hand."""


class _StoredRecord(msgspec.Struct, frozen=True, array_like=True):
    """Open part of a record, its box under the record key, and boxes of seats under the own key.

    `key` and `own_key` name the keys of the `month`.
    """

    month: Month
    key: bytes
    box: bytes
    own_key: bytes
    own: tuple[tuple[int, bytes], ...]
    open: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_StoredRecord).decode
_decode_open = msgspec.msgpack.Decoder(SeenRecord).decode
_decode_secret = msgspec.msgpack.Decoder(SecretPart).decode
_decode_own = msgspec.msgpack.Decoder(OwnPart).decode


def encode(kept: HandRecord) -> bytes:
    """Return the stored form of a whole record; raises NoMonthKey in a process without keys."""
    assert not isinstance(kept, SeenRecord), "a record without its secrets"
    return encode_parts(parts.split(kept))


def encode_parts(split: RecordParts) -> bytes:
    """Return the stored form of a record in parts; raises as `encode`."""
    # Hands that ended before the room had such keys are boxed with the oldest.
    month = max(month_of(split.open.ended_ms), record_keys.first, own_keys.first)
    name, key = record_keys.of(month)
    own_name, own_key = own_keys.of(month)
    raw = record.encode(split.open)
    place = _place(split.open, raw)
    own = [
        (seat, boxes.close_box(own_key, entropy.nonce(), _encode(part), place + u8(seat)))
        for seat, part in split.own.items()
    ]
    box = boxes.close_box(key, entropy.nonce(), _encode(split.secret), place)
    return marked(VERSION, _encode(_StoredRecord(month, name, box, own_name, tuple(own), raw)))


def decode(raw: bytes) -> HandRecord:
    """Return the whole record in a stored form.

    Raises NoMonthKey without its key, BurntMonth once it was deleted, msgspec.DecodeError for a
    damaged form.
    """
    raw = archive.fetched(raw)
    if not is_boxed(raw):
        return record.decode(raw)
    stored = _decode(unmarked(raw, VERSION))
    seen = _decode_open(stored.open)
    key = _record_key(stored, seen)
    try:
        secret = boxes.open_box(key, stored.box, _place(seen, stored.open))
    except boxes.DamagedBox as error:
        raise DamagedRecord(str(error)) from error
    return parts.whole(seen, _decode_secret(secret))


def decode_open(raw: bytes) -> HandRecord:
    """Return the record as all saw the hand, in every process; raises msgspec.DecodeError.

    A record of a release before is whole.
    """
    raw = archive.fetched(raw)
    return _decode_open(open_bytes(raw)) if is_boxed(raw) else record.decode(raw)


def open_bytes(raw: bytes) -> bytes:
    """Return the encoded fields of a record that are open, for readers of a few of them."""
    raw = archive.fetched(raw)
    return _decode(unmarked(raw, VERSION)).open if is_boxed(raw) else raw


def decode_seen(raw: bytes, user: int | None) -> HandRecord:
    """Return the record as a user may know the hand (None: the public).

    A record whose own cards are not readable here says why. Raises msgspec.DecodeError.
    """
    raw = archive.fetched(raw)
    if not is_boxed(raw):
        return record.decode(raw)
    stored = _decode(unmarked(raw, VERSION))
    seen = _decode_open(stored.open)
    dealt = {seat.seat for seat in seen.seats if seat.dealt and seat.user == user}
    found = next((one for one in stored.own if one[0] in dealt), None)
    if found is None:
        return seen
    seat, box = found
    try:
        key = own_keys.named(stored.month, stored.own_key)
        own = boxes.open_box(key, box, _place(seen, stored.open) + u8(seat))
    except BurntMonth:
        return parts.seen(seen, None, "burnt")
    except NoMonthKey:
        return parts.seen(seen, None, "no_key")
    except boxes.DamagedBox as error:
        raise DamagedRecord(str(error)) from error
    return parts.seen(seen, _decode_own(own))


def is_boxed(raw: bytes) -> bool:
    """Return whether this release wrote a record, or a later one."""
    return bool(raw) and raw[0] < UNMARKED


def key_names(raw: bytes) -> tuple[Month, bytes, bytes] | None:
    """Return month, record key's and own key's name of a boxed record; None for another one."""
    raw = archive.fetched(raw)
    if not is_boxed(raw):
        return None
    stored = _decode(unmarked(raw, VERSION))
    return stored.month, stored.key, stored.own_key


def _record_key(stored: _StoredRecord, seen: SeenRecord) -> BoxKey:
    """Return the key that a record names; raises NoMonthKey, BurntMonth.

    A name that was changed is no lack of the key, which would stop the count of all hands: the box
    opens with the key of the hand's own month. Raises DamagedRecord then.
    """
    try:
        return record_keys.named(stored.month, stored.key)
    except BurntMonth:
        raise
    except NoMonthKey as unknown:
        _, key = record_keys.of(max(month_of(seen.ended_ms), record_keys.first))
        with suppress(boxes.DamagedBox):
            boxes.open_box(key, stored.box, _place(seen, stored.open))
            raise DamagedRecord("the name of the key was changed") from unknown
        raise


def _place(seen: SeenRecord, raw: bytes) -> bytes:
    """Return what the boxes of a hand are bound to: its name, and all that is open of it."""
    name = u64(seen.table) + u64(seen.epoch) + u32(seen.hand)
    return tag("handrecord") + name + digest(raw)
