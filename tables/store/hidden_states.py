"""Stored form of table states: what may be read, and a box with the cards, under the deck key."""

from __future__ import annotations

from zlib import crc32

import msgspec

from config import entropy
from tables.dealer import state as states
from tables.dealer.hiding import HiddenPart, has_secrets, hide, reveal
from tables.dealer.state import TableState
from tables.dealer.versions import marked, unmarked
from tables.fairness import boxes
from tables.fairness.encoding import u32, u64
from tables.store import deck_keys

VERSION = states.VERSION + 1
"""Version of states with a hidden part; those of the releases before are read as they are."""

_SUM_SIZE = 4
_ID_SIZE = 8
_TABLE_SIZE = 16
"""Bytes of a place that name a table and its epoch; those of the hand follow."""


class _BoxedState(msgspec.Struct, frozen=True, array_like=True):
    """Open state of a table, encoded, with its box; `key` names the key of the box.

    Both are empty where there is nothing to hide. `place` is that of the box where it was carried
    on from an earlier epoch.
    """

    key: bytes
    box: bytes
    open: bytes
    place: bytes = b""


class CarriedBox(msgspec.Struct, frozen=True):
    """Box of a state that this process cannot open, to be stored with a later open state.

    Bound to the `place` it was closed for; `key` names its key.
    """

    key: bytes
    box: bytes
    place: bytes


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(_BoxedState).decode
_decode_hidden = msgspec.msgpack.Decoder(HiddenPart).decode


def encode(state: TableState, carried: CarriedBox | None = None) -> bytes:
    """Return the stored form of a state; an open one keeps the box that is `carried`.

    Raises NoDeckKey in a process without the deck key, unless there is nothing to hide.
    """
    if carried is not None:
        place = b"" if carried.place == _place(state) else carried.place
        return _stored(_BoxedState(carried.key, carried.box, states.encode(state), place))
    seen, hidden = hide(state)
    name = box = b""
    if hidden is not None:
        name, key = deck_keys.held.newest()
        place = _place(seen)
        table_key = deck_keys.of_table(key, place[:_TABLE_SIZE])
        box = boxes.close_box(table_key, entropy.nonce(), _encode(hidden), place)
    return _stored(_BoxedState(name, box, states.encode(seen)))


def decode(raw: bytes) -> TableState:
    """Return the whole state in a stored form.

    Raises NoDeckKey without its key, and msgspec.DecodeError for a damaged form.
    """
    seen, carried = decode_carried(raw)
    if carried is None:
        return seen
    key = deck_keys.of_table(deck_keys.held.named(carried.key), carried.place[:_TABLE_SIZE])
    try:
        hidden = _decode_hidden(boxes.open_box(key, carried.box, carried.place))
    except boxes.DamagedBox as error:
        raise msgspec.DecodeError(str(error)) from error
    return reveal(seen, hidden)


def decode_open(raw: bytes) -> TableState:
    """Return the open state in a stored form, in every process; raises msgspec.DecodeError."""
    return decode_carried(raw)[0]


def decode_carried(raw: bytes) -> tuple[TableState, CarriedBox | None]:
    """Return the open state in a stored form, and its box; None where it has none.

    Raises msgspec.DecodeError, also for cards or secrets outside a box, which nobody but a forger
    and a release before deck keys writes.
    """
    stored = _boxed(raw) if _is_boxed(raw) else _BoxedState(b"", b"", raw)
    seen = states.decode(stored.open)
    if not stored.box:
        if has_secrets(seen):
            raise msgspec.DecodeError("cards or secrets outside a box")
        return seen, None
    place = stored.place or _place(seen)
    if place[:_ID_SIZE] != u64(seen.table):
        raise msgspec.DecodeError("the box of another table")
    return seen, CarriedBox(stored.key, stored.box, place)


def _stored(boxed: _BoxedState) -> bytes:
    raw = _encode(boxed)
    return marked(VERSION, u32(crc32(raw)) + raw)


def _is_boxed(raw: bytes) -> bool:
    """Return whether this release wrote the state; releases before hid nothing."""
    return raw[:1] == bytes((VERSION,))


def _boxed(raw: bytes) -> _BoxedState:
    rest = unmarked(raw, VERSION)
    body = rest[_SUM_SIZE:]
    # Without this sum a damaged name of a key would pass for a key that is missing here.
    if u32(crc32(body)) != rest[:_SUM_SIZE]:
        raise msgspec.DecodeError("the state was changed")
    return _decode(body)


def _place(state: TableState) -> bytes:
    return u64(state.table) + u64(state.epoch) + u32(state.hand_number)
