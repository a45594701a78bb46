"""One client of the gateway: its messages, the state built from them, and its resume offsets."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import msgspec

from room_client import wire
from room_client.messages.frames import Events, Refused, Snapshot, TableSnapshot
from room_client.messages.hands import CardsShown, HandEnded
from room_client.view import fold, seat_of
from tables.bots.watch import TableWatch
from tables.engine.events import HIDDEN, Card
from tables.gateway.streams.followers import StreamFollower
from tables.gateway.streams.recent import Position, name, position
from tables.gateway.streams.send_queue import SendQueue
from tables.gateway.words import Tongue
from tables.store import keys
from tests.simulation.edge import Edge
from tests.simulation.laws.shown_law import ShownLaw

QUEUE_MAX, SMALL_QUEUE_MAX = 1_000, 25
OLD_EVERY = 7
"""Number of messages between two stored pictures that a viewer may resume from."""


class Viewer:
    """One window on a table, of a user or of an anonymous spectator (None)."""

    def __init__(
        self, edge: Edge, shown: ShownLaw, table: int, user: int | None, number: int
    ) -> None:
        self.edge = edge
        self.table = table
        self.user = user
        self.stream = keys.table(table)
        self.name = f"viewer {number} ({'nobody' if user is None else user}) of table {table}"
        self.seen: TableSnapshot | None = None
        self.at: Position | None = None
        self.fell = False
        self.refused = False
        self.caught_up = False
        self.compared: Position | None = None
        self.owed: tuple[float, Position, int] | None = None
        self._shown = shown
        self._old: tuple[Position, TableSnapshot] | None = None
        self._messages = 0
        self._heard: list[str] = []
        self._reads = asyncio.Event()
        self._reads.set()
        self._follower: StreamFollower | None = None
        self._reader: asyncio.Task[None] | None = None
        self._watch = TableWatch(self.stream, user or 0)
        self._tongue = Tongue({"headers": []}, {}, "en")

    @property
    def follows(self) -> bool:
        """True while the viewer is connected."""
        return self._follower is not None

    @property
    def lags(self) -> bool:
        """True while the viewer is connected and does not read."""
        return not self._reads.is_set()

    @property
    def has_heard(self) -> bool:
        """True while received messages wait to be applied."""
        return bool(self._heard)

    # ---- the connection ----

    def join(self, chance: random.Random, small: bool) -> None:
        """Connect and follow the table, from the last event seen if a state is kept."""
        most = SMALL_QUEUE_MAX if small and chance.random() < 0.5 else QUEUE_MAX
        outbox = SendQueue(most=most, drained=self._start_over)
        self._follower = StreamFollower(
            self.stream,
            self.user,
            outbox,
            self._tongue,
            tab=self.edge.gateway.lines.new_tab(),
            after=self.at,
            watch=self.user is None or chance.random() < 0.3,
        )
        self._reader = self.edge.loop.create_task(self._read(outbox))
        self.edge.gateway.follow(self._follower)

    def choose_place(self, pick: float) -> str:
        """Choose the resume offset: the last one, an older one with its state, or none."""
        if pick < 0.1:
            self.at = self.seen = None
            return "nothing"
        if pick < 0.4 and self._old is not None and not self.fell:
            self.at, self.seen = self._old
            self._watch.resume(name(self.at))
            return "long ago"
        return "where it was"

    def drop(self) -> None:
        """Close the connection and lose every unread message."""
        assert self._follower is not None and self._reader is not None
        self._reader.cancel()
        self.edge.gateway.unfollow(self._follower)
        self._follower = self._reader = None
        self._heard.clear()
        self.owed = None
        self._reads.set()

    def lag(self) -> None:
        """Stop reading for a while."""
        self._reads.clear()
        self.owed = None

    def read_on(self) -> None:
        """Read the waiting messages again."""
        self._reads.set()

    def doubt(self) -> None:
        """Distrust the state after a loss of Redis until the next snapshot; a viewer that lags is
        disconnected.
        """
        self.fell = True
        self.owed = self._old = None
        if self.follows and (self.lags or self._heard):
            self.edge.turn(self.drop)

    async def _read(self, outbox: SendQueue) -> None:
        while True:
            await self._reads.wait()
            text = await outbox.next()
            if text is None:
                return
            self._heard.append(text)

    def _start_over(self, _: set[str]) -> None:
        if self._follower is not None:
            self.edge.gateway.start_over(self._follower)

    # ---- the state built from messages ----

    def take(self, *, met: bool) -> Iterator[str]:
        """Apply the received messages; `met` says that the gateway knows the run of Redis behind
        them.
        """
        heard, self._heard = self._heard, []
        for text in heard:
            message = wire.decode(text)
            match message:
                case Snapshot():
                    yield from self._snapshot(message, met)
                case Events():
                    yield from self._events(message)
                case Refused():
                    self.refused = True
                    self.edge.turn(self.drop)
                    return
                case _:
                    pass
        if heard and self.seen is not None and not self.fell:
            yield from self._shown.judge(self.seen, self.user)
            self._messages += len(heard)
            if self._old is None or self._messages % OLD_EVERY == 0:
                assert self.at is not None
                self._old = (self.at, self.seen)

    def _snapshot(self, message: Snapshot, met: bool) -> Iterator[str]:
        at = position(message.id)
        if not self.fell and self.at is not None and at < self.at:
            yield f"{self.name} was at {self.at} and got a snapshot of {at}"
        self.fell = self.fell and not met
        self.at, self.seen = at, wire.table_snapshot(message.state)
        self.caught_up = True
        self._watch.snapshot(message.id, self.seen)
        yield from self._suspicions()

    def _events(self, message: Events) -> Iterator[str]:
        self.caught_up = self.caught_up or not message.events
        for raw in message.events:
            event_id, event = wire.event_id(raw), wire.table_event(raw)
            at = position(event_id)
            if self.at is None or at != (self.at[0], self.at[1] + 1):
                yield f"{self.name} was told {at} after {self.at}"
            self.at = at
            if self.fell or self.seen is None:
                continue
            own = None if self.user is None else seat_of(self.seen, self.user)
            if own is None:
                self._watch.event(event_id, event, None)
            else:
                self._watch.event(event_id, event, own.seat, own.entry)
            try:
                self.seen = fold(event, self.seen)
            except (AssertionError, StopIteration, ValueError, KeyError) as failure:
                yield f"{self.name} cannot make {raw!r} of what it saw: {failure!r}"
        self._watch.caught_up(self._sits())
        yield from self._suspicions()

    def _sits(self) -> int | None:
        """Return the entry with which the viewer's user sits in the viewer's state."""
        if self.seen is None or self.user is None:
            return None
        seat = seat_of(self.seen, self.user)
        return None if seat is None else seat.entry

    def _suspicions(self) -> Iterator[str]:
        found, self._watch.violations = self._watch.violations, []
        if not self.fell:
            yield from found

    def differs(self, fresh: TableSnapshot) -> Iterator[str]:
        """Return the difference between the viewer's state and a fresh snapshot."""
        assert self.seen is not None
        if _settled(self.seen) == _settled(fresh):
            return
        mine, theirs = (
            msgspec.to_builtins(_settled(self.seen)),
            msgspec.to_builtins(_settled(fresh)),
        )
        parts = [
            f"{part}: {mine[part]} instead of {theirs[part]}"
            for part in theirs
            if mine[part] != theirs[part]
        ]
        yield f"{self.name} at {self.at} sees another table: {'; '.join(parts)[:1_500]}"


def _settled(seen: TableSnapshot) -> TableSnapshot:
    """Return the state with one event for each seat whose cards were shown after the hand."""
    kinds = [type(event) for event in seen.log]
    if HandEnded not in kinds:
        return seen
    ended = kinds.index(HandEnded) + 1
    shown: dict[int, tuple[Card, ...]] = {}
    for event in seen.log[ended:]:
        assert isinstance(event, CardsShown)
        before = shown.get(event.seat, (HIDDEN,) * len(event.cards))
        shown[event.seat] = tuple(
            old if new == HIDDEN else new for old, new in zip(before, event.cards, strict=True)
        )
    later = [CardsShown(seat, cards, "") for seat, cards in sorted(shown.items())]
    return msgspec.structs.replace(seen, log=(*seen.log[:ended], *later))
