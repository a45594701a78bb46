"""Decode messages of the room, and encode those to it."""

from __future__ import annotations

from typing import Any

import msgspec

from room_client.messages.frames import TableSnapshot
from room_client.messages.streams import ClientMessage, ServerMessage, TableEvent

decode = msgspec.json.Decoder(ServerMessage).decode
"""Decode a message of the room; raises msgspec.ValidationError for one of a later protocol."""

table_event = msgspec.json.Decoder(TableEvent).decode
"""Decode one event of a `table:` stream; raises msgspec.ValidationError for an unknown one."""

Raw = bytes | msgspec.Raw

_table_snapshot = msgspec.json.Decoder(TableSnapshot).decode


class _Head(msgspec.Struct):
    id: str


_head = msgspec.json.Decoder(_Head).decode
_facts = msgspec.json.Decoder(dict[str, Any]).decode
_encode = msgspec.json.Encoder().encode


def table_snapshot(raw: Raw, *, strict: bool = True) -> TableSnapshot:
    """Decode the state of a `table:` stream; its log without unknown events unless `strict`."""
    try:
        return _table_snapshot(raw)
    except msgspec.ValidationError:
        if strict:
            raise
    state = _facts(raw)
    state["log"] = [event for event in state.get("log", ()) if _is_known(event)]
    return msgspec.convert(state, TableSnapshot)


def _is_known(event: object) -> bool:
    try:
        msgspec.convert(event, TableEvent)
    except msgspec.ValidationError:
        return False
    return True


def event_id(raw: Raw) -> str:
    """Return the id `epoch-number` of an event."""
    return _head(raw).id


def facts(raw: Raw) -> dict[str, Any]:
    """Decode a state or event of any stream as a plain object."""
    return _facts(raw)


def encode(message: ClientMessage) -> str:
    """Encode a client message as JSON text."""
    return _encode(message).decode()


def follows(before: str | None, after: str) -> bool:
    """Return whether no event is missing between two ids; a new epoch starts with a snapshot."""
    if before is None:
        return False
    old_epoch, old_seq = before.split("-")
    epoch, seq = after.split("-")
    return epoch == old_epoch and int(seq) == int(old_seq) + 1
