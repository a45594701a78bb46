"""Check every card that was turned up for all: its seat, that it was live, and its time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from room_client.messages.hands import CardsShown, Folded, HandBegan, HandsRevealed
from room_client.messages.streams import TableEvent
from room_client.messages.tables import TurnBegan
from tables.engine.events import HIDDEN, Card
from tables.history.clients.room import ClientEvidence, Place


@dataclass(slots=True)
class _Hand:
    """Seats that gave up their cards, and seats with cards that lie face up already."""

    folded: set[int] = field(default_factory=set)
    shown: set[int] = field(default_factory=set)


def judge(room: ClientEvidence) -> int:
    """Note violations in `room`; return the number of shown cards that were checked.

    A folded hand is never shown (S-03), no card is shown before the betting ends (S-01, S-04), and
    a shown card was dealt to the seat that shows it.
    """
    judged = 0
    for (stream, epoch), course in room.course.items():
        hands: dict[int, _Hand] = {}
        for seq in sorted(course):
            number, event = course[seq]
            place = Place(stream, epoch, number)
            if isinstance(event, HandBegan):
                hands[number] = _Hand()
            hand = hands.setdefault(number, _Hand())
            judged += _check(room, place, seq, hand, event)
    return judged


def _check(room: ClientEvidence, place: Place, seq: int, hand: _Hand, event: TableEvent) -> int:
    where = f"at {place.epoch}-{seq} in hand {place.hand} of {place.stream}"
    if isinstance(event, Folded):
        hand.folded.add(event.seat)
    elif isinstance(event, TurnBegan) and hand.shown:
        room.violate(f"seats {sorted(hand.shown)} showed cards before the turn {where}")
        hand.shown.clear()
    judged = 0
    for seat, cards in _faces(event):
        if cards and seat in hand.folded:
            room.violate(f"seat {seat} shows {' '.join(cards)}, which it folded, {where}")
        for card in cards:
            judged += 1
            if not _dealt_to(room, place, seat, card):
                room.violate(f"seat {seat} shows {card}, which it was not dealt, {where}")
        hand.shown.add(seat)
    return judged


def _faces(event: TableEvent) -> Iterable[tuple[int, list[Card]]]:
    match event:
        case HandsRevealed():
            pairs = event.hands
        case CardsShown():
            pairs = ((event.seat, event.cards),)
        case _:
            return []
    return [(seat, [card for card in cards if card != HIDDEN]) for seat, cards in pairs]


def _dealt_to(room: ClientEvidence, place: Place, seat: int, card: Card) -> bool:
    """Return whether the histories allow that `card` was dealt to `seat` in this hand."""
    owned = room.owned.get(place, {})
    if card in owned.get(seat, ()):
        return True
    known = owned.get(seat, ())
    complete = len(known) == room.hole_cards(place) and place in room.games
    return not complete and all(card not in cards for cards in owned.values())
