"""Deck that deals the known cards of a recorded hand to their places, and any cards elsewhere."""

from __future__ import annotations

from tables.engine.variants import VARIANTS, Variant
from tables.history.real_hands.record import RealHand
from tables.history.real_hands.stud_deck import stud_deck


def stacked(hand: RealHand, order: tuple[int, ...]) -> tuple[str, ...]:
    """Return a deck for `hand`, with seats dealt in `order`; raises CannotBeDealt."""
    variant = VARIANTS[hand.game]
    # A record may know more cards of a seat than its game deals; the surplus may lie anywhere.
    each = sum(street.down + street.up for street in variant.streets)
    dealt = (cards if variant.brings_in else cards[:each] for cards in hand.cards.values())
    known = {card for cards in dealt for card in cards} | set(hand.board)
    rest = [card for card in variant.deck if card not in known]
    if variant.brings_in:
        return stud_deck(hand, order, variant, rest)
    return _board_game(hand, order, variant, rest)


def _board_game(
    hand: RealHand, order: tuple[int, ...], variant: Variant, rest: list[str]
) -> tuple[str, ...]:
    each = variant.streets[0].down
    hole = {seat: _filled(hand, seat, each, rest) for seat in order}
    deck = [hole[seat][turn] for turn in range(each) for seat in order]
    board = list(hand.board)
    for street in variant.streets[1:]:
        deck.append(rest.pop())
        for _ in range(street.board):
            deck.append(board.pop(0) if board else rest.pop())
    return (*deck, *rest)


def _filled(hand: RealHand, seat: int, each: int, rest: list[str]) -> list[str]:
    cards = list(hand.cards.get(seat, ()))[:each]
    return cards + [rest.pop() for _ in range(each - len(cards))]
