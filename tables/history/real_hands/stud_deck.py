"""Stud deck for a recorded hand: unknown cards are drawn until every street opens as recorded."""

from __future__ import annotations

from random import Random

from tables.engine.opening import HIGHEST_OPENS, bring_in, highest_showing
from tables.engine.variants import StreetDeal, Variant
from tables.history.real_hands.record import RealHand

DRAWS_MAX = 300
"""Draws of one street's unknown cards before the hand starts over."""

STARTS_MAX = 100
"""Starts of a hand before it is given up."""

Hole = dict[int, list[str]]
Streets = list[tuple[StreetDeal, tuple[int, ...]]]
"""Each street with its live seats, in dealing order."""


class CannotBeDealt(Exception):
    """Reason why no deck deals the recorded cards to the recorded seats, in one sentence."""


def stud_deck(
    hand: RealHand, order: tuple[int, ...], variant: Variant, rest: list[str]
) -> tuple[str, ...]:
    """Return a deck with open cards that make the recorded seats act first, or raise CannotBeDealt.

    When the deck has too few cards on the last street, one common card is dealt to all (D-03): the
    recorded one, or any.
    """
    streets = list(zip(variant.streets, _live_by_street(hand, order, variant), strict=True))
    common = _runs_out(streets, len(variant.deck))
    if hand.board and not common:
        raise CannotBeDealt("a common card is recorded, but the deck has one for each seat")
    if common:
        streets.pop()
    _check(hand, streets)
    for seed in range(STARTS_MAX):
        random = Random(seed)  # nosec B311
        hole: Hole = {seat: [] for seat in order}
        pool = list(rest)
        if all(_street(hand, street, seats, hole, pool, random) for street, seats in streets):
            deck = _in_dealing_order(hole, streets, pool, len(variant.deck))
            if common:
                deck += [pool.pop()] if len(variant.deck) - len(deck) > 1 else []
                deck += hand.board or [pool.pop()]
            return (*deck, *pool)
    raise CannotBeDealt("no deck makes the recorded seats act first")


def _runs_out(streets: Streets, size: int) -> bool:
    """Return whether the last street has more live seats than the deck has cards."""
    needed = [len(seats) * (street.down + street.up) for street, seats in streets]
    burnt = len(streets) - 2
    return size - sum(needed[:-1]) - burnt < needed[-1]


def _check(hand: RealHand, streets: Streets) -> None:
    """Refuse actions of seats that have folded, and more cards than a seat is dealt."""
    for street, seats in streets:
        gone = {act.seat for act in hand.actions if act.street == street.street} - set(seats)
        if gone:
            raise CannotBeDealt(f"seat {min(gone)} acts on the {street.street} after a fold")
    for seat, cards in hand.cards.items():
        dealt = sum(street.down + street.up for street, seats in streets if seat in seats)
        if len(cards) > dealt:
            raise CannotBeDealt(f"seat {seat} has {len(cards)} cards, but is dealt {dealt}")


def _live_by_street(
    hand: RealHand, order: tuple[int, ...], variant: Variant
) -> list[tuple[int, ...]]:
    live, folded = [], set()
    for street in variant.streets:
        live.append(tuple(seat for seat in order if seat not in folded))
        folded |= {
            act.seat for act in hand.actions if act.street == street.street and act.kind == "fold"
        }
    return live


def _street(
    hand: RealHand,
    street: StreetDeal,
    seats: tuple[int, ...],
    hole: Hole,
    pool: list[str],
    random: Random,
) -> bool:
    """Give each seat its cards of one street; False when no draw opens it as recorded.

    Raises CannotBeDealt when all cards are known and open it with another seat.
    """
    acting = [act.seat for act in hand.actions if act.street == street.street]
    count = street.down + street.up
    for _ in range(DRAWS_MAX):
        random.shuffle(pool)
        drawn = iter(pool)
        dealt = {
            seat: [
                *hand.cards.get(seat, ())[len(hole[seat]) : len(hole[seat]) + count],
            ]
            for seat in seats
        }
        for cards in dealt.values():
            cards += [next(drawn) for _ in range(count - len(cards))]
        after = {seat: hole[seat] + dealt[seat] for seat in seats}
        if not acting or _first(hand, street, seats, after, acting) == acting[0]:
            hole.update(after)
            pool[:] = list(drawn)
            return True
        if all(len(hand.cards.get(seat, ())) >= len(cards) for seat, cards in after.items()):
            raise CannotBeDealt(f"seat {acting[0]} acts first on the {street.street}")
    return False


def _first(
    hand: RealHand, street: StreetDeal, seats: tuple[int, ...], hole: Hole, acting: list[int]
) -> int:
    """Return the first seat that acts, from the seat that the open cards choose."""
    showing = [hole[seat][2:6] for seat in seats]
    if street.down == 2:
        start = bring_in(showing, highest=hand.limit in HIGHEST_OPENS)
    else:
        start = highest_showing(showing)
    return next(seat for seat in seats[start:] + seats[:start] if seat in acting)


def _in_dealing_order(hole: Hole, streets: Streets, pool: list[str], size: int) -> list[str]:
    """Cards in dealing order, with a burn before a street unless the deck has just enough."""
    deck: list[str] = []
    spent = 0
    for street, seats in streets:
        each = street.down + street.up
        if spent and size - len(deck) > each * len(seats):
            deck.append(pool.pop())
        for turn in range(spent, spent + each):
            deck += [hole[seat][turn] for seat in seats]
        spent += each
    return deck
