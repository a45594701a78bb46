"""Notices on users' own streams, sent by whoever owns the outbox of the room."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from tables.engine.events import Event

Sender = Callable[[Mapping[str, Sequence[bytes]]], None]
"""Takes encoded events by stream, as the last statement of the transaction of their fact."""

_json = msgspec.json.Encoder().encode
_senders: list[Sender] = []


def register(sender: Sender) -> None:
    """Set the outbox that stores events with their fact and publishes them after the commit."""
    assert not _senders, "the room has one outbox"
    _senders.append(sender)


def send(notices: Mapping[int, Sequence[Event]]) -> None:
    """Send events to users, by user, as the last statement of a transaction."""
    [sender] = _senders
    told = {f"user:{user}": [_json(event) for event in events] for user, events in notices.items()}
    if told:
        sender(told)
