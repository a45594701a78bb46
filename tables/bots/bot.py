"""One player without a socket: messages in, messages out, turns to answer in between."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from room_client import notices, view
from room_client.messages.commands import Act, Subscribe, Unsubscribe, WriteChat
from room_client.messages.frames import (
    SeatSnapshot,
    TableSnapshot,
    Welcome,
)
from room_client.messages.hands import (
    BetMade,
    Called,
    Checked,
    Folded,
    HandBegan,
    HandEnded,
    Posted,
    Raised,
)
from room_client.messages.streams import ClientMessage, TableEvent
from room_client.messages.tables import TimedOut
from room_client.player import Player
from room_client.steps import DueTurn, FollowedTable, Steps, TurnId
from tables.bots import habits as ways
from tables.bots.errands import Errand, after_hand, errands
from tables.bots.habits import Habits
from tables.bots.lobby_rows import LobbyTournament
from tables.bots.playing import sight
from tables.bots.playing.brain import choose
from tables.bots.playing.pace import Pace, think_s
from tables.bots.ring.rows import RingGameRow, RingStay
from tables.bots.ring.seat import HeldRingSeat
from tables.bots.ring.stays import after_ring_hand
from tables.bots.tally import Tally
from tables.bots.watch import TableWatch

_ACTED = Folded | Checked | Called | BetMade | Raised | Posted
"""Events that show a command took effect; a posted bring-in is an answer to a turn too."""
_LIVE = frozenset({"registered", "seated", "pending"})
_OVER = frozenset(
    {"unregistered", "knocked_out", "prize", "tournament_over", "tournament_cancelled"}
)
OFFER_THOUGHT_S = 8.0
WORDS = ("nice hand", "well played", "good luck", "so close", "next time")


class Todo(Steps):
    """Consequences of a message: messages to send now, turns to answer and errands for later."""

    posts: list[Errand] = []


class _Followed(FollowedTable):
    """A table that this bot follows, with the checks of its events and the answers sent."""

    def __init__(self, stream: str, user: int) -> None:
        super().__init__(stream, user)
        self.watch = TableWatch(stream, user)
        self.raises = 0
        # The answered turn, and the time of its first answer: a repetition keeps that time.
        self.sent: tuple[TurnId, float] | None = None


class Bot(Player[Todo, _Followed]):
    """Player that follows its own notices and tables and decides with a player's knowledge only."""

    strict = True

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
        super().__init__(
            Todo, _Followed, user=user, ids=ids, fresh=lambda: self.chance.randbytes(32)
        )
        self.chance = chance
        self.pace = pace
        self.habits = habits or Habits()
        self.lobby = {} if lobby is None else lobby
        self.tally = tally
        self.tournaments: set[int] = set()
        self.offers: set[int] = set()
        self.ring_seat: HeldRingSeat | None = None

    def received(self, raw: str | bytes, now_s: float) -> Todo:
        """Take in one server message; `now_s` is this machine's clock."""
        self.tally.counts["frames"] += 1
        self.tally.counts["bytes"] += len(raw)
        return super().received(raw, now_s)

    def told(self, message: object) -> None:
        """Count refusals, tables taken over and goodbyes."""
        self.tally.told(message)

    def answer(self, due: DueTurn, now_s: float) -> Act | None:
        """Return the action for a turn that was due, or None when it is over already."""
        seen = self.view_of(due)
        if seen is None or seen.turn is None:
            return None
        followed = self.tables[f"table:{due.table}"]
        choice = choose(sight.of(seen, seen.turn.seat, followed.raises), self.chance)
        self.tally.counts["decisions"] += 1
        turn = (due.epoch, due.hand, due.turn)
        if followed.sent is None or followed.sent[0] != turn:
            followed.sent = (turn, now_s)
        return self.act(due, choice.action, choice.amount)

    def sit_at_ring(self, game: RingGameRow, stay: RingStay) -> list[ClientMessage]:
        """Keep the seat of a ring game that this bot has taken, and follow its table."""
        self.ring_seat = HeldRingSeat(game, stay)
        return [] if stay.table is None else self.follow(stay.table)

    @property
    def sits_nowhere(self) -> bool:
        """Return whether the bot has no seat of a ring game, and is in no hand of a rapid pool."""
        if self.ring_seat is None or not self.ring_seat.game.rapid:
            return self.ring_seat is None
        seen = [followed.seen for followed in self.tables.values()]
        return not any(table and view.seat_of(table, self.user) for table in seen)

    def _deal_in(self, table: int) -> list[ClientMessage]:
        """Go to the table of the next hand in a rapid pool; the hand before is folded or over."""
        seat = self.ring_seat
        if seat is None:
            return self.follow(table)
        left = [] if seat.stay.table in (None, table) else self.leave(f"table:{seat.stay.table}")
        self.ring_seat = seat.moved(table)
        return [*left, *self.follow(table)]

    def follow(self, table: int) -> list[ClientMessage]:
        """Start to follow a table, and its chat where the bot chats."""
        asked = super().follow(table)
        return [*asked, Subscribe(_chat_of(table))] if asked and self.habits.chats else asked

    def leave(self, stream: str) -> list[ClientMessage]:
        """Stop following a table and its chat, and forget a seat of a ring game there."""
        if self.ring_seat is not None and stream == f"table:{self.ring_seat.stay.table}":
            self.ring_seat = None
        asked = super().leave(stream)
        if asked and self.habits.chats:
            asked.append(Unsubscribe(_chat_of(stream.removeprefix("table:"))))
        return asked

    def welcomed(self, message: Welcome, todo: Todo, now_s: float) -> None:
        """Resume every followed stream, and count a socket that is not logged in."""
        if message.user is None:
            self.tally.counts["not_logged_in"] += 1
        super().welcomed(message, todo, now_s)
        if message.user is not None and self.habits.chats:
            chats = [_chat_of(name.removeprefix("table:")) for name in self.tables]
            todo.send += [Subscribe(chat) for chat in chats]

    def shown(self, followed: _Followed, at: str, seen: TableSnapshot) -> None:
        """Check a snapshot, and read the betting so far from it."""
        self.tally.counts["snapshots"] += 1
        followed.watch.snapshot(at, seen)
        self._tell(followed)
        followed.raises = sight.raises_seen(seen)
        if followed.sent is not None and _turn_of(seen) != followed.sent[0]:
            followed.sent = None  # the time of the action was not seen

    def has_lost(self, seen: TableSnapshot, before: TableSnapshot | None) -> bool:
        """Return whether a seat of a ring game seen `before` is gone from a fresh snapshot."""
        seat = self.ring_seat
        if before is None or seat is None or not seat.is_at(seen.table):
            return False
        if seat.game.rapid:
            return False  # every hand ends so
        return view.seat_of(before, self.user) is not None

    def heard(
        self,
        followed: _Followed,
        at: str,
        event: TableEvent,
        own: SeatSnapshot | None,
        now_s: float,
    ) -> None:
        """Check an event, and count what it tells."""
        own_seat = own.seat if own else None
        followed.watch.event(at, event, own_seat, own.entry if own else None)
        self._count(event, followed, own_seat, now_s)

    def happened(self, event: TableEvent, seen: TableSnapshot, own: int | None, todo: Todo) -> None:
        """Look at the own stack after each hand, and write to the table at times."""
        if isinstance(event, HandEnded) and own is not None:
            self._look_at_stack(seen, todo)
            if self.habits.chats and ways.happens(self.habits.chats, self.chance):
                words = self.chance.choice(WORDS)
                todo.send.append(WriteChat(self.fresh_id(), _chat_of(seen.table), words))
                self.tally.counts["chats"] += 1

    def caught_up(self, followed: _Followed, own: SeatSnapshot | None) -> None:
        """Judge what could be judged only after all events of a message."""
        followed.watch.caught_up(own.entry if own else None)
        self._tell(followed)

    def stays_at(self, table: int) -> bool:
        """Return whether a table is of the bot's rapid pool, whose notices say where to go next."""
        seat = self.ring_seat
        return seat is not None and seat.game.rapid and seat.is_at(table)

    def wait_s(self, left_s: float) -> float:
        """Return the seconds to think about a turn."""
        return think_s(self.pace, left_s, self.chance, self.tally.faster)

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

    def _look_at_stack(self, seen: TableSnapshot, todo: Todo) -> None:
        """Ask for chips, or leave with the chips, where the game allows it."""
        own, offer = view.seat_of(seen, self.user), self.lobby.get(seen.game)
        if self.ring_seat is not None and self.ring_seat.is_at(seen.table):
            game, stay = self.ring_seat.game, self.ring_seat.stay
            chips = 0 if own is None else own.chips
            posts = after_ring_hand(game, stay, chips, self.chance, self.pace, self.habits)
            todo.posts += posts
            if game.rapid and any(post.method == "DELETE" for post in posts):
                todo.send += self.leave(f"table:{stay.table}")
        elif own is not None and offer is not None:
            todo.posts += after_hand(offer, own.chips, self.chance, self.pace, self.habits)

    def noticed(self, facts: dict[str, Any], todo: Todo, *, fresh: bool) -> None:
        """Keep the list of own tournaments, go to the next hand of a pool, answer offers."""
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
        if fresh:
            todo.posts += errands(facts, self.chance, self.pace, self.habits)

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
            todo.posts.append(Errand(wait_s, f"/offers/{number}", {"answer": said}))


def _chat_of(table: int | str) -> str:
    return f"tablechat:{table}"


def _turn_of(seen: TableSnapshot) -> TurnId | None:
    return None if seen.turn is None else (seen.epoch, seen.hand, seen.turn.turn)
