"""One hand in this engine and in pokerkit, step by step, until they differ or the hand ends."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any, NamedTuple

from pokerkit import (
    Automation,
    BettingStructure,
    Deck,
    EightOrBetterLowHand,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    StandardHighHand,
    State,
    Street,
)

from tables.engine.actions import Bet, Call, Check, Fold, Option, Raise
from tables.engine.begin import begin
from tables.engine.betting import RAISES_MAX, legal_actions, opening_step
from tables.engine.decide import decide
from tables.engine.events import HandEnded, HandEvent, HoleCardsDealt, StreetDealt
from tables.engine.evolve import evolve
from tables.engine.opening import HIGHEST_OPENS
from tables.engine.state import HandSetup, HandState, Rules
from tables.engine.variants import VARIANTS
from tests.tables.engine.differences import DECK_RUNS_OUT, named_difference
from tests.tables.engine.random_hands import random_action
from tests.tables.engine.remembering import remembering

STRUCTURES = {
    "no_limit": BettingStructure.NO_LIMIT,
    "pot_limit": BettingStructure.POT_LIMIT,
    "fixed_limit": BettingStructure.FIXED_LIMIT,
}
HANDS = {
    "holdem": (StandardHighHand,),
    "omaha": (OmahaHoldemHand,),
    "omaha5": (OmahaHoldemHand,),
    "omaha_hilo": (OmahaHoldemHand, OmahaEightOrBetterLowHand),
    "omaha5_hilo": (OmahaHoldemHand, OmahaEightOrBetterLowHand),
    "stud": (StandardHighHand,),
    "stud_hilo": (StandardHighHand, EightOrBetterLowHand),
}
QUICK_HANDS = {name: tuple(map(remembering, kinds)) for name, kinds in HANDS.items()}
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Compared(NamedTuple):
    """Result of a comparison: common decisions, and the name of the difference if any."""

    decisions: int
    parted: str | None


class Disagreement(AssertionError):
    """A difference between the engines without a known name."""


def compare(random: Random, setup: HandSetup) -> Compared:
    """Play one random hand in both engines; raises Disagreement."""
    events = list(begin(setup))
    state = _fold(None, events)
    other = pokerkit_state(setup, QUICK_HANDS)
    deal_to(other, events)
    decisions = 0
    while not state.finished:
        assert state.actor is not None
        option = legal_actions(state, state.actor)
        if _option_of(other, state) != (state.order.index(state.actor), option):
            return _part(setup, events, decisions, _told(other, state, option), ())
        action = random_action(random, option)
        happened = decide(state, state.actor, action)
        if _community_card(setup, happened):
            return Compared(decisions, DECK_RUNS_OUT)
        act(other, action, bring_in=state.must_open)
        events += happened
        deal_to(other, happened)
        state = _fold(state, happened)
        decisions += 1
    return _end(setup, events, decisions, state, other)


def _end(
    setup: HandSetup, events: list[HandEvent], decisions: int, state: HandState, other: State
) -> Compared:
    ours = [seat.stack for seat in state.seats]
    assert not other.status, "pokerkit has not ended the hand"
    if ours != other.stacks:
        told = f"stacks are {ours}, pokerkit {other.stacks}"
        gaps = tuple(our - their for our, their in zip(ours, other.stacks, strict=True))
        return _part(setup, events, decisions, told, gaps)
    return Compared(decisions, None)


def _part(
    setup: HandSetup,
    events: list[HandEvent],
    decisions: int,
    what: str,
    gaps: tuple[int, ...],
) -> Compared:
    """Return the comparison of a hand that differs; `gaps` are chips each seat has more than in
    pokerkit at its end.
    """
    reason = named_difference(setup, events, gaps)
    if reason is None:
        story = "\n".join(map(repr, events))
        raise Disagreement(f"{what}\n{story}")
    return Compared(decisions, reason)


def _community_card(setup: HandSetup, happened: tuple[HandEvent, ...]) -> bool:
    """Return whether the stud deck ran out, where pokerkit deals mucked cards again."""
    return VARIANTS[setup.rules.variant].brings_in and any(
        isinstance(event, StreetDealt) and event.cards for event in happened
    )


def _fold(state: HandState | None, events: tuple[HandEvent, ...] | list[HandEvent]) -> HandState:
    for event in events:
        state = evolve(state, event)
    assert state is not None
    return state


def pokerkit_state(setup: HandSetup, hands: Mapping[str, Any] = HANDS) -> State:
    """The hand in pokerkit, waiting for cards; its seats stand in this engine's dealing order."""
    rules = setup.rules
    stakes, seats = rules.stakes, len(setup.players)
    stacks = {player.seat: player.stack for player in setup.players}
    table_ante = stakes.ante_kind == "big_blind"
    ante = {"none": 0, "per_seat": stakes.ante, "big_blind": {1: stakes.ante}}[stakes.ante_kind]
    brings_in = VARIANTS[rules.variant].brings_in
    return State(
        AUTOMATIONS,
        Deck.STANDARD,
        hands[rules.variant],
        _streets(rules),
        STRUCTURES[rules.limit],
        not table_ante,
        ante,
        0 if brings_in else (stakes.small_blind, stakes.big_blind),
        stakes.bring_in,
        tuple(stacks[seat] for seat in setup.positions.dealt),
        seats,
    )


def _streets(rules: Rules) -> tuple[Street, ...]:
    fixed = rules.limit == "fixed_limit"
    first = Opening.HIGH_CARD if rules.limit in HIGHEST_OPENS else Opening.LOW_CARD
    later = Opening.HIGH_HAND
    if not VARIANTS[rules.variant].brings_in:
        first = later = Opening.POSITION
    blind_counts = fixed and not VARIANTS[rules.variant].brings_in
    return tuple(
        Street(
            number > 0,
            (False,) * street.down + (True,) * street.up,
            street.board,
            False,
            later if number else first,
            opening_step(rules, number),
            (RAISES_MAX - (blind_counts and not number)) if fixed else None,
        )
        for number, street in enumerate(VARIANTS[rules.variant].streets)
    )


def deal_to(other: State, events: tuple[HandEvent, ...] | list[HandEvent]) -> None:
    """Deal the cards to pokerkit too; first check through decisions that only pokerkit asks for.

    pokerkit asks the last seat with chips although no other seat can answer it and it owes nothing.
    """
    for event in events:
        if isinstance(event, StreetDealt | HandEnded):
            while other.actor_index is not None and not other.checking_or_calling_amount:
                other.check_or_call()
        if isinstance(event, StreetDealt):
            if other.card_burning_status:
                other.burn_card("??")
            if event.cards:
                other.deal_board("".join(event.cards))
        elif isinstance(event, HoleCardsDealt):
            other.deal_hole("".join(event.cards))


def act(other: State, action: Fold | Check | Call | Bet | Raise, *, bring_in: bool) -> None:
    """Apply the action to pokerkit's actor."""
    match action:
        case Fold():
            other.fold()
        case Call() if bring_in:
            other.post_bring_in()
        case Check() | Call():
            other.check_or_call()
        case Bet(amount) | Raise(amount):
            other.complete_bet_or_raise_to(amount)


def _option_of(other: State, state: HandState) -> tuple[int | None, Option]:
    """Seat to act in pokerkit and its legal actions, in this engine's terms."""
    if other.actor_index is None:
        return None, Option(check=False)
    owed = other.checking_or_calling_amount
    if other.can_post_bring_in():
        owed = other.effective_bring_in_amount
    least = other.min_completion_betting_or_raising_to_amount
    most = other.max_completion_betting_or_raising_to_amount
    fold = not other.can_post_bring_in()
    option = partial(Option, check=not owed, call=owed or None, fold=fold)
    if state.level:
        return other.actor_index, option(raise_min=least, raise_max=most)
    return other.actor_index, option(bet_min=least, bet_max=most)


def _told(other: State, state: HandState, option: Option) -> str:
    return f"seat {state.actor} has {option}, pokerkit {_option_of(other, state)}"
