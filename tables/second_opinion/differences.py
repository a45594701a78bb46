"""Known differences of pokerkit, each with the rule that this engine follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tables.engine.betting import RAISES_MAX, is_full
from tables.engine.events import BetMade, HandEvent, HoleCardsDealt, Posted, PotAwarded, Raised
from tables.engine.evolve import evolve, evolve_all
from tables.engine.opening import HIGHEST_OPENS
from tables.engine.state import HandSetup, HandState
from tables.engine.variants import VARIANTS

SHORT_BIG_BLIND = "short big blind: the others owe the full big blind (H-06)"
SHORT_BLIND_POT = "short blind in pot limit: the pot counts it in full (B-02, TDA 54)"
ANTE_AFTER_BLIND = "big blind ante: a short stack pays the blind first (H-08)"
SHORT_OPENING = "short all-in as the first raise of a street does not reopen it (H-05, TDA 47)"
SHORT_OF_LEAST = "stud: after a completion a raise is full from the least bet on (H-05, B-01)"
TOGETHER = (
    "short all-ins that make a full raise together reopen, one more takes nothing back (H-05)"
)
HALF_REOPENS = "fixed limit: half a bet reopens, less is completed (H-05, TDA 47-B)"
ACE_BRINGS_IN = "stud without limit: an ace is the highest card to bring in (D-02, C-01)"
ODD_CHIPS = "odd chips go one each to several seats, and each pot is split by itself (P-02, TDA 20)"
EQUAL_BOTH_WAYS = "seats equal both ways share the pot as evenly as possible (P-02, TDA 20)"
BRING_IN_COVERS = "stud: no completing where the bring-in puts the seat or all others all-in (D-02)"
DECK_RUNS_OUT = "stud: one community card when the deck runs out, no card is dealt twice (D-03)"
COVERED = "a raise is possible while another seat has chips, be it fewer than the level (H-04)"
STUD_ODD_CHIP = "stud: the odd chip goes to the highest card (P-02)"
OTHER_ORDER = "every street starts left of the button, by a setting of the game (H-11)"
OPEN_PAIR = "stud: the big bet on fourth street with a pair showing, by a setting (B-01)"
STREET_RAKE = "pot limit: rake that is taken after each street lowers the pot (R-02)"
CAP_LIFTED = "the cap of fixed limit is lifted for two players (B-03)"
DEBTS = "debts and penalties go to the main pot, which pokerkit does not know (P-03)"
SPLIT_RAKE = "rake of a pot with several winners (R-02)"
OTHER_GAME = "a game that pokerkit does not play (of other rules)"
NO_LOW_HERE = "a low outside a side pot does not halve that pot (O-03, P-01)"


PLAYED = frozenset(("holdem", "omaha", "omaha5", "omaha_hilo", "omaha5_hilo", "stud", "stud_hilo"))
"""Variants of this engine that pokerkit plays by the same rules."""


def not_compared(setup: HandSetup) -> str | None:
    """Return the reason why a hand is not played in pokerkit at all, or None."""
    positions, options = setup.positions, setup.rules.options
    blinds = {"small_blind": positions.small_blind, "big_blind": positions.big_blind}
    posts = [(player.seat, post.kind) for player in setup.players for post in player.posts]
    if setup.rules.variant not in PLAYED:
        return OTHER_GAME
    if options.s0_order:
        return OTHER_ORDER
    if options.open_pair:
        return OPEN_PAIR
    if options.rake is not None and options.rake.per_street and setup.rules.limit == "pot_limit":
        return STREET_RAKE
    if any(kind != "straddle" and blinds.get(kind) != seat for seat, kind in posts):
        return DEBTS
    return None


def named_difference(
    setup: HandSetup, events: Sequence[HandEvent], gaps: tuple[int, ...]
) -> str | None:
    """Name of the difference in a hand, or None.

    Without `gaps` (chips that seats have more than in pokerkit at the end) the engines differ
    before a decision.
    """
    found = _in_pots(setup, events, gaps) if gaps else _in_betting(setup, events)
    return next(found, None)


def _in_betting(setup: HandSetup, events: Sequence[HandEvent]) -> Iterator[str]:
    rules = setup.rules
    posted = [event for event in events if isinstance(event, Posted)]
    if _short(posted, "big_blind", rules.stakes.big_blind):
        yield SHORT_BIG_BLIND
    if rules.limit == "pot_limit" and _short(posted, "small_blind", rules.stakes.small_blind):
        yield SHORT_BLIND_POT
    if rules.stakes.ante_kind == "big_blind" and _short(posted, "ante", rules.stakes.ante):
        yield ANTE_AFTER_BLIND
    if rules.limit in HIGHEST_OPENS and _ace_up(events):
        yield ACE_BRINGS_IN
    state = evolve_all(None, events)
    yield from _in_turn(state, events)
    for before, event in _raises(events):
        size = (event.to if isinstance(event, Raised) else event.amount) - before.base
        if rules.limit == "fixed_limit" and size < before.step:
            yield HALF_REOPENS
        elif not is_full(before, size) and before.aggressor is None:
            yield SHORT_OPENING
        elif not is_full(before, size) and VARIANTS[rules.variant].brings_in and not before.round:
            yield SHORT_OF_LEAST


def _in_turn(state: HandState, events: Sequence[HandEvent]) -> Iterator[str]:
    """Yield differences in the decision that is asked."""
    if state.rules.limit == "fixed_limit" and state.raises >= RAISES_MAX:
        yield CAP_LIFTED
    if _bring_in_covers(state):
        yield BRING_IN_COVERS
    if _all_others_covered(state):
        yield COVERED
    if _reopened_by_several(state, events):
        yield TOGETHER


def _short(posted: Sequence[Posted], kind: str, due: int) -> bool:
    """Return whether a forced bet of that kind was not paid in full, or not at all."""
    return due > max((event.amount for event in posted if event.kind == kind), default=0)


def _reopened_by_several(state: HandState, events: Sequence[HandEvent]) -> bool:
    """Return whether a seat that has acted faces a full raise of three or more short all-ins."""
    if state.actor is None:
        return False
    place = state.order.index(state.actor)
    owed = state.level - state.seats[place].bet
    short = [
        before
        for before, event in _raises(events)
        if before.round == state.round and isinstance(event, Raised)
        if not is_full(before, event.to - before.base)
    ]
    return len(short) > 2 and bool(state.acted >> place & 1) and is_full(state, owed)


def _all_others_covered(state: HandState) -> bool:
    """Return whether no other seat has chips beyond the level; some rooms still allow a raise."""
    return all(
        seat.folded or seat.bet + seat.stack <= state.level
        for seat in state.seats
        if seat.seat != state.actor
    )


def _bring_in_covers(state: HandState) -> bool:
    if not state.must_open or state.actor is None:
        return False
    stacks = [seat.stack for seat in state.seats if seat.seat != state.actor]
    return max(stacks) <= state.level or state.seat(state.actor).stack <= state.level


def _ace_up(events: Sequence[HandEvent]) -> bool:
    dealt = [event for event in events if isinstance(event, HoleCardsDealt)]
    return any(event.up and event.cards[-1][0] == "A" for event in dealt if len(event.cards) > 1)


def _raises(events: Sequence[HandEvent]) -> Iterator[tuple[HandState, BetMade | Raised]]:
    state: HandState | None = None
    for event in events:
        if isinstance(event, BetMade | Raised):
            assert state is not None
            yield state, event
        state = evolve(state, event)


def _in_pots(setup: HandSetup, events: Sequence[HandEvent], gaps: tuple[int, ...]) -> Iterator[str]:
    awards = [event for event in events if isinstance(event, PotAwarded)]
    if any(award.rake and len(award.winners) > 1 for award in awards):
        yield SPLIT_RAKE
    if {"all", "high"} <= {award.half for award in awards}:
        yield NO_LOW_HERE
    if ANTE_AFTER_BLIND in _in_betting(setup, events):
        yield ANTE_AFTER_BLIND
    odd = sum(max(1, len(award.winners) - 1) for award in awards)
    if max(map(abs, gaps)) > odd or not any(
        len(award.winners) > 1 or award.half != "all" for award in awards
    ):
        return
    if _equal_both_ways(awards):
        yield EQUAL_BOTH_WAYS
    yield STUD_ODD_CHIP if VARIANTS[setup.rules.variant].brings_in else ODD_CHIPS


def _equal_both_ways(awards: Sequence[PotAwarded]) -> bool:
    """Return whether the seats of a high half are those of its low half, with odd chips in both."""
    odd = {
        (award.pot, award.half): frozenset(share.seat for share in award.winners)
        for award in awards
        if award.amount - award.rake - len(award.winners) * award.winners[-1].amount
    }
    return any(
        odd.get((pot, "low")) == seats for (pot, half), seats in odd.items() if half == "high"
    )
