"""Decode messages of the server, as far as a bot needs them."""

from __future__ import annotations

from typing import Any

import msgspec

from tables.wire.client_commands import ClientMessage
from tables.wire.client_events import (
    Bye,
    Disconnected,
    Pong,
    Refused,
    Result,
    ServerMessage,
    TableSnapshot,
    TakenOver,
    Welcome,
)
from tables.wire.table_events import TableEvent


class ReceivedSnapshot(ServerMessage, frozen=True, tag="snapshot"):
    """State of a stream at one event id."""

    stream: str
    id: str
    state: msgspec.Raw


class ReceivedEvents(ServerMessage, frozen=True, tag="events"):
    """Events after the last event of a stream."""

    stream: str
    events: list[msgspec.Raw]


class _Line(msgspec.Struct):
    id: str


Received = (
    Welcome
    | ReceivedSnapshot
    | ReceivedEvents
    | Result
    | Refused
    | Pong
    | TakenOver
    | Disconnected
    | Bye
)

decode = msgspec.json.Decoder(Received).decode
"""Decode a server message."""

table_snapshot = msgspec.json.Decoder(TableSnapshot).decode
"""Decode the state of a `table:` stream."""

table_event = msgspec.json.Decoder(TableEvent).decode
"""Decode one event of a `table:` stream."""

_line = msgspec.json.Decoder(_Line).decode
_facts = msgspec.json.Decoder(dict[str, Any]).decode
_encode = msgspec.json.Encoder().encode


def event_id(raw: bytes | msgspec.Raw) -> str:
    """Return the id `epoch-seq` of an event."""
    return _line(raw).id


def facts(raw: bytes | msgspec.Raw) -> dict[str, Any]:
    """Decode a state or event of the streams whose structs belong to tournaments."""
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
