"""Bot with a browser: it goes to pages of the room, which follow more streams than its tables."""

from __future__ import annotations

from typing import Any

from room_client import view
from room_client.messages.commands import ChooseShowdown, Subscribe
from room_client.messages.frames import Events, Snapshot, TableSnapshot, TakenOver, Welcome
from room_client.messages.hands import HandEnded
from room_client.messages.streams import ClientMessage, TableEvent
from tables.bots import habits as ways
from tables.bots.bot import Bot, Todo
from tables.bots.window import Window


class BrowsingBot(Bot):
    """Bot that plays in the window of a browser, where all of its tables are followed.

    A person opens a window for each table; here the page is that of the table it went to last.
    Tables of a rapid pool change without a page, which costs them less than in a browser.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.window = Window(self.chance)
        self._now_s = 0.0
        self._going: set[int] = set()
        self._chosen: set[str] = set()
        self._commands: list[ClientMessage] = []

    @property
    def is_asked(self) -> bool:
        """Return whether the bot is asked to act at one of its tables."""
        return any(self._is_asked_at(followed.seen) for followed in self.tables.values())

    def received(self, raw: str | bytes, now_s: float) -> Todo:
        """Take in one server message; `now_s` is this machine's clock."""
        self._now_s = now_s
        return super().received(raw, now_s)

    def page_turned(self) -> None:
        """Forget what the page before knew: the one that came asks for everything anew."""
        self.last_notice = None
        streams = [*self.tables, *[f"table:{table}" for table in sorted(self._going)]]
        self.tables = {stream: self._table(stream, self.user) for stream in streams}
        self._going.clear()
        self._chosen.clear()

    def take_commands(self) -> list[ClientMessage]:
        """Return the commands that the page sends by itself, since the last call."""
        taken, self._commands = self._commands, []
        return [*taken, *self.window.take_questions()]

    def follow(self, table: int) -> list[ClientMessage]:
        """Go to the page of a table; the page before only watches it until that has come."""
        if self.ring_seat is not None and self.ring_seat.game.rapid:
            return super().follow(table)
        stream = f"table:{table}"
        if stream in self.tables or table in self._going:
            return []
        self._going.add(table)
        self.window.turn_to(f"/tables/{table}/")
        return [Subscribe(stream, watch=True)]

    def welcomed(self, message: Welcome, todo: Todo, now_s: float) -> None:
        """Follow the player's tables as pages do, and the other streams of the page."""
        super().welcomed(message, todo, now_s)
        if message.user is None:
            return
        todo.send = [self._as_page(wish) for wish in todo.send]
        followed = {wish.stream for wish in todo.send if isinstance(wish, Subscribe)}
        todo.send += [wish for wish in self.window.welcomed() if wish.stream not in followed]

    def noticed(self, facts: dict[str, Any], todo: Todo, *, fresh: bool) -> None:
        """React to a notice, which the page shows."""
        super().noticed(facts, todo, fresh=fresh)
        if fresh:
            self.window.noticed(str(facts.get("type", "")))

    def told(self, message: object) -> None:
        """Note a table that another connection has taken."""
        super().told(message)
        if isinstance(message, TakenOver):
            self.window.lost(message.stream)

    def elsewhere(self, message: Snapshot | Events, todo: Todo) -> None:
        """Take in a message of another stream of the page."""
        self.window.took(message, self._now_s)

    def shown(self, followed: Any, at: str, seen: TableSnapshot) -> None:
        """Take in a picture, which the page shows."""
        super().shown(followed, at, seen)
        own = view.seat_of(seen, self.user)
        self.window.shown(seen, own, self._now_s)
        if own is not None and followed.stream not in self._chosen:
            # The choice is kept in the browser: a seat that is taken anew does not know it.
            self._chosen.add(followed.stream)
            self._commands.append(ChooseShowdown(self.fresh_id(), seen.table, "auto"))

    def happened(self, event: TableEvent, seen: TableSnapshot, own: int | None, todo: Todo) -> None:
        """React to an event, which the page shows; load the page anew after some hands."""
        super().happened(event, seen, own, todo)
        self.window.happened(event, seen, view.seat_of(seen, self.user), self._now_s)
        if isinstance(event, HandEnded) and ways.happens(self.habits.reloads, self.chance):
            self.window.turn_to(self.window.page)

    def _as_page(self, wish: ClientMessage) -> ClientMessage:
        if isinstance(wish, Subscribe) and wish.stream.startswith("table:"):
            return self.window.subscribed(wish)
        return wish

    def _is_asked_at(self, seen: TableSnapshot | None) -> bool:
        if seen is None or seen.turn is None:
            return False
        own = view.seat_of(seen, self.user)
        return own is not None and own.seat == seen.turn.seat
