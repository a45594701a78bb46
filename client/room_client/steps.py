"""Steps of a player after a message: what to send, and which turns to answer."""

from __future__ import annotations

import msgspec

from room_client.messages.frames import TableSnapshot
from room_client.messages.streams import ClientMessage

UNHEARD = frozenset({"unavailable", "no_answer", "slow_down"})
"""Codes of refusals after which a command may be sent again."""

UNREAD = "slow_down"
"""Code of the refusal of a message that was not read, whichever it was."""

FULL = "too_many_streams"
"""Code of the refusal of a stream beyond those that a socket may follow."""

AGAIN_S = 0.5
"""Least pause before that, so that a room which takes no commands now is not asked in a loop."""

TurnId = tuple[int, int, int]
"""Epoch, hand and turn."""


class DueTurn(msgspec.Struct, frozen=True):
    """A turn to answer `after_s` seconds from now."""

    after_s: float
    table: int
    epoch: int
    hand: int
    turn: int


class Steps(msgspec.Struct):
    """Consequences of a message: messages to send now, and turns to answer later."""

    send: list[ClientMessage] = []
    turns: list[DueTurn] = []


class FollowedTable:
    """A table that a player follows: its picture, the last event read, and what was answered.

    `came_back` once the room was told that the absent player is back, `is_answered` once it sent
    something. The table `waits` while the socket may follow no more streams. The turn `again` is
    answered once more, at `again_s` on this machine's clock.
    """

    def __init__(self, stream: str, user: int) -> None:
        self.stream = stream
        self.last: str | None = None
        self.seen: TableSnapshot | None = None
        self.asked: TurnId | None = None
        self.came_back = False
        self.is_answered = False
        self.waits = False
        self.again: TurnId | None = None
        self.again_s = 0.0
