"""Judge cards: no client saw a card dealt to another seat before it was shown to all."""

from __future__ import annotations

from room_client.messages.hands import CardsShown, HandsRevealed, HoleCardsDealt
from tables.engine.events import HIDDEN, Card
from tables.history.clients.room import CardSighting, ClientEvidence, Place


def judge(room: ClientEvidence) -> int:
    """Note in `room` every card that was seen too early; return how many sights were judged."""
    shown = _shown(room)
    judged = 0
    for (user, place), sights in room.seen.items():
        owned = room.owned.get(place, {})
        mine = room.owner_of.get((user, place))
        for seat, cards in owned.items():
            if seat == mine:
                continue
            for card in set(cards) & sights.keys():
                judged += 1
                sight = sights[card]
                if _too_early(room, place, shown.get((place, card)), sight):
                    room.violate(
                        f"user {user} saw {card} of seat {seat} at {place.epoch}-{sight.seq}"
                        f" in hand {place.hand} of {place.stream}"
                    )
    return judged


def _too_early(
    room: ClientEvidence, place: Place, shown_seq: int | None, sight: CardSighting
) -> bool:
    if shown_seq is not None:
        return sight.seq < shown_seq
    # A snapshot may show a card whose showing no client was connected to hear.
    return sight.whole or not _something_missing(room, place, sight.seq)


def _something_missing(room: ClientEvidence, place: Place, seq: int) -> bool:
    course = room.course.get((place.stream, place.epoch), {})
    dealt = [s for s, (hand, event) in course.items() if hand == place.hand and _deals(event)]
    return not dealt or any(number not in course for number in range(min(dealt), seq + 1))


def _deals(event: object) -> bool:
    return isinstance(event, HoleCardsDealt)


def _shown(room: ClientEvidence) -> dict[tuple[Place, Card], int]:
    """Event at which each card was turned up for all."""
    shown: dict[tuple[Place, Card], int] = {}
    for (stream, epoch), events in room.course.items():
        for seq, (hand, event) in events.items():
            for card in _turned_up(event):
                key = (Place(stream, epoch, hand), card)
                shown[key] = min(seq, shown.get(key, seq))
    return shown


def _turned_up(event: object) -> list[Card]:
    match event:
        case HandsRevealed():
            return [card for _, cards in event.hands for card in cards]
        case CardsShown():
            return [card for card in event.cards if card != HIDDEN]
        case HoleCardsDealt(up=up) if up:
            return list(event.cards[len(event.cards) - up :])
        case _:
            return []
