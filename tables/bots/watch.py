"""Checks of a table by one of its clients: no event missing, no card leaked, no chip made."""

from __future__ import annotations

from collections.abc import Iterable

from room_client import wire
from room_client.messages.frames import TableSnapshot
from room_client.messages.hands import (
    BetMade,
    Called,
    CardsShown,
    HandBegan,
    HandEnded,
    HandsRevealed,
    HoleCardsDealt,
    Posted,
    PotAwarded,
    Raised,
    StreetDealt,
    UncalledReturned,
)
from room_client.messages.streams import TableEvent
from room_client.messages.tables import HandVoided
from tables.engine.events import HIDDEN, Card
from tables.engine.variants import VARIANTS

UNSEEN = "own cards dealt face down"


class TableWatch:
    """Checks of one table as one entry sees it; `violations` collects every broken invariant."""

    def __init__(self, stream: str, user: int) -> None:
        self.stream = stream
        self.user = user
        self.violations: list[str] = []
        self._last: str | None = None
        self._chips: int | None = None
        self._middle = 0
        self._raked = 0
        self._unseen: list[tuple[str, int]] = []
        self._cards: dict[str, int] = {}
        """Cards seen in this hand, by owner: a seat's number, or 0 for the board."""

    def snapshot(self, at: str, seen: TableSnapshot) -> None:
        """Start over from a snapshot; the hand in play is looked at, but not counted."""
        told = _told(seen)
        for seat in seen.seats:
            if seat.user != self.user and _shows(seat.cards, seen.variant, told.get(seat.seat, ())):
                self._say(at, f"snapshot shows cards of seat {seat.seat}")
        self.resume(at)

    def resume(self, at: str) -> None:
        """Resume after an older event; the hand in play is looked at, but not counted."""
        self._last = at
        self._chips = None
        self._cards = {}

    def event(
        self, at: str, event: TableEvent, own_seat: int | None, own_entry: int | None = None
    ) -> None:
        """Check one event; `own_seat` is this player's seat, None for a spectator.

        With `own_entry` own cards dealt face down are judged by `caught_up`.
        """
        if not wire.follows(self._last, at):
            self._say(at, f"gap after {self._last}")
        self._last = at
        self._cards_of(at, event, own_seat, own_entry)
        match event:
            case HandBegan():
                self._begin(at, event)
            case Posted() | Called() | BetMade() | Raised():
                self._middle += event.amount
            case UncalledReturned():
                self._middle -= event.amount
            case PotAwarded():
                self._award(at, event)
            case HandEnded():
                self._end(at, event)
            case HandVoided():
                self._chips = None
            case _:
                pass

    def caught_up(self, entry: int | None) -> None:
        """Judge own cards dealt face down, after all events of a message, by the entry seated now.

        A resume shows missed hands as the present seat sees them: with another entry at this table,
        or none, the player sees hands that are over as a spectator.
        """
        self.violations += [line for line, dealt_to in self._unseen if dealt_to == entry]
        self._unseen = []

    def _cards_of(
        self, at: str, event: TableEvent, own_seat: int | None, own_entry: int | None
    ) -> None:
        match event:
            case HoleCardsDealt():
                down = event.cards[: len(event.cards) - event.up]
                if event.seat != own_seat and any(card != HIDDEN for card in down):
                    self._say(at, f"cards of seat {event.seat} dealt face up")
                if event.seat == own_seat and HIDDEN in event.cards:
                    if own_entry is None:
                        self._say(at, UNSEEN)
                    else:
                        self._unseen.append((self._line(at, UNSEEN), own_entry))
                self._meet(at, [card for card in event.cards if card != HIDDEN], event.seat)
            case StreetDealt():
                self._meet(at, event.cards, 0)
            case HandsRevealed():
                for seat, cards in event.hands:
                    new = [card for card in cards if self._cards.get(card) != seat]
                    self._meet(at, new, seat)
            case _:
                pass

    def _begin(self, at: str, event: HandBegan) -> None:
        if event.deck:
            self._say(at, "the deck is on the stream")
        self._chips = sum(stack.chips for stack in event.stacks)
        self._middle = self._raked = 0
        self._cards = {}

    def _award(self, at: str, event: PotAwarded) -> None:
        if self._chips is None:
            return
        shared = sum(share.amount for share in event.winners) + event.rake
        if shared != event.amount:
            self._say(at, f"pot of {event.amount} paid {shared}")
        self._middle -= event.amount
        self._raked += event.rake

    def _end(self, at: str, event: HandEnded) -> None:
        if self._chips is None:
            return
        after = sum(stack.chips for stack in event.stacks) + self._raked
        if after != self._chips:
            self._say(at, f"hand {event.hand} began with {self._chips} chips, ended with {after}")
        if self._middle != 0:
            self._say(at, f"hand {event.hand} left {self._middle} chips in the middle")
        self._chips = None

    def _meet(self, at: str, cards: Iterable[str], owner: int) -> None:
        for card in cards:
            if card in self._cards:
                self._say(at, f"{card} twice in one hand")
            self._cards[card] = owner

    def _say(self, at: str, what: str) -> None:
        self.violations.append(self._line(at, what))

    def _line(self, at: str, what: str) -> str:
        return f"{self.stream} {at} as user {self.user}: {what}"


def _told(seen: TableSnapshot) -> dict[int, tuple[Card, ...]]:
    """Return the cards that the log of a snapshot shows, by seat."""
    shown: dict[int, tuple[Card, ...]] = {}
    for event in seen.log:
        if isinstance(event, HandsRevealed):
            for seat, cards in event.hands:
                shown[seat] = (*shown.get(seat, ()), *cards)
        elif isinstance(event, CardsShown):
            shown[event.seat] = (*shown.get(event.seat, ()), *event.cards)
    return shown


def _shows(cards: tuple[Card, ...], variant: str | None, told: tuple[Card, ...]) -> bool:
    """Return whether a card is readable that was dealt face down and never shown (D-01)."""
    faces: list[bool] = []
    for street in VARIANTS[variant or "holdem"].streets:
        faces += [False] * street.down + [True] * street.up
    hidden = {HIDDEN, *told}
    return any(card not in hidden and not up for card, up in zip(cards, faces, strict=False))
