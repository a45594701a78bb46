"""Counters of one finished hand for each player, from its record alone (pure)."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from config.sums import add_to
from tables.dealer.record import HandRecord
from tables.dealer.state import Played
from tables.engine.actions import Bet, Call, Fold, Raise, Show
from tables.engine.begin import begun
from tables.engine.decide import played
from tables.engine.state import HandSetup


class HandCounters(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Counters of a player's hands; `net` in chips, `played_ms` from the deal to the end.

    `voluntary` (VPIP): put chips in on the first street by choice; blinds, antes, straddles and
    bring-ins are no choice. `raised` (PFR): bet, completed or raised there. `three_bets` of
    `three_bet_chances`: raised there, asked behind exactly one raise of another player.
    `saw_second`: still in when the flop, in stud the fourth card, was dealt. `showdowns`: still in
    at the end with another player; `showdowns_won`, `won`: of them, and in all, with a share of a
    pot.
    """

    hands: int = 0
    voluntary: int = 0
    raised: int = 0
    three_bet_chances: int = 0
    three_bets: int = 0
    saw_second: int = 0
    showdowns: int = 0
    showdowns_won: int = 0
    won: int = 0
    net: int = 0
    played_ms: int = 0


NAMES = HandCounters.__struct_fields__
"""Names of all counters, in their order."""


class HandDecisions(msgspec.Struct, gc=False):
    """Sets of seats in one hand, as its decisions go by."""

    live: set[int]
    voluntary: set[int] = msgspec.field(default_factory=set)
    raised: set[int] = msgspec.field(default_factory=set)
    chances: set[int] = msgspec.field(default_factory=set)
    three_bets: set[int] = msgspec.field(default_factory=set)
    saw_second: set[int] = msgspec.field(default_factory=set)


def count_hand(record: HandRecord) -> dict[int, HandCounters]:
    """Return the counters of each player who was dealt in, by user."""
    course = follow_hand(record.playable_setup(), record.actions)
    won = {share.seat for award in record.result.awards for share in award.winners}
    shown = course.live if len(course.live) > 1 else frozenset()
    played_ms = max(0, record.ended_ms - record.began_ms)
    counted: dict[int, HandCounters] = {}
    for seat in record.seats:
        if not seat.dealt:
            continue
        number = seat.seat
        counters = HandCounters(
            1,
            int(number in course.voluntary),
            int(number in course.raised),
            int(number in course.chances),
            int(number in course.three_bets),
            int(number in course.saw_second),
            int(number in shown),
            int(number in shown and number in won),
            int(number in won),
            seat.chips - seat.chips_before,
            played_ms,
        )
        add_to(counted, seat.user, counters)
    return counted


def follow_hand(setup: HandSetup, actions: Iterable[Played]) -> HandDecisions:
    """Return the course of a hand; only its first street is replayed in the engine.

    Later streets change nothing but who folds, which the actions say themselves.
    """
    state = begun(setup).state
    course = HandDecisions(live={player.seat for player in setup.players})
    if state.round:  # forced bets put all in, and nobody is asked
        course.saw_second = set(course.live)
    raises = 0
    for one in actions:
        seat, action = one.seat, one.action
        if isinstance(action, Show):
            continue
        if state.round == 0:
            if raises == 1 and seat not in course.raised:
                course.chances.add(seat)
                if isinstance(action, Raise):
                    course.three_bets.add(seat)
            if isinstance(action, Bet | Raise):
                raises += 1
                course.raised.add(seat)
                course.voluntary.add(seat)
            elif isinstance(action, Call) and not state.must_open:
                course.voluntary.add(seat)
        if isinstance(action, Fold):
            course.live.discard(seat)
        if state.round == 0:
            state = played(state, seat, action).state
            if state.round:
                course.saw_second = set(course.live)
    return course
