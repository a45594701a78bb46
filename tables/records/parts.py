"""Parts of a finished hand: what all saw, what each player may know beside, the rest (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from tables.dealer.hiding import cards_of
from tables.dealer.record import HandRecord
from tables.dealer.sealed import CalledHand
from tables.dealer.seen_record import HoleCards, KnownCard, SeenRecord, Unread
from tables.engine.actions import Fold
from tables.engine.cards import DECK
from tables.engine.events import HIDDEN, Card, HandEvent, HoleCardsDealt
from tables.engine.variants import VARIANTS
from tables.engine.visibility import view
from tables.fairness.sealing import SealedCards


class SecretPart(msgspec.Struct, frozen=True, array_like=True):
    """Secret of the sealed deck (b"" for none), and the deck: with them a record is whole."""

    secret: bytes
    deck: str


class OwnPart(msgspec.Struct, frozen=True, array_like=True):
    """Hole cards that one player may know and not all were shown, with their opened envelopes."""

    known: tuple[tuple[int, HoleCards], ...]
    known_cards: tuple[KnownCard, ...]


class RecordParts(msgspec.Struct, frozen=True):
    """A record in parts: open to all, own by seat, and secret."""

    open: SeenRecord
    own: dict[int, OwnPart]
    secret: SecretPart


def split(kept: HandRecord) -> RecordParts:
    """Return the parts of a whole record."""
    places = {card: at for at, card in enumerate(kept.setup.deck)}
    shown = dict(kept.result.shown)
    public = dict.fromkeys([*kept.result.board, *chain.from_iterable(shown.values())])
    public.pop(HIDDEN, None)
    envelopes = _Envelopes(kept.called)
    open_part = SeenRecord(
        **_fields(kept)
        | {
            "setup": replace(
                kept.setup,
                deck=tuple([card if card in public else HIDDEN for card in kept.setup.deck]),
            ),
            "called": _without_secret(kept.called),
            "ending": kept.ending or _ending(kept),
        },
        envelopes=b"".join(envelopes.all),
        known_cards=envelopes.opened(public, places),
    )
    hands = {seat: cards for seat, cards in hole_cards(kept).items() if cards != shown.get(seat)}
    mucked = _looked_up(kept)
    own: dict[int, OwnPart] = {}
    for player in kept.setup.players:
        seats = [seat for seat in hands if seat == player.seat or seat in mucked]
        if seats:
            cards = [card for seat in seats for card in hands[seat]]
            known = tuple([(seat, hands[seat]) for seat in seats])
            own[player.seat] = OwnPart(known, envelopes.opened(cards, places))
    secret = b"" if kept.called is None else kept.called.sealed.secret
    return RecordParts(open_part, own, SecretPart(secret, "".join(kept.setup.deck)))


def whole(open_part: SeenRecord, secret: SecretPart) -> HandRecord:
    """Return the whole record of its open and its secret part."""
    called = open_part.called
    if called is not None:
        called = replace(called, sealed=replace(called.sealed, secret=secret.secret))
    setup = replace(open_part.setup, deck=cards_of(secret.deck))
    return HandRecord(**_fields(open_part) | {"setup": setup, "called": called})


def seen(open_part: SeenRecord, own: OwnPart | None, unread: Unread = "") -> SeenRecord:
    """Return the record as the player of an own part may know it; None adds nothing."""
    if own is None:
        return replace(open_part, unread=unread)
    cards = (*open_part.known_cards, *own.known_cards)
    return replace(open_part, known=own.known, known_cards=cards)


def sealed_cards(kept: HandRecord) -> SealedCards:
    """Return the sealed deck of a hand; -1 and b"" for cards and salts nobody here may know."""
    assert kept.called is not None, "a hand without a seal"
    if not isinstance(kept, SeenRecord):
        return kept.called.sealed.cards()
    size = len(kept.envelopes) // _SIZE
    order, salts = [-1] * size, [b""] * size
    for one in kept.known_cards:
        order[one.place], salts[one.place] = one.card, one.salt
    return SealedCards(
        tuple(order),
        tuple(salts),
        tuple([kept.envelopes[at : at + _SIZE] for at in range(0, len(kept.envelopes), _SIZE)]),
        kept.called.sealed.seal,
    )


def hole_cards(kept: HandRecord) -> dict[int, HoleCards]:
    """Return the hole cards of each seat of a whole record, in the order dealt."""
    streets = VARIANTS[kept.setup.rules.variant].streets
    if not any(street.down or street.up for street in streets[1:]):
        # Settlement has no time for a replay: all cards lie at the top of the deck (H-01).
        seats = kept.setup.positions.dealt
        end = len(seats) * (streets[0].down + streets[0].up)
        return {seat: kept.setup.deck[at : end : len(seats)] for at, seat in enumerate(seats)}
    found: dict[int, tuple[Card, ...]] = {}
    for event in kept.events():
        if isinstance(event, HoleCardsDealt):
            found[event.seat] = (*found.get(event.seat, ()), *event.cards)
    return found


_SIZE = 32
"""Bytes of an envelope."""


class _Envelopes:
    """Envelopes of a called hand, none for a hand without a seal."""

    def __init__(self, called: CalledHand | None) -> None:
        self._cards = None if called is None else called.sealed.cards()
        order = () if self._cards is None else self._cards.order
        # Each card is in one envelope: its place needs no cut, which costs as much as the rest.
        self._places = {DECK[card]: place for place, card in enumerate(order)}
        self.all: tuple[bytes, ...] = () if self._cards is None else self._cards.envelopes

    def opened(self, cards: Iterable[Card], at: Mapping[Card, int]) -> tuple[KnownCard, ...]:
        """Return the openings of the envelopes of these cards, which lie `at` these positions."""
        sealed, places = self._cards, self._places
        if sealed is None:
            return ()
        return tuple(
            [
                KnownCard(at[card], place, sealed.order[place], sealed.salts[place])
                for card in cards
                for place in (places[card],)
            ]
        )


def _looked_up(kept: HandRecord) -> frozenset[int]:
    """Return the seats of a showdown whose hands players may look up (S-03)."""
    folded = {played.seat for played in kept.actions if isinstance(played.action, Fold)}
    live = frozenset(player.seat for player in kept.setup.players) - folded
    if len(live) < 2 or kept.setup.rules.options.muck_secret:
        return frozenset()
    return live


def _ending(kept: HandRecord) -> tuple[HandEvent, ...]:
    return tuple([view(event, None) for event in kept.steps()[-1]])


def _without_secret(called: CalledHand | None) -> CalledHand | None:
    return called and replace(called, sealed=replace(called.sealed, secret=b""))


def _fields(kept: HandRecord) -> dict[str, Any]:
    return {name: getattr(kept, name) for name in HandRecord.__struct_fields__}
