"""Positions of button and blinds: dead button, and the draw for the first one (C-04, H-07)."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping

from tables.engine.cards import ORDER
from tables.engine.events import Card
from tables.engine.state import Positions

CIRCLE = 1_000
"""Larger than any seat number, so that differences of seats wrap around."""


def draw_button(cards: Mapping[int, Card]) -> int:
    """Return the seat with the highest card, spade over heart over diamond over club (C-04)."""
    return max(cards, key=lambda seat: ORDER[cards[seat]])


def next_positions(
    previous: Positions | None,
    occupied: tuple[int, ...],
    newcomers: frozenset[int],
    *,
    button: int | None = None,
    s0_order: bool = False,
    blinds: bool = True,
) -> Positions:
    """Return the positions of the next hand; without `previous`, of the first, with its `button`.

    The button may be dead: no seat skips the big blind or posts it twice running (H-07). A newcomer
    between the button and the small blind waits one hand (TDA 10). With `s0_order` the button of
    two seats posts the big blind (H-11). Without `blinds` (stud) the button only marks the start of
    the deal.
    """
    assert len(occupied) >= 2, "fewer than two seats"
    if not blinds:
        start = button if previous is None else _after(previous.button, occupied)
        assert start is not None, "no first button was drawn"
        return Positions(start, None, None, clockwise(start, occupied))
    if previous is None:
        assert button in occupied, "the first button is at an empty seat"
        return _first(button, occupied, s0_order)
    assert previous.big_blind is not None, "a dead button in a game without blinds"
    small_blind, big_blind = previous.big_blind, _after(previous.big_blind, occupied)
    button = _next_button(previous, small_blind, big_blind, occupied)
    waiting = _between(button, small_blind, newcomers & set(occupied)) - {big_blind}
    dealt = tuple(seat for seat in occupied if seat not in waiting)
    if len(dealt) < 2:
        dealt = occupied
    if len(dealt) == 2:
        return _heads_up(big_blind, dealt, s0_order)
    # Who waited while two played is left of their button, which did not move on: it moves now.
    passed = _between(button, small_blind, dealt)
    button = clockwise(small_blind, passed)[-1] if passed else button
    return _full(button, small_blind, big_blind, dealt)


def clockwise(start: int, seats: Iterable[int]) -> tuple[int, ...]:
    """Return the seats in order from the first after `start` round to `start` itself."""
    ordered = sorted(seats)
    after = bisect_right(ordered, start)
    return tuple(ordered[after:] + ordered[:after])


def _first(button: int, occupied: tuple[int, ...], s0_order: bool) -> Positions:
    if len(occupied) == 2:
        big_blind = button if s0_order else _after(button, occupied)
        return _heads_up(big_blind, occupied, s0_order)
    dealt = clockwise(button, occupied)
    return Positions(button=button, small_blind=dealt[0], big_blind=dealt[1], dealt=dealt)


def _next_button(
    previous: Positions, small_blind: int, big_blind: int, occupied: tuple[int, ...]
) -> int:
    """Return the last small blind's seat, or the last seat before the new small blind.

    After a hand of two seats the last small blind may lie beyond the new one; then the last seat
    before the new small blind gets the button.
    """
    button = previous.small_blind
    if button is None:
        button = previous.dead_small_blind
    assert button is not None
    if button == big_blind or _between(small_blind, big_blind, {button}):
        before = [seat for seat in clockwise(small_blind, occupied) if seat != small_blind]
        return before[-1]
    return button


def _heads_up(big_blind: int, dealt: tuple[int, ...], s0_order: bool) -> Positions:
    """Positions of two seats: the button posts the small blind (H-02), by S0 the big one (H-11)."""
    small_blind = next(seat for seat in dealt if seat != big_blind)
    button = big_blind if s0_order else small_blind
    return Positions(
        button=button,
        small_blind=small_blind,
        big_blind=big_blind,
        dealt=clockwise(button, dealt),
    )


def _full(button: int, small_blind: int, big_blind: int, dealt: tuple[int, ...]) -> Positions:
    alive = small_blind in dealt
    return Positions(
        button=button,
        small_blind=small_blind if alive else None,
        big_blind=big_blind,
        dealt=clockwise(button, dealt),
        dead_small_blind=None if alive else small_blind,
    )


def _after(seat: int, occupied: Iterable[int]) -> int:
    return clockwise(seat, occupied)[0]


def _between(start: int, end: int, seats: Iterable[int]) -> frozenset[int]:
    """Seats strictly between two others, going clockwise."""
    span = (end - start) % CIRCLE
    return frozenset(seat for seat in seats if 0 < (seat - start) % CIRCLE < span)
