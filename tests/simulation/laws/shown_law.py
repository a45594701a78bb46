"""Law of showing: cards of a hand each viewer may see, derived from the hand alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from room_client.messages.frames import TableSnapshot
from room_client.messages.hands import CardsShown, HandsRevealed, HoleCardsDealt
from tables.dealer.state import BEING_PLAYED, TableState
from tables.engine.events import HIDDEN, Card
from tables.engine.state import HandState, SeatState
from tables.engine.variants import VARIANTS

Shows = set[tuple[int, int, int]]
"""User, table and hand of everybody who asked to show his cards after a hand."""
HandKey = tuple[int, int]
"""Epoch and number of a hand."""
KEPT = 4


@dataclass
class Hand:
    """Known facts of a hand: the dealt seats and the cards visible so far."""

    users: dict[int, int]
    dealt: dict[int, frozenset[Card]] = field(default_factory=dict)
    up: dict[int, frozenset[Card]] = field(default_factory=dict)
    chosen: dict[int, frozenset[Card]] = field(default_factory=dict)
    shown_down: dict[int, frozenset[Card]] = field(default_factory=dict)

    def open(self, seat: int) -> frozenset[Card]:
        """Return the cards of a seat that everybody may see: dealt face up, shown or chosen."""
        seen = [of.get(seat, frozenset()) for of in (self.up, self.chosen, self.shown_down)]
        return frozenset[Card]().union(*seen)


class ShownLaw:
    """Visibility of the hands of one table while they are played; `shows` are the requests of
    players.
    """

    def __init__(self, table: int, shows: Shows) -> None:
        self.table = table
        self._shows = shows
        self._hands: dict[HandKey, Hand] = {}

    def see(self, state: TableState) -> Iterator[str]:
        """Update the visible cards of the table's hand; return cards shown against the rule."""
        hand = state.hand
        if hand is None or state.phase == "granted":
            return
        key = (state.epoch, state.hand_number)
        known = self._hands.get(key)
        if known is None:
            if state.phase not in BEING_PLAYED and state.phase != "finished":
                return  # the player of these cards may have left the seat
            known = self._hands[key] = Hand({seat.seat: seat.user for seat in state.seats})
            for old in list(self._hands)[:-KEPT]:
                del self._hands[old]
        if state.phase in BEING_PLAYED:
            known.users = {seat.seat: seat.user for seat in state.seats}
        self._learn(known, state, hand)
        for seat in hand.seats:
            over = {card for card in seat.shown if card != HIDDEN} - known.open(seat.seat)
            if over:
                yield self._says(f"hand {key[1]} shows {sorted(over)} of seat {seat.seat}")

    def forget(self) -> None:
        """Forget every hand: Redis was lost, and another one may deal them anew at their epoch.

        Until the loss is noticed, a hand that was only granted in the old data is dealt from a
        fresh deck. While somebody sees it, the rule of showing holds for the cards it has now.
        """
        self._hands.clear()

    def _learn(self, known: Hand, state: TableState, hand: HandState) -> None:
        live = [seat for seat in hand.seats if not seat.folded and seat.cards]
        called = len(live) > 1 and (hand.finished or _all_in(state, hand, live))
        for seat in hand.seats:
            cards = frozenset(seat.cards)
            known.dealt[seat.seat] = cards
            known.up[seat.seat] = _up(seat.cards, hand.rules.variant)
            if called and not (seat.folded or seat.mucked):
                known.shown_down[seat.seat] = cards
            asked = (known.users.get(seat.seat, 0), state.table, state.hand_number)
            if hand.finished and asked in self._shows:
                known.chosen[seat.seat] = cards

    def judge(self, seen: TableSnapshot, user: int | None) -> Iterator[str]:
        """Return cards of the last hand a viewer sees that are neither own nor shown cards."""
        known = self._hands.get((seen.epoch, seen.hand))
        if known is None:
            return
        own = {seat for seat, dealt_to in known.users.items() if dealt_to == user}
        for seat, cards in _visible(seen):
            may = known.open(seat)
            if seat in own:
                may |= known.dealt.get(seat, frozenset())
            over = {card for card in cards if card != HIDDEN} - may
            if over:
                viewer = "a spectator" if user is None else f"user {user}"
                whose = f"{sorted(over)} of seat {seat}"
                yield self._says(f"{viewer} sees {whose} in hand {seen.hand}, street {seen.street}")

    def _says(self, what: str) -> str:
        return f"table {self.table}: {what}, against the rule of showing"


def _visible(seen: TableSnapshot) -> Iterator[tuple[int, tuple[Card, ...]]]:
    for seat in seen.seats:
        yield seat.seat, seat.cards
    for event in seen.log:
        match event:
            case HoleCardsDealt() | CardsShown():
                yield event.seat, event.cards
            case HandsRevealed():
                yield from event.hands
            case _:
                pass


def _all_in(state: TableState, hand: HandState, live: list[SeatState]) -> bool:
    """Return whether hands are up before the result: a seat is all-in and betting is over."""
    if state.phase != "run_out" or all(seat.stack for seat in live):
        return False
    is_last = hand.street == VARIANTS[hand.rules.variant].streets[-1].street
    return is_last or sum(seat.stack > 0 for seat in live) <= 1


def _up(cards: tuple[Card, ...], variant: str) -> frozenset[Card]:
    """Cards that are dealt face up (D-01)."""
    faces: list[bool] = []
    for street in VARIANTS[variant].streets:
        faces += [False] * street.down + [True] * street.up
    return frozenset(card for card, up in zip(cards, faces, strict=False) if up)
