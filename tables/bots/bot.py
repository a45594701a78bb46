"""One player without a socket: messages in, messages out, turns to answer in between."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from tables.bots import habits as ways
from tables.bots.client import notices, view, wire
from tables.bots.client.cutter import CUT_EVENTS, Cutter
from tables.bots.errands import FormPost, after_hand, errands
from tables.bots.habits import Habits
from tables.bots.playing import sight
from tables.bots.playing.brain import choose
from tables.bots.playing.pace import Pace, think_s
from tables.bots.ring.rows import RingGameRow, RingStay
from tables.bots.ring.stays import after_ring_hand
from tables.bots.tally import Tally
from tables.bots.watch import TableWatch
from tables.engine.events import (
    BetMade,
    Called,
    Checked,
    Folded,
    HandBegan,
    HandEnded,
    Posted,
    Raised,
)
from tables.wire.client_commands import Act, ClientMessage, ComeBack, Subscribe, Unsubscribe
from tables.wire.client_events import Bye, Refused, TableSnapshot, TakenOver, Welcome
from tables.wire.table_events import SatOut, SeatLeft, TableClosed, TableEvent, TimedOut

if TYPE_CHECKING:
    from tables.bots.lobby import LobbyTournament

_ACTED = Folded | Checked | Called | BetMade | Raised | Posted
"""Events that show a command took effect; a posted bring-in is an answer to a turn too."""
_LIVE = frozenset({"registered", "seated", "pending"})
_OVER = frozenset(
    {"unregistered", "knocked_out", "prize", "tournament_over", "tournament_cancelled"}
)
OFFER_THOUGHT_S = 8.0
_UNHEARD = frozenset({"unavailable", "no_answer"})


_Turn = tuple[int, int, int]  # epoch, hand, turn


class DueTurn(msgspec.Struct, frozen=True):
    """A turn to answer `after_s` seconds from now."""

    after_s: float
    table: int
    epoch: int
    hand: int
    turn: int


class Todo(msgspec.Struct):
    """Consequences of a message: messages to send now, turns to answer and forms to post later."""

    send: list[ClientMessage] = []
    turns: list[DueTurn] = []
    posts: list[FormPost] = []


class _Followed:
    """A table that this bot follows: its picture, the last event read, and the answers sent."""

    def __init__(self, stream: str, user: int) -> None:
        self.last: str | None = None
        self.seen: TableSnapshot | None = None
        self.watch = TableWatch(stream, user)
        self.raises = 0
        self.asked: _Turn | None = None
        # The answered turn, and the time of its first answer: a repetition keeps that time.
        self.sent: tuple[_Turn, float] | None = None


class Bot:
    """Player that follows its own notices and tables and decides with a player's knowledge only."""

    def __init__(
        self,
        user: int,
        *,
        chance: Random,
        pace: Pace,
        tally: Tally,
        ids: str = "bot",
        habits: Habits | None = None,
        lobby: Mapping[int, LobbyTournament] | None = None,
    ) -> None:
        """`ids` begins the ids of all commands; no other process of this user uses that prefix.

        `lobby` are the rows of the lobby as kept by a scout; without them the bot knows none.
        """
        self.user = user
        self._ids = ids
        self._sent = 0
        self.chance = chance
        self.pace = pace
        self.habits = habits or Habits()
        self.lobby = {} if lobby is None else lobby
        self.tally = tally
        self.last_notice: str | None = None
        self.tournaments: set[int] = set()
        self.tables: dict[str, _Followed] = {}
        self.offers: set[int] = set()
        self.ring_seat: tuple[RingGameRow, RingStay] | None = None
        self.offset_ms = 0.0
        self.cutter = Cutter(lambda: chance.randbytes(32))

    def received(self, raw: str | bytes, now_s: float) -> Todo:
        """Take in one server message; `now_s` is this machine's clock."""
        message = wire.decode(raw)
        self.tally.counts["frames"] += 1
        self.tally.counts["bytes"] += len(raw)
        todo = Todo()
        match message:
            case Welcome():
                self._welcome(message, todo, now_s)
            case wire.ReceivedSnapshot(stream=stream) if stream.startswith("table:"):
                self._snapshot(message, todo, now_s)
            case wire.ReceivedEvents(stream=stream) if stream.startswith("table:"):
                self._events(message, todo, now_s)
            case wire.ReceivedSnapshot() | wire.ReceivedEvents():
                self._notices(message, todo)
            case Refused():
                self.tally.refused[message.code] += 1
                if message.code in _UNHEARD:
                    self._again(todo, now_s)
            case TakenOver():
                self.tally.counts["taken_over"] += 1
            case Bye():
                self.tally.counts[f"bye_{message.code}"] += 1
            case _:
                pass
        return todo

    def answer(self, due: DueTurn, now_s: float) -> Act | None:
        """Return the action for a turn that was due, or None when it is over already."""
        followed = self.tables.get(f"table:{due.table}")
        seen = followed.seen if followed else None
        if followed is None or seen is None or seen.turn is None:
            return None
        seat = view.seat_of(seen, self.user)
        asked = (seen.epoch, seen.hand, seen.turn.turn)
        if seat is None or seat.seat != seen.turn.seat or asked != (due.epoch, due.hand, due.turn):
            return None
        choice = choose(sight.of(seen, seat.seat, followed.raises), self.chance)
        self.tally.counts["decisions"] += 1
        if followed.sent is None or followed.sent[0] != asked:
            followed.sent = (asked, now_s)
        return Act(
            id=self._fresh_id(),
            table=due.table,
            epoch=due.epoch,
            hand=due.hand,
            turn=due.turn,
            action=choice.action,
            amount=choice.amount,
        )

    def follow(self, table: int) -> list[ClientMessage]:
        """Start to follow a table, unless it is followed already."""
        stream = f"table:{table}"
        if stream in self.tables:
            return []
        self.tables[stream] = _Followed(stream, self.user)
        return [Subscribe(stream)]

    def sit_at_ring(self, game: RingGameRow, stay: RingStay) -> list[ClientMessage]:
        """Keep the seat of a ring game that this bot has taken, and follow its table."""
        self.ring_seat = (game, stay)
        return [] if stay.table is None else self.follow(stay.table)

    @property
    def sits_nowhere(self) -> bool:
        """Return whether the bot has no seat of a ring game, and is in no hand of a rapid pool."""
        if self.ring_seat is None or not self.ring_seat[0].rapid:
            return self.ring_seat is None
        seen = [followed.seen for followed in self.tables.values()]
        return not any(table and view.seat_of(table, self.user) for table in seen)

    def _deal_in(self, table: int) -> list[ClientMessage]:
        """Go to the table of the next hand in a rapid pool; the hand before is folded or over."""
        left: list[ClientMessage] = []
        if self.ring_seat is not None:
            game, stay = self.ring_seat
            if stay.table is not None and stay.table != table:
                left = self.leave(f"table:{stay.table}")
            self.ring_seat = (game, replace(stay, table=table))
        return [*left, *self.follow(table)]

    def leave(self, stream: str) -> list[ClientMessage]:
        """Stop following a table, and forget a seat of a ring game there."""
        if self.ring_seat is not None and stream == f"table:{self.ring_seat[1].table}":
            self.ring_seat = None
        return [Unsubscribe(stream)] if self.tables.pop(stream, None) else []

    def _welcome(self, message: Welcome, todo: Todo, now_s: float) -> None:
        """Resume every followed stream from the last event seen."""
        self.offset_ms = message.now_ms - now_s * 1_000
        if message.user is None:
            self.tally.counts["not_logged_in"] += 1
            return
        self.user = message.user
        self.cutter.enter(message.room)
        for followed in self.tables.values():
            # A command sent before the connection broke may be lost: a turn that is still open when
            # the stream has caught up is answered again.
            followed.asked = None
        todo.send.append(Subscribe(f"user:{self.user}", after=self.last_notice))
        todo.send += [Subscribe(name, after=t.last) for name, t in self.tables.items()]

    def _snapshot(self, message: wire.ReceivedSnapshot, todo: Todo, now_s: float) -> None:
        followed = self.tables.get(message.stream)
        if followed is None:
            return
        self.tally.counts["snapshots"] += 1
        seen, before = wire.table_snapshot(message.state), followed.seen
        followed.seen, followed.last = seen, message.id
        followed.watch.snapshot(message.id, seen)
        self._tell(followed)
        followed.raises = sight.raises_seen(seen)
        if followed.sent is not None and _turn_of(seen) != followed.sent[0]:
            followed.sent = None  # the time of the action was not seen
        own = view.seat_of(seen, self.user)
        if own is not None and own.absent:
            todo.send.append(ComeBack(id=self._fresh_id(), table=seen.table))
        if own is not None and not self._in_pool_at(seen.table):
            todo.send += self.cutter.shown(seen, own)
        if seen.closed or (own is None and self._lost_ring_seat(seen.table, before)):
            todo.send += self.leave(message.stream)
        self._after(followed, todo, now_s)

    def _lost_ring_seat(self, table: int, before: TableSnapshot | None) -> bool:
        """Return whether a seat of a ring game seen `before` is gone from a fresh snapshot."""
        if self.ring_seat is None or self.ring_seat[1].table != table or before is None:
            return False
        if self.ring_seat[0].rapid:
            return False  # every hand ends so
        return view.seat_of(before, self.user) is not None

    def _events(self, message: wire.ReceivedEvents, todo: Todo, now_s: float) -> None:
        followed = self.tables.get(message.stream)
        if followed is None or followed.seen is None:
            return
        for raw in message.events:
            event_id, event = wire.event_id(raw), wire.table_event(raw)
            own = view.seat_of(followed.seen, self.user)
            own_seat = own.seat if own else None
            own_entry = own.entry if own else None
            followed.watch.event(event_id, event, own_seat, own_entry)
            followed.last = event_id
            self._count(event, followed, own_seat, now_s)
            followed.seen = view.fold(event, followed.seen)
            self._react(event, message.stream, followed.seen.table, own_seat, todo)
            if isinstance(event, CUT_EVENTS) and not self._in_pool_at(followed.seen.table):
                todo.send += self.cutter.heard(event, followed.seen, self.user)
            if isinstance(event, HandEnded) and own_seat is not None:
                self._look_at_stack(followed.seen, todo)
        now = view.seat_of(followed.seen, self.user)
        followed.watch.caught_up(now.entry if now else None)
        self._tell(followed)
        if message.stream in self.tables:
            self._after(followed, todo, now_s)

    def _tell(self, followed: _Followed) -> None:
        self.tally.violate(followed.watch.violations)
        followed.watch.violations = []

    def _count(
        self, event: TableEvent, followed: _Followed, own_seat: int | None, now_s: float
    ) -> None:
        assert followed.seen is not None
        followed.raises = sight.raises_after(event, followed.raises)
        if isinstance(event, TimedOut) and event.seat == own_seat:
            self.tally.counts["timed_out"] += 1
        if isinstance(event, HandBegan):
            self.tally.hands.add((followed.seen.table, followed.seen.epoch, event.hand))
        if isinstance(event, _ACTED) and event.seat == own_seat and followed.sent is not None:
            self.tally.measured((now_s - followed.sent[1]) * 1_000)
            followed.sent = None

    def _react(
        self, event: TableEvent, stream: str, table: int, own_seat: int | None, todo: Todo
    ) -> None:
        match event:
            case SeatLeft() if event.seat == own_seat and self._in_pool_at(table):
                pass  # the next hand may be at this table: its notice says where to go
            case SeatLeft() if event.seat == own_seat:
                todo.send += self.leave(stream)
                if event.to_table is not None:
                    todo.send += self.follow(event.to_table)
            case SatOut() if event.seat == own_seat:
                todo.send.append(ComeBack(id=self._fresh_id(), table=table))
            case TableClosed():
                todo.send += self.leave(stream)
            case _:
                pass

    def _in_pool_at(self, table: int) -> bool:
        return (
            self.ring_seat is not None
            and self.ring_seat[0].rapid
            and (self.ring_seat[1].table == table)
        )

    def _look_at_stack(self, seen: TableSnapshot, todo: Todo) -> None:
        """Ask for chips, or leave with the chips, where the game allows it."""
        own, offer = view.seat_of(seen, self.user), self.lobby.get(seen.game)
        if self.ring_seat is not None and self.ring_seat[1].table == seen.table:
            game, stay = self.ring_seat
            chips = 0 if own is None else own.chips
            posts = after_ring_hand(game, stay, chips, self.chance, self.pace, self.habits)
            todo.posts += posts
            if game.rapid and any(post.path.endswith("/leave") for post in posts):
                todo.send += self.leave(f"table:{stay.table}")
        elif own is not None and offer is not None:
            todo.posts += after_hand(offer, own.chips, self.chance, self.pace, self.habits)

    def _again(self, todo: Todo, now_s: float) -> None:
        """Answer every open turn once more after a command did not get through."""
        for followed in self.tables.values():
            followed.asked = None
            self._after(followed, todo, now_s)

    def _after(self, followed: _Followed, todo: Todo, now_s: float) -> None:
        """Plan the answer when it is this player's turn and no answer is planned yet."""
        seen = followed.seen
        if seen is None or seen.turn is None:
            return
        own = view.seat_of(seen, self.user)
        key = _turn_of(seen)
        if own is None or own.seat != seen.turn.seat or followed.asked == key:
            return
        followed.asked = key
        left_s = (seen.turn.deadline_ms - self.offset_ms) / 1_000 - now_s
        wait_s = think_s(self.pace, left_s, self.chance, self.tally.faster)
        todo.turns.append(DueTurn(wait_s, seen.table, seen.epoch, seen.hand, seen.turn.turn))

    def _notices(self, message: wire.ReceivedSnapshot | wire.ReceivedEvents, todo: Todo) -> None:
        if message.stream != f"user:{self.user}":
            return
        if isinstance(message, wire.ReceivedSnapshot):
            self.last_notice = message.id
            self._seated(wire.facts(message.state), todo)
            return
        for raw in message.events:
            self.last_notice = wire.event_id(raw)
            facts = wire.facts(raw)
            self._seated(facts, todo)
            todo.posts += errands(facts, self.chance, self.pace, self.habits)

    def _seated(self, facts: dict[str, Any], todo: Todo) -> None:
        match facts:
            case {"type": "registered" | "seated", "tournament": int(tournament)}:
                self.tournaments.add(tournament)
            case {"type": kind, "tournament": int(tournament)} if kind in _OVER:
                self.tournaments.discard(tournament)
            case {"type": "rapid_dealt_in", "table": int(table)}:
                todo.send += self._deal_in(table)
            case {"tournaments": dict(mine)}:
                self.tournaments = {int(key) for key, state in mine.items() if state in _LIVE}
            case _:
                pass
        for offer in notices.offers_in(facts):
            self._answer_offer(offer, todo)
        for table in notices.tables_in(facts):
            todo.send += self.follow(table)

    def _answer_offer(self, offer: dict[str, Any], todo: Todo) -> None:
        """Buy, decline, or let expire each offer once; most offers are bought."""
        number = int(offer["offer"])
        if number in self.offers:
            return
        self.offers.add(number)
        said = ways.answer(self.habits, self.chance)
        if said:
            self.tally.counts[f"offer_{offer['kind']}_{said}"] += 1
            wait_s = think_s(self.pace, OFFER_THOUGHT_S, self.chance)
            todo.posts.append(FormPost(wait_s, f"/offers/{number}/", {"answer": said}))

    def _fresh_id(self) -> str:
        self._sent += 1
        return f"{self._ids}-{self._sent}"


def _turn_of(seen: TableSnapshot) -> _Turn | None:
    return None if seen.turn is None else (seen.epoch, seen.hand, seen.turn.turn)
