"""Read the history of one client: followed streams, order of events, commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from room_client import wire
from room_client.messages.commands import Act, Subscribe
from room_client.messages.frames import Events, Refused, Result, Snapshot, TableSnapshot, Welcome
from room_client.messages.hands import HandBegan, HandEnded, HoleCardsDealt
from room_client.messages.streams import ClientMessage
from room_client.messages.tables import HandVoided, SeatLeft, SeatTaken
from tables.bots.client.history_rows import HistoryRow
from tables.engine.events import HIDDEN
from tables.history.clients.room import ClientEvidence, Place, SentCommand

Position = tuple[int, int]


class _Table:
    """A table as one client knows it: its seated users, the last hand, and whether it began to see
    that hand and not its end.
    """

    def __init__(self) -> None:
        self.users: dict[int, int] = {}
        self.hand = 0
        self.epoch = 0
        self.in_play = False

    def seat_of(self, user: int) -> int | None:
        return next((seat for seat, who in self.users.items() if who == user), None)


class Client:
    """History of one client, read line by line into the combined knowledge of all clients."""

    def __init__(self, user: int, name: str, room: ClientEvidence) -> None:
        self.user = user
        self.name = name
        self._room = room
        self._last: dict[str, Position] = {}
        self._followed: set[str] = set()
        # A page and its window may both ask anew, and each is answered.
        self._asked_anew: Counter[str] = Counter()
        self._tables: dict[str, _Table] = {}

    def read(self, lines: Iterable[HistoryRow]) -> None:
        """Take in all lines of the file."""
        for line in lines:
            if line.user is not None:
                self._followed.clear()  # another process, which follows nothing yet
            elif line.sent:
                self._sent(_client_message(line.sent))
            elif line.got:
                self._room.messages += 1
                self._got(wire.decode(line.got))

    def _sent(self, message: ClientMessage) -> None:
        if isinstance(message, Subscribe):
            self._asked_for(message)
        elif isinstance(message, Act):
            table = self._tables.get(f"table:{message.table}")
            seat = None if table is None else table.seat_of(self.user)
            self._room.asked(SentCommand(self.user, seat, message))
        elif hasattr(message, "id"):
            self._room.others_sent.add((self.user, message.id))

    def _asked_for(self, wish: Subscribe) -> None:
        """Note a shared stream that a page asks for anew: its snapshot may be a second old.

        Streams of tables and of one user are read for each follower, and never go back.
        """
        if wish.after is None and not wish.stream.startswith(("table:", "user:")):
            self._asked_anew[wish.stream] += 1

    def _got(self, message: object) -> None:
        match message:
            case Welcome(user=user) if user is not None and self.user == 0:
                self.user = user  # a client that logs in with a password learns its user here
            case Snapshot():
                self._snapshot(message)
            case Events():
                for raw in message.events:
                    self._event(message.stream, raw)
            case Result(id=command):
                self._room.answered(self.user, command, None)
            case Refused(id=command, code=code) if command is not None:
                self._room.answered(self.user, command, code)
            case _:
                pass

    def _snapshot(self, message: Snapshot) -> None:
        at = _position(message.id)
        last = self._last.get(message.stream)
        is_shared = self._asked_anew[message.stream] > 0
        self._asked_anew[message.stream] -= is_shared
        if last is not None and at < last and not is_shared:
            self._say(message.stream, message.id, f"the stream went back behind {_id(last)}")
        self._last[message.stream] = at
        self._followed.add(message.stream)
        if message.stream.startswith("table:"):
            seen = wire.table_snapshot(message.state)
            self._learn(message.stream, at, seen)

    def _learn(self, stream: str, at: Position, seen: TableSnapshot) -> None:
        table = self._tables.setdefault(stream, _Table())
        if table.in_play and seen.epoch > table.epoch and _is_void(table.hand, seen):
            self._say(stream, _id(at), f"hand {table.hand} is void, and this does not say so")
        table.users = {seat.seat: seat.user for seat in seen.seats}
        table.hand, table.epoch, table.in_play = seen.hand, seen.epoch, seen.turn is not None
        cards = [*seen.board, *(card for seat in seen.seats for card in seat.cards)]
        self._room.saw(self.user, Place(stream, at[0], seen.hand), at[1], cards, whole=False)

    def _event(self, stream: str, raw: msgspec.Raw) -> None:
        event_id = wire.event_id(raw)
        at = _position(event_id)
        last = self._last.get(stream)
        table = stream.startswith("table:")
        if last is None or stream not in self._followed:
            self._say(stream, event_id, "events without a snapshot before them")
        elif at <= last:
            self._say(stream, event_id, f"told again after {_id(last)}")
        elif table and at != (last[0], last[1] + 1):
            self._say(stream, event_id, f"a gap after {_id(last)}")
        self._last[stream] = at
        if table:
            self._table_event(stream, at, raw)
        else:
            self._room.told_to(self.user, stream, at, bytes(raw))

    def _table_event(self, stream: str, at: Position, raw: msgspec.Raw) -> None:
        event = wire.table_event(raw)
        table = self._tables.setdefault(stream, _Table())
        own = table.seat_of(self.user)
        match event:
            case HandBegan(hand=hand):
                table.hand, table.epoch, table.in_play = hand, at[0], True
                if event.deck:
                    self._say(stream, _id(at), "the deck is told")
            case SeatTaken():
                table.users[event.seat] = event.user
            case SeatLeft():
                table.users.pop(event.seat, None)
            case HoleCardsDealt():
                self._hole_cards(stream, at, event, own)
            case HandEnded() | HandVoided():
                table.in_play = False
            case _:
                pass
        place = Place(stream, at[0], table.hand)
        self._room.told(self.user, place, at[1], event, bytes(raw))

    def _hole_cards(
        self, stream: str, at: Position, event: HoleCardsDealt, own: int | None
    ) -> None:
        private = event.cards[: len(event.cards) - event.up]
        if event.seat != own and any(card != HIDDEN for card in private):
            self._say(stream, _id(at), f"cards of seat {event.seat} are told face up")
        if event.seat == own:
            if HIDDEN in event.cards:
                self._say(stream, _id(at), "own cards are hidden")
            place = Place(stream, at[0], self._tables[stream].hand)
            self._room.owns(self.user, place, event.seat, event.cards)

    def _say(self, stream: str, event_id: str, what: str) -> None:
        self._room.violate(f"{self.name}: {stream} {event_id}: {what}")


_client_message = msgspec.json.Decoder(ClientMessage).decode


def _is_void(hand: int, seen: TableSnapshot) -> bool:
    """Return whether a snapshot of a later epoch shows that a hand in play was void, untold."""
    again = seen.hand == hand and seen.turn is not None
    return not seen.closed and (again or seen.hand < hand) and (seen.voided or 0) < hand


def _position(event_id: str) -> Position:
    epoch, _, seq = event_id.partition("-")
    return int(epoch), int(seq)


def _id(at: Position) -> str:
    return f"{at[0]}-{at[1]}"
