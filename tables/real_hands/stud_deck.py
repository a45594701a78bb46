"""A stud deck for a recorded hand: unknown cards are drawn until every street opens as recorded."""

from __future__ import annotations

from random import Random

from tables.engine.opening import HIGHEST_OPENS, bring_in, highest_showing
from tables.engine.variants import Deal, Variant
from tables.real_hands.record import RealHand

DRAWS_MAX = 300
"""How often one street's unknown cards are drawn before the hand starts over."""

STARTS_MAX = 100
"""How often a hand starts over before its deck is left as it falls."""

Hole = dict[int, list[str]]


def stud_deck(
    hand: RealHand, order: tuple[int, ...], variant: Variant, rest: list[str]
) -> tuple[str, ...]:
    """A deck whose open cards make the recorded seats act first."""
    live = _live_by_street(hand, order, variant)
    for seed in range(STARTS_MAX):
        random = Random(seed)  # nosec B311
        hole: Hole = {seat: [] for seat in order}
        pool = list(rest)
        if all(
            _street(hand, street, seats, hole, pool, random)
            for street, seats in zip(variant.streets, live, strict=True)
        ):
            break
    return _in_dealing_order(hole, variant, live, pool)


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
    street: Deal,
    seats: tuple[int, ...],
    hole: Hole,
    pool: list[str],
    random: Random,
) -> bool:
    """Give each seat its cards of one street; False when no draw opens it as recorded."""
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
    return False


def _first(
    hand: RealHand, street: Deal, seats: tuple[int, ...], hole: Hole, acting: list[int]
) -> int:
    """The first seat that acts, from the one that the open cards choose."""
    showing = [hole[seat][2:6] for seat in seats]
    if street.down == 2:
        start = bring_in(showing, highest=hand.limit in HIGHEST_OPENS)
    else:
        start = highest_showing(showing)
    return next(seat for seat in seats[start:] + seats[:start] if seat in acting)


def _in_dealing_order(
    hole: Hole, variant: Variant, live: list[tuple[int, ...]], pool: list[str]
) -> tuple[str, ...]:
    deck: list[str] = []
    spent = 0
    for street, seats in zip(variant.streets, live, strict=True):
        if spent:
            deck.append(pool.pop())
        for turn in range(spent, spent + street.down + street.up):
            deck += [hole[seat][turn] for seat in seats if turn < len(hole[seat])]
        spent += street.down + street.up
    return (*deck, *pool)
