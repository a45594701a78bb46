"""Decodes what the server sends, as far as a bot needs it."""

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
    """A stream as it is at one event id."""

    stream: str
    id: str
    state: msgspec.Raw


class ReceivedEvents(ServerMessage, frozen=True, tag="events"):
    """What came after the last event of a stream."""

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
"""A server message."""

table_snapshot = msgspec.json.Decoder(TableSnapshot).decode
"""The state of a `table:` stream."""

table_event = msgspec.json.Decoder(TableEvent).decode
"""One event of a `table:` stream."""

_line = msgspec.json.Decoder(_Line).decode
_facts = msgspec.json.Decoder(dict[str, Any]).decode
_encode = msgspec.json.Encoder().encode


def event_id(raw: bytes | msgspec.Raw) -> str:
    """The id `epoch-seq` of an event."""
    return _line(raw).id


def facts(raw: bytes | msgspec.Raw) -> dict[str, Any]:
    """A state or event of the streams whose shapes tournaments decide."""
    return _facts(raw)


def encode(message: ClientMessage) -> str:
    """A client message as JSON text."""
    return _encode(message).decode()


def follows(before: str | None, after: str) -> bool:
    """Whether no event is missing between two ids; a new epoch must begin with a snapshot."""
    if before is None:
        return False
    old_epoch, old_seq = before.split("-")
    epoch, seq = after.split("-")
    return epoch == old_epoch and int(seq) == int(old_seq) + 1
