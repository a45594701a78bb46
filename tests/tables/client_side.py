"""Tables as the client package sees them: what the room tells, read and folded by a client."""

from __future__ import annotations

from typing import Any

import msgspec

from room_client import view, wire
from room_client.messages.frames import TableSnapshot
from tables.dealer.state import TableState
from tables.wire.client_commands import ClientMessage
from tables.wire.table_events import TableEvent
from tests.tables import whole_state as room

_json = msgspec.json.encode
_client_message = msgspec.json.Decoder(ClientMessage).decode


def snapshot(state: TableState, user: int | None) -> TableSnapshot:
    """Snapshot of a table for a user, as a client reads it."""
    return read(room.snapshot(state, user))


def read(told: msgspec.Struct) -> TableSnapshot:
    """A snapshot of the room as a client reads it."""
    return wire.table_snapshot(_json(told))


def fold(event: TableEvent, seen: TableSnapshot) -> TableSnapshot:
    """A client's picture after an event of the room; `seen` is the one before it."""
    return view.fold(heard(event), seen)


def heard(event: msgspec.Struct) -> Any:
    """An event of the room as a client reads it."""
    return wire.table_event(_json(event))


def command(message: msgspec.Struct) -> Any:
    """A client's message as the room decodes it."""
    return _client_message(_json(message))
