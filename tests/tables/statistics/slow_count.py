"""Independent count of a hand's decisions: from its events, and from records of people.

Neither reads the engine's states, nor the actions of which `tables.statistics.counters` counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tables.engine.events import BetMade, Called, Checked, Folded, HandEvent, Raised, StreetDealt
from tables.history.real_hands.record import RealHand
from tables.statistics.counters import HandDecisions

PUTS_CHIPS_IN = ("call", "bet", "raise_to")


@dataclass
class SlowCount:
    """Sets of seats, filled by a reader of a hand."""

    live: set[int]
    voluntary: set[int] = field(default_factory=set)
    raisers: list[int] = field(default_factory=list)
    chances: set[int] = field(default_factory=set)
    three_bets: set[int] = field(default_factory=set)
    saw_second: set[int] = field(default_factory=set)

    def asked(self, seat: int, *, puts_in: bool, raises: bool) -> None:
        """Note a decision on the first street."""
        if len(self.raisers) == 1 and self.raisers[0] != seat:
            self.chances.add(seat)
            if raises:
                self.three_bets.add(seat)
        if puts_in:
            self.voluntary.add(seat)
        if raises:
            self.raisers.append(seat)

    def course(self) -> HandDecisions:
        """Return the sets as the room counts them."""
        return HandDecisions(
            self.live,
            self.voluntary,
            set(self.raisers),
            self.chances,
            self.three_bets,
            self.saw_second,
        )


def from_events(events: Iterable[HandEvent], dealt: Iterable[int]) -> SlowCount:
    """Count a hand from the events that viewers saw."""
    count, is_first = SlowCount(set(dealt)), True
    for event in events:
        if isinstance(event, StreetDealt) and is_first:
            is_first, count.saw_second = False, set(count.live)
        if is_first and isinstance(event, Folded | Checked | Called | BetMade | Raised):
            raises = isinstance(event, BetMade | Raised)
            count.asked(event.seat, puts_in=raises or isinstance(event, Called), raises=raises)
        if isinstance(event, Folded):
            count.live.discard(event.seat)
    return count


def from_people(hand: RealHand) -> SlowCount:
    """Count a hand from its record: the streets and kinds that another room wrote."""
    count = SlowCount(set(hand.stacks))
    first = "third" if hand.game.startswith("stud") else "preflop"
    for act in hand.actions:
        if act.street == first:
            raises = act.kind in ("bet", "raise_to")
            count.asked(act.seat, puts_in=act.kind in PUTS_CHIPS_IN, raises=raises)
        elif not count.saw_second:
            count.saw_second = set(count.live)
        if act.kind == "fold":
            count.live.discard(act.seat)
    if len(count.live) > 1 and not count.saw_second:  # all-in on the first street
        count.saw_second = set(count.live)
    return count
