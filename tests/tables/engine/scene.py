"""Short notation for a hand: seats, known cards, and actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from tables.engine.actions import Action, Option
from tables.engine.begin import begin
from tables.engine.betting import legal_actions
from tables.engine.cards import DECK
from tables.engine.decide import decide
from tables.engine.events import Card, HandEvent, Options, Stakes
from tables.engine.evolve import evolve
from tables.engine.positions import clockwise, next_positions
from tables.engine.result import HandResult, result
from tables.engine.state import HandSetup, HandState, Player, Positions, Post, Rules
from tables.engine.variants import VARIANTS

AnEvent = TypeVar("AnEvent")

DEFAULTS = Options()
NL_50_100 = Stakes(small_blind=50, big_blind=100)


class Scene:
    """A hand in play: its state, and every event so far."""

    def __init__(self, setup: HandSetup) -> None:
        self.setup = setup
        self.state: HandState | None = None
        self.events: list[HandEvent] = []
        self._happen(begin(setup))

    def does(self, *acts: tuple[int, Action]) -> Scene:
        """Let seats act one after another."""
        for seat, action in acts:
            self._happen(decide(self.now, seat, action))
        return self

    def _happen(self, events: tuple[HandEvent, ...]) -> None:
        for event in events:
            self.state = evolve(self.state, event)
        self.events += events

    @property
    def now(self) -> HandState:
        """State of the hand."""
        assert self.state is not None
        return self.state

    def option(self) -> Option:
        """Legal actions of the seat to act."""
        assert self.now.actor is not None
        return legal_actions(self.now, self.now.actor)

    def all(self, kind: type[AnEvent]) -> list[AnEvent]:
        """Events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def result(self) -> HandResult:
        """Result of the hand, which must be over."""
        return result(self.now)

    def stacks(self) -> dict[int, int]:
        """Chips by seat."""
        return {seat.seat: seat.stack for seat in self.now.seats}


def scene(
    stacks: Mapping[int, int],
    *,
    button: int = 1,
    variant: str = "holdem",
    limit: str = "no_limit",
    stakes: Stakes = NL_50_100,
    options: Options = DEFAULTS,
    hole: Mapping[int, Sequence[Card]] | None = None,
    board: Sequence[Card] = (),
    posts: Mapping[int, tuple[Post, ...]] | None = None,
    positions: Positions | None = None,
    open_losers: Sequence[int] = (),
    closed_losers: Sequence[int] = (),
) -> Scene:
    """A hand of seats with these chips; unnamed cards fall at random."""
    where = positions or _positions(tuple(stacks), button, variant, options)
    order = clockwise(where.button, where.dealt)
    return Scene(
        HandSetup(
            hand=1,
            rules=Rules(variant, limit, stakes, options),
            positions=where,
            players=tuple(
                Player(
                    seat,
                    chips,
                    (posts or {}).get(seat, ()),
                    seat in open_losers,
                    seat in closed_losers,
                )
                for seat, chips in stacks.items()
            ),
            deck=stacked_deck(order, variant, hole or {}, board),
        )
    )


def _positions(seats: tuple[int, ...], button: int, variant: str, options: Options) -> Positions:
    if VARIANTS[variant].brings_in:
        return Positions(button, None, None, clockwise(button, seats))
    return next_positions(None, seats, frozenset(), button=button, s0_order=options.s0_order)


def stacked_deck(
    order: Sequence[int], variant: str, hole: Mapping[int, Sequence[Card]], board: Sequence[Card]
) -> tuple[Card, ...]:
    """A deck that deals these cards to these seats and to the board, and random cards otherwise.

    In stud no seat may fold before its named cards have been dealt.
    """
    known = {card for cards in (board, *hole.values()) for card in cards}
    rest = [card for card in DECK if card not in known]
    hands = {seat: list(hole.get(seat, ())) for seat in order}
    common = list(board)
    deck: list[Card] = []
    for number, street in enumerate(VARIANTS[variant].streets):
        if number:
            deck.append(rest.pop())
        for _ in range(street.down + street.up):
            deck += [hands[seat].pop(0) if hands[seat] else rest.pop() for seat in order]
        deck += [common.pop(0) if common else rest.pop() for _ in range(street.board)]
        if len(deck) > len(DECK) - len(order) - 1:
            break
    return (*deck, *(card for card in DECK if card not in set(deck)))
