"""One player without a socket: messages in, messages out, turns to answer in between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from room_client import notices, view, wire
from room_client.cutter import CUT_EVENTS, Cutter
from room_client.following import Following, Table
from room_client.messages.commands import Act, ComeBack
from room_client.messages.frames import (
    Events,
    Refused,
    SeatSnapshot,
    Snapshot,
    TableSnapshot,
    Welcome,
)
from room_client.messages.streams import TableEvent
from room_client.messages.tables import SatOut, SeatLeft, TableClosed
from room_client.steps import AGAIN_S, FULL, UNHEARD, UNREAD, DueTurn, Steps, TurnId

Made = TypeVar("Made", bound=Steps)


class Player(Following[Table], Generic[Made, Table]):
    """Player that follows its own notices and tables, and resumes each from the last event seen.

    `ids` begins the ids of all commands: no other process of this user uses that prefix. `fresh`
    makes a seed of 32 bytes for cuts.
    """

    strict = False
    """Raise on events and messages that this package does not know, instead of ignoring them."""

    def __init__(
        self,
        steps: Callable[[], Made],
        table: Callable[[str, int], Table],
        *,
        user: int = 0,
        ids: str,
        fresh: Callable[[], bytes],
    ) -> None:
        super().__init__(table, user)
        self.offset_ms = 0.0
        self.cutter = Cutter(fresh)
        self._steps = steps
        self._ids = ids
        self._sent = 0

    def received(self, raw: str | bytes, now_s: float) -> Made:
        """Take in one server message; `now_s` is this machine's clock."""
        todo = self._steps()
        try:
            message = wire.decode(raw)
        except msgspec.ValidationError:
            if self.strict:
                raise
            return todo
        match message:
            case Welcome():
                self.welcomed(message, todo, now_s)
            case Snapshot(stream=stream) if stream.startswith("table:"):
                self._snapshot(message, todo, now_s)
            case Events(stream=stream) if stream.startswith("table:"):
                self._events(message, todo, now_s)
            case Snapshot(stream=stream) | Events(stream=stream) if stream == f"user:{self.user}":
                self._notices(message, todo)
            case Snapshot() | Events():
                self.elsewhere(message, todo)
            case Refused():
                self.told(message)
                self._refused(message, todo, now_s)
            case _:
                self.told(message)
        return todo

    def act(self, due: DueTurn, action: Any, amount: int | None = None) -> Act | None:
        """Return the command that answers a turn, or None when the turn is over already."""
        seen = self.view_of(due)
        if seen is None:
            return None
        return Act(
            id=self.fresh_id(),
            table=due.table,
            epoch=due.epoch,
            hand=due.hand,
            turn=due.turn,
            action=action,
            amount=amount,
        )

    def view_of(self, due: DueTurn) -> TableSnapshot | None:
        """Return the picture of the table while this turn is open, else None."""
        followed = self.tables.get(f"table:{due.table}")
        seen = followed.seen if followed else None
        if seen is None or seen.turn is None:
            return None
        seat = view.seat_of(seen, self.user)
        open_turn = (seen.epoch, seen.hand, seen.turn.turn)
        own = seat is not None and seat.seat == seen.turn.seat
        return seen if own and open_turn == (due.epoch, due.hand, due.turn) else None

    def fresh_id(self) -> str:
        """Return an id for a command."""
        self._sent += 1
        return f"{self._ids}-{self._sent}"

    # ---- what subclasses add ----

    def told(self, message: Any) -> None:
        """Take in a message that is about no stream."""

    def elsewhere(self, message: Snapshot | Events, todo: Made) -> None:
        """Take in a message of a stream that is neither a table nor the player's own."""

    def shown(self, followed: Table, at: str, seen: TableSnapshot) -> None:
        """Take in a fresh snapshot of a table."""

    def heard(
        self,
        followed: Table,
        at: str,
        event: TableEvent,
        own: SeatSnapshot | None,
        now_s: float,
    ) -> None:
        """Take in an event before the picture has it."""

    def caught_up(self, followed: Table, own: SeatSnapshot | None) -> None:
        """Take in that all events of a message are in the picture."""

    def happened(self, event: TableEvent, seen: TableSnapshot, own: int | None, todo: Made) -> None:
        """React to an event that the picture has now; `own` is the seat before it."""

    def noticed(self, facts: dict[str, Any], todo: Made, *, fresh: bool) -> None:
        """React to a notice, or to the snapshot of all notices, which is not `fresh`."""

    def wait_s(self, left_s: float) -> float:
        """Return the seconds to wait before a turn is answered that ends in `left_s`."""
        return 0.0

    def stays_at(self, table: int) -> bool:
        """Return whether the player follows a table on after its seat there was left."""
        return False

    def has_lost(self, seen: TableSnapshot, before: TableSnapshot | None) -> bool:
        """Return whether a table without an own seat is left; `before` is the picture before."""
        return False

    # ---- messages ----

    def welcomed(self, message: Welcome, todo: Made, now_s: float) -> None:
        """Resume every followed stream from the last event seen."""
        self.offset_ms = message.now_ms - now_s * 1_000
        if message.user is None:
            return
        self.user = message.user
        self.cutter.enter(message.room)
        for followed in self.tables.values():
            # A command sent before the connection broke may be lost: a turn that is still open when
            # the stream has caught up is answered again, and an absent seat comes back again.
            followed.asked = followed.again = None
            followed.came_back = False
        todo.send += self.resumed()

    def _refused(self, message: Refused, todo: Made, now_s: float) -> None:
        stream = message.stream or ""
        if not (message.code == FULL and self.put_off(stream)):
            todo.send += self.leave(stream)  # the room shows this table no longer
        if message.code == UNREAD:
            todo.send += self.unanswered()
        if message.code in UNHEARD:
            self._again(todo, now_s)

    def _snapshot(self, message: Snapshot, todo: Made, now_s: float) -> None:
        followed = self.tables.get(message.stream)
        if followed is None:
            return
        followed.is_answered = True
        before, seen = followed.seen, wire.table_snapshot(message.state, strict=self.strict)
        followed.seen, followed.last = seen, message.id
        self.shown(followed, message.id, seen)
        followed.came_back = False
        self._come_back(followed, todo)
        own = view.seat_of(seen, self.user)
        if own is not None:
            todo.send += self.cutter.shown(seen, own)
        if seen.closed or (own is None and self.has_lost(seen, before)):
            todo.send += self.leave(message.stream)
        self._after(followed, todo, now_s)

    def _events(self, message: Events, todo: Made, now_s: float) -> None:
        followed = self.tables.get(message.stream)
        if followed is None or followed.seen is None:
            return
        followed.is_answered = True
        for raw in message.events:
            self._event(followed, raw, todo, now_s)
        self.caught_up(followed, view.seat_of(followed.seen, self.user))
        if message.stream in self.tables:
            self._come_back(followed, todo)
            self._after(followed, todo, now_s)

    def _event(self, followed: Table, raw: msgspec.Raw, todo: Made, now_s: float) -> None:
        assert followed.seen is not None
        at = wire.event_id(raw)
        try:
            event = wire.table_event(raw)
        except msgspec.ValidationError:
            if self.strict:
                raise
            followed.last = at
            return
        own = view.seat_of(followed.seen, self.user)
        self.heard(followed, at, event, own, now_s)
        followed.last = at
        seen = followed.seen = view.fold(event, followed.seen)
        own_seat = None if own is None else own.seat
        self._go_along(event, followed.stream, seen.table, own_seat, todo)
        if isinstance(event, SatOut) and event.seat == own_seat:
            followed.came_back = False
        if isinstance(event, CUT_EVENTS):
            todo.send += self.cutter.heard(event, seen, self.user)
        self.happened(event, seen, own_seat, todo)

    def _go_along(
        self, event: TableEvent, stream: str, table: int, own_seat: int | None, todo: Made
    ) -> None:
        match event:
            case SeatLeft() if event.seat == own_seat and self.stays_at(table):
                pass
            case SeatLeft() if event.seat == own_seat:
                todo.send += self.leave(stream)
                if event.to_table is not None:
                    todo.send += self.follow(event.to_table)
            case TableClosed():
                todo.send += self.leave(stream)
            case _:
                pass

    def _again(self, todo: Made, now_s: float) -> None:
        """Answer every open turn once more after a command did not get through.

        An absent seat comes back with the next message of its table. A turn is answered again
        once, however many commands did not get through meanwhile.
        """
        for followed in self.tables.values():
            followed.came_back = False
            turn = self._own_turn(followed)
            if turn is not None and (followed.again != turn or now_s >= followed.again_s):
                followed.asked, followed.again, followed.again_s = None, turn, now_s + AGAIN_S
                self._after(followed, todo, now_s, AGAIN_S)

    def _own_turn(self, followed: Table) -> TurnId | None:
        """Return the turn that a table asks of this player, or None."""
        seen = followed.seen
        own = None if seen is None else view.seat_of(seen, self.user)
        if seen is None or seen.turn is None or own is None or own.seat != seen.turn.seat:
            return None
        return (seen.epoch, seen.hand, seen.turn.turn)

    def _come_back(self, followed: Table, todo: Made) -> None:
        """Come back to an absent seat, unless the room was told so already."""
        own = None if followed.seen is None else view.seat_of(followed.seen, self.user)
        if followed.seen is not None and own is not None and own.absent and not followed.came_back:
            followed.came_back = True
            todo.send.append(ComeBack(id=self.fresh_id(), table=followed.seen.table))

    def _after(self, followed: Table, todo: Made, now_s: float, least_s: float = 0.0) -> None:
        """Plan the answer when it is this player's turn and no answer is planned yet."""
        seen, key = followed.seen, self._own_turn(followed)
        if seen is None or seen.turn is None or key is None or followed.asked == key:
            return
        followed.asked = key
        left_s = (seen.turn.deadline_ms - self.offset_ms) / 1_000 - now_s
        wait_s = max(least_s, self.wait_s(left_s))
        todo.turns.append(DueTurn(wait_s, seen.table, *key))

    def _notices(self, message: Snapshot | Events, todo: Made) -> None:
        self.hears_notices = True
        if isinstance(message, Snapshot):
            self.last_notice = message.id
            self._notice(wire.facts(message.state), todo, fresh=False)
            return
        for raw in message.events:
            self.last_notice = wire.event_id(raw)
            self._notice(wire.facts(raw), todo, fresh=True)

    def _notice(self, facts: dict[str, Any], todo: Made, *, fresh: bool) -> None:
        self.noticed(facts, todo, fresh=fresh)
        for table in notices.tables_in(facts):
            todo.send += self.follow(table)
