"""Actions of a hand in the notation of Poker Hand History: deals, decisions, the showdown."""

from __future__ import annotations

from tables.engine.events import (
    BetMade,
    Called,
    Card,
    CardsShown,
    Checked,
    Folded,
    HandEnded,
    HandEvent,
    HandsRevealed,
    HoleCardsDealt,
    Mucked,
    Posted,
    Raised,
    StreetDealt,
)
from tables.history.exports.hand import ExportedHand


def actions(hand: ExportedHand) -> list[str]:
    """Return the hand's actions until its end, players counted in the order of the deal."""
    lines: list[str] = []
    shown: set[tuple[int, tuple[Card, ...]]] = set()
    for event in hand.events:
        if isinstance(event, HandEnded):
            break
        if isinstance(event, CardsShown) and (event.seat, event.cards) in shown:
            continue
        if isinstance(event, HandsRevealed):
            lines += [f"{_player(hand, seat)} sm {''.join(cards)}" for seat, cards in event.hands]
            shown.update(event.hands)
            continue
        line = _line(hand, event)
        if line:
            lines.append(line)
    return lines


def shown_afterwards(hand: ExportedHand) -> list[str]:
    """Return the cards shown by choice after the hand was over, as `p1 As??`."""
    ended = False
    lines: list[str] = []
    for event in hand.events:
        ended |= isinstance(event, HandEnded)
        if ended and isinstance(event, CardsShown):
            lines.append(f"{_player(hand, event.seat)} {''.join(event.cards)}")
    return lines


def _line(hand: ExportedHand, event: HandEvent) -> str:
    """Return one action, "" for an event that the standard derives from others."""
    match event:
        case HoleCardsDealt(seat=seat, cards=cards):
            return f"d dh {_player(hand, seat)} {''.join(cards)}"
        case StreetDealt(cards=cards) if cards:
            return f"d db {''.join(cards)}"
        case Folded(seat=seat):
            return f"{_player(hand, seat)} f"
        case Checked(seat=seat) | Called(seat=seat):
            return f"{_player(hand, seat)} cc"
        case BetMade(seat=seat, amount=amount) | Raised(seat=seat, to=amount):
            return f"{_player(hand, seat)} cbr {amount}"
        case Posted(seat=seat, kind="bring_in"):
            return f"{_player(hand, seat)} pb"
        case CardsShown(seat=seat, cards=cards):
            return f"{_player(hand, seat)} sm {''.join(cards)}"
        case Mucked(seat=seat):
            return f"{_player(hand, seat)} sm"
    return ""


def _player(hand: ExportedHand, seat: int) -> str:
    return f"p{hand.order.index(seat) + 1}"
