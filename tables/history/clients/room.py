"""Combined knowledge of all clients: one course of events, commands, cards and their viewers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from room_client.messages.commands import Act
from room_client.messages.hands import (
    CardsShown,
    HandBegan,
    HandsRevealed,
    HoleCardsDealt,
    StreetDealt,
)
from room_client.messages.streams import TableEvent
from tables.engine.events import HIDDEN, Card
from tables.engine.variants import VARIANTS

VIOLATIONS_KEPT = 200


class Place(NamedTuple):
    """A hand at a table in one epoch."""

    stream: str
    epoch: int
    hand: int


@dataclass(slots=True)
class SentCommand:
    """An action that a client sent, with its seat and the answers it got."""

    user: int
    seat: int | None
    command: Act
    answers: list[str | None] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class CardSighting:
    """First sight of a card by a client: the seq, and whether in an event (else in a snapshot)."""

    seq: int
    whole: bool


class ClientEvidence:
    """Facts collected while the histories are read, and judged afterwards."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self.violations_seen = 0
        self.messages = 0
        self.acts: dict[tuple[int, str], SentCommand] = {}
        self.others_sent: set[tuple[int, str]] = set()
        self.others_answered: dict[tuple[int, str], int] = {}
        # (table stream, epoch) -> seq -> (hand, public version of the event)
        self.course: dict[tuple[str, int], dict[int, tuple[int, TableEvent]]] = {}
        self.owned: dict[Place, dict[int, tuple[Card, ...]]] = {}
        self.games: dict[Place, str] = {}
        self.owner_of: dict[tuple[int, Place], int] = {}
        self.seen: dict[tuple[int, Place], dict[Card, CardSighting]] = {}
        self._lines: dict[tuple[str, int, int], int] = {}

    def violate(self, what: str) -> None:
        """Note a violation; the first ones are kept in full."""
        self.violations_seen += 1
        if len(self.violations) < VIOLATIONS_KEPT:
            self.violations.append(what)

    def asked(self, asked: SentCommand) -> None:
        """Note an action that a client sent."""
        key = (asked.user, asked.command.id)
        known = self.acts.get(key)
        if known is None:
            self.acts[key] = asked
        elif known.command != asked.command:
            self.violate(f"user {asked.user} used the id {asked.command.id} for two commands")

    def answered(self, user: int, command: str, code: str | None) -> None:
        """Note the answer to a client's command; `code` is None when it took effect."""
        known = self.acts.get((user, command))
        if known is not None:
            known.answers.append(code)
        elif (user, command) in self.others_sent:
            self.others_answered[user, command] = self.others_answered.get((user, command), 0) + 1
        else:
            self.violate(f"user {user} got an answer to {command}, which he never sent")

    def told_to(self, user: int, stream: str, at: tuple[int, int], raw: bytes) -> None:
        """Note an event of a stream without seats; all its followers must get equal bytes."""
        self._same(user, stream, *at, raw)

    def told(self, user: int, place: Place, seq: int, event: TableEvent, raw: bytes) -> None:
        """Note an event of a table that a client received."""
        if not isinstance(event, HoleCardsDealt):
            self._same(user, place.stream, place.epoch, seq, raw)
        known = self.course.setdefault((place.stream, place.epoch), {})
        if seq not in known:
            known[seq] = (place.hand, event)
        if isinstance(event, HandBegan):
            self.games[place] = event.variant
        self.saw(user, place, seq, _cards(event), whole=True)

    def owns(self, user: int, place: Place, seat: int, cards: tuple[Card, ...]) -> None:
        """Note the cards dealt to a client; in stud they come street by street."""
        self.owner_of[user, place] = seat
        seats = self.owned.setdefault(place, {})
        known = seats.get(seat, ())
        new = tuple(card for card in cards if card not in known)
        part_known = 0 < len(new) < len(cards)
        if part_known or len(known) + len(new) > self.hole_cards(place):
            self.violate(f"user {user} was dealt other cards than before in {_named(place)}")
        else:
            seats[seat] = known + new

    def saw(self, user: int, place: Place, seq: int, cards: Sequence[Card], whole: bool) -> None:
        """Note cards of a hand that a client saw."""
        mine = self.seen.setdefault((user, place), {})
        for card in cards:
            if card != HIDDEN and card not in mine:
                mine[card] = CardSighting(seq, whole)

    def hole_cards(self, place: Place) -> int:
        """Return how many cards a seat gets in a hand's game; the most of all games if unknown."""
        games = [VARIANTS[name] for name in (self.games.get(place),) if name] or VARIANTS.values()
        return max(sum(deal.down + deal.up for deal in game.streets) for game in games)

    def _same(self, user: int, stream: str, epoch: int, seq: int, raw: bytes) -> None:
        digest = hash(raw)
        if self._lines.setdefault((stream, epoch, seq), digest) != digest:
            self.violate(f"user {user}: {stream} {epoch}-{seq} was told otherwise to others")


def _cards(event: TableEvent) -> list[Card]:
    match event:
        case HoleCardsDealt() | StreetDealt() | CardsShown():
            return list(event.cards)
        case HandsRevealed():
            return [card for _, cards in event.hands for card in cards]
        case _:
            return []


def _named(place: Place) -> str:
    return f"hand {place.hand} of {place.stream} (epoch {place.epoch})"
