"""Closed list of reasons why a program of the standard plays an exported hand differently."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, cast

from tables.engine.betting import RAISES_MAX, is_full
from tables.engine.events import (
    BetMade,
    Called,
    HandBegan,
    HandEnded,
    HandEvent,
    Posted,
    PotAwarded,
    Raised,
    StreetDealt,
)
from tables.engine.evolve import evolve
from tables.engine.state import HandState
from tables.engine.variants import VARIANTS

Difference = Literal[
    "no_code",
    "rake",
    "posts",
    "order",
    "short_big_blind",
    "short_blind",
    "bring_in_covers",
    "short_raise",
    "covered_raise",
    "cap_lifted",
    "deck_runs_out",
    "odd_chips",
]
"""Value of `_differs`; docs/exports.md explains each."""


def difference(events: Sequence[HandEvent], *, has_code: bool) -> Difference | None:
    """Return the first reason that applies to a finished hand with all its cards, or None.

    A reason is a warning: some of these hands still end with equal stacks.
    """
    return next(_differences(events, has_code), None)


def _differences(events: Sequence[HandEvent], has_code: bool) -> Iterator[Difference]:
    began = cast(HandBegan, events[0])
    awards = [event for event in events if isinstance(event, PotAwarded)]
    if not has_code:
        yield "no_code"
    if began.options.s0_order:
        yield "order"
    yield from _in_posts(began, events)
    yield from _in_betting(events)
    brings_in = VARIANTS[began.variant].brings_in
    if brings_in and any(isinstance(event, StreetDealt) and event.cards for event in events):
        yield "deck_runs_out"
    if _odd_chips(awards, brings_in):
        yield "odd_chips"
    # Last: a hand that names it is the same but for the rake.
    if any(award.rake for award in awards):
        yield "rake"


def _in_posts(began: HandBegan, events: Sequence[HandEvent]) -> Iterator[Difference]:
    """Yield reasons in the forced bets: debts, penalties, and blinds that are not paid in full."""
    stakes = began.stakes
    posted = [event for event in events if isinstance(event, Posted)]
    blinds = {"small_blind": began.small_blind, "big_blind": began.big_blind}
    if any(
        post.kind in ("dead", "penalty") or blinds.get(post.kind, post.seat) != post.seat
        for post in posted
    ):
        yield "posts"
    paid = {post.kind: post.amount for post in posted if blinds.get(post.kind) == post.seat}
    if paid.get("big_blind", 0) < stakes.big_blind and _owes_blind(began, events):
        yield "short_big_blind"
    if began.limit == "pot_limit" and paid.get("small_blind", 0) < stakes.small_blind:
        yield "short_blind"


def _owes_blind(began: HandBegan, events: Sequence[HandEvent]) -> bool:
    """Return whether bets follow from the whole blind, of which only a part was paid.

    Without a limit these are calls of the blind, and raises that are measured by the first one.
    """
    if began.limit not in ("no_limit", "spread_limit"):
        return True
    raises = 0
    for event in events:
        if isinstance(event, StreetDealt) and event.street == "flop":
            break
        if isinstance(event, Posted) and event.kind == "straddle":
            return True
        if isinstance(event, Called) and not raises:
            return True
        raises += isinstance(event, Raised)
    return raises > 1


def _in_betting(events: Sequence[HandEvent]) -> Iterator[Difference]:
    """Yield reasons in the betting: raises whose effect on later raises differs between rooms."""
    state: HandState | None = None
    short: set[int] = set()
    for event in events:
        if state is not None and isinstance(event, BetMade | Raised):
            if state.round in short:
                yield "short_raise"
            if state.rules.limit == "fixed_limit" and state.raises >= RAISES_MAX:
                yield "cap_lifted"
            size = _size(state, event)
            if size < state.step:
                short.add(state.round)
            if not is_full(state, size) and state.aggressor is None:
                yield "short_raise"
            if _others_covered(state):
                yield "covered_raise"
        state = evolve(state, event)
        if state.must_open and state.actor is not None and _opening_covers(state):
            yield "bring_in_covers"
        if isinstance(event, HandEnded):
            return


def _size(state: HandState, event: BetMade | Raised) -> int:
    return (event.to if isinstance(event, Raised) else event.amount) - state.base


def _others_covered(state: HandState) -> bool:
    """Return whether no other live seat has chips beyond the level of the bet."""
    return all(
        seat.folded or seat.bet + seat.stack <= state.level
        for seat in state.seats
        if seat.seat != state.actor
    )


def _opening_covers(state: HandState) -> bool:
    """Return whether the bring-in puts its seat or all other seats all-in (D-02)."""
    assert state.actor is not None
    others = [seat.stack for seat in state.seats if seat.seat != state.actor]
    return max(others) <= state.level or state.seat(state.actor).stack <= state.level


def _odd_chips(awards: Sequence[PotAwarded], brings_in: bool) -> bool:
    """Return whether there were more odd chips, or other receivers, than all programs agree on.

    Some split pots of the same winners as one: two odd chips make an even sum.
    """
    if {"all", "high"} <= {award.half for award in awards}:
        return True
    odd_whole = odd_halves = 0
    for award in awards:
        shares = [share.amount for share in award.winners]
        if not shares:  # the rake takes the whole pot
            continue
        odd = sum(shares) - len(shares) * min(shares)
        if odd and (brings_in or award.half != "all"):
            return True
        odd_whole += odd
        # The high half bears the rake of its pot: the pot is halved without it.
        net = award.amount - award.rake
        odd_halves += net if award.half == "high" else 0
        odd_halves -= net if award.half == "low" else 0
    return odd_whole > 1 or odd_halves > 1
