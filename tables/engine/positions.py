"""Where button and blinds go: dead button, and the draw for the first one (C-04, H-07)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tables.engine.cards import ORDER
from tables.engine.events import Card
from tables.engine.state import Positions

CIRCLE = 1_000
"""More than any seat number, so that differences of seats wrap around."""


def draw_button(cards: Mapping[int, Card]) -> int:
    """The seat with the highest card, spade over heart over diamond over club (C-04)."""
    return max(cards, key=lambda seat: ORDER[cards[seat]])


def next_positions(
    previous: Positions | None,
    occupied: tuple[int, ...],
    newcomers: frozenset[int],
    *,
    button: int | None = None,
) -> Positions:
    """Positions of the next hand; without `previous`, of the first with the drawn `button`.

    A newcomer who sits between the button and the small blind waits one hand (TDA 10).
    """
    assert len(occupied) >= 2, "a hand needs two seats"
    if previous is None:
        assert button in occupied, "the first button is drawn among the seats"
        return _first(button, occupied)
    assert previous.big_blind is not None, "only games with blinds have a dead button"
    big_blind = _after(previous.big_blind, occupied)
    button = _next_button(previous)
    waiting = _between(button, previous.big_blind, newcomers & set(occupied)) - {big_blind}
    dealt = tuple(seat for seat in occupied if seat not in waiting)
    if len(dealt) < 2:
        dealt = occupied
    if len(dealt) == 2:
        return _heads_up(big_blind, dealt)
    return _full(button, previous.big_blind, big_blind, dealt)


def clockwise(start: int, seats: Iterable[int]) -> tuple[int, ...]:
    """Seats in order from the first after `start` round to `start` itself."""
    return tuple(sorted(seats, key=lambda seat: (seat - start - 1) % CIRCLE))


def _first(button: int, occupied: tuple[int, ...]) -> Positions:
    if len(occupied) == 2:
        return _heads_up(_after(button, occupied), occupied)
    dealt = clockwise(button, occupied)
    return Positions(button=button, small_blind=dealt[0], big_blind=dealt[1], dealt=dealt)


def _next_button(previous: Positions) -> int:
    if previous.small_blind is not None:
        return previous.small_blind
    assert previous.dead_small_blind is not None
    return previous.dead_small_blind


def _heads_up(big_blind: int, dealt: tuple[int, ...]) -> Positions:
    """With two seats the button posts the small blind (H-02)."""
    button = next(seat for seat in dealt if seat != big_blind)
    return Positions(
        button=button, small_blind=button, big_blind=big_blind, dealt=(big_blind, button)
    )


def _full(button: int, small_blind: int, big_blind: int, dealt: tuple[int, ...]) -> Positions:
    if button in (big_blind, small_blind):
        button = clockwise(small_blind, dealt)[-2 if small_blind in dealt else -1]
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


def _between(button: int, small_blind: int, seats: Iterable[int]) -> frozenset[int]:
    """The seats strictly between button and small blind, going clockwise."""
    span = (small_blind - button) % CIRCLE
    return frozenset(seat for seat in seats if 0 < (seat - button) % CIRCLE < span)
