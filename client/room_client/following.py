"""Streams that a player follows on one socket: the own notices and tables, resumed after a cut."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from room_client.messages.commands import Subscribe, Unsubscribe
from room_client.messages.streams import ClientMessage
from room_client.steps import FollowedTable

Table = TypeVar("Table", bound=FollowedTable)


class Following(Generic[Table]):
    """Tables and notices of a player; those beyond what a socket may follow wait for a place."""

    def __init__(self, table: Callable[[str, int], Table], user: int) -> None:
        self.user = user
        self.last_notice: str | None = None
        self.tables: dict[str, Table] = {}
        self._table = table
        self.hears_notices = False

    def follow(self, table: int) -> list[ClientMessage]:
        """Start to follow a table, unless it is followed already."""
        stream = f"table:{table}"
        if stream in self.tables:
            return []
        self.tables[stream] = self._table(stream, self.user)
        return [Subscribe(stream)]

    def leave(self, stream: str) -> list[ClientMessage]:
        """Stop following a table, and begin with one that waits for a place."""
        if self.tables.pop(stream, None) is None:
            return []
        waiting = next((table for table in self.tables.values() if table.waits), None)
        return [Unsubscribe(stream), *([] if waiting is None else [_asked(waiting)])]

    def resumed(self) -> list[ClientMessage]:
        """Return the subscriptions of a new socket, each from the last event seen."""
        self.hears_notices = False
        return [self._own_notices(), *map(_asked, self.tables.values())]

    def put_off(self, stream: str) -> bool:
        """Let a table wait until another one is left; return False for one that is not followed."""
        if stream not in self.tables:
            return False
        self.tables[stream].waits = True
        return True

    def unanswered(self) -> list[ClientMessage]:
        """Return the subscriptions that the room has not answered: it may not have read them."""
        asked = [one for one in self.tables.values() if not (one.waits or one.is_answered)]
        notices = [] if self.hears_notices or not self.user else [self._own_notices()]
        return [*notices, *map(_asked, asked)]

    def _own_notices(self) -> Subscribe:
        return Subscribe(f"user:{self.user}", after=self.last_notice)


def _asked(table: FollowedTable) -> Subscribe:
    table.waits = table.is_answered = False
    return Subscribe(table.stream, after=table.last)
