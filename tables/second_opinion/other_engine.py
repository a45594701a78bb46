"""Hands in pokerkit, a second engine that shares no code with this one: state, cards, actions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from pokerkit import (
    Automation,
    BettingStructure,
    Deck,
    EightOrBetterLowHand,
    Mode,
    OmahaEightOrBetterLowHand,
    OmahaHoldemHand,
    Opening,
    StandardHighHand,
    State,
    Street,
)

from tables.engine.actions import Action, Bet, Call, Check, Fold, Option, Raise, Show
from tables.engine.betting import RAISES_MAX, opening_step
from tables.engine.events import HandEnded, HandEvent, HoleCardsDealt, StreetDealt
from tables.engine.opening import HIGHEST_OPENS
from tables.engine.state import HandSetup, HandState
from tables.engine.variants import VARIANTS
from tables.second_opinion.remembering import remembering

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


def pokerkit_state(setup: HandSetup, hands: Mapping[str, Any] = HANDS) -> State:
    """Return the hand in pokerkit, waiting for cards; its seats are in this engine's order."""
    rules = setup.rules
    stakes, seats = rules.stakes, len(setup.players)
    stacks = {player.seat: player.stack for player in setup.players}
    table_ante = stakes.ante_kind == "big_blind"
    variant = VARIANTS[rules.variant]
    return State(
        AUTOMATIONS,
        Deck.STANDARD,
        hands[rules.variant],
        streets_of(
            rules.variant,
            rules.limit,
            [opening_step(rules, number) for number in range(len(variant.streets))],
            first_raises=RAISES_MAX - (not variant.brings_in),
        ),
        STRUCTURES[rules.limit],
        not table_ante,
        _antes(setup),
        0 if variant.brings_in else _blinds(setup),
        stakes.bring_in,
        tuple(stacks[seat] for seat in setup.positions.dealt),
        seats,
        # pokerkit's tournaments refuse a fold where a check is free; absent players fold so.
        mode=Mode.CASH_GAME,
    )


def streets_of(
    variant: str, limit: str, least_bets: Sequence[int], first_raises: int = RAISES_MAX
) -> tuple[Street, ...]:
    """Return the streets of a game with the least bet of each.

    `first_raises` are the raises of the first street in fixed limit, where a blind may be one.
    """
    first, later = Opening.POSITION, Opening.POSITION
    if VARIANTS[variant].brings_in:
        first = Opening.HIGH_CARD if limit in HIGHEST_OPENS else Opening.LOW_CARD
        later = Opening.HIGH_HAND
    return tuple(
        Street(
            number > 0,
            (False,) * street.down + (True,) * street.up,
            street.board,
            False,
            later if number else first,
            least_bets[number],
            (RAISES_MAX if number else first_raises) if limit == "fixed_limit" else None,
        )
        for number, street in enumerate(VARIANTS[variant].streets)
    )


def _antes(setup: HandSetup) -> list[int]:
    stakes, big_blind = setup.rules.stakes, setup.positions.big_blind
    paid = {"none": (), "per_seat": setup.positions.dealt, "big_blind": (big_blind,)}
    payers = paid[stakes.ante_kind]
    return _listed(setup, {seat: stakes.ante for seat in payers if seat is not None})


def _blinds(setup: HandSetup) -> list[int]:
    """Return blinds and straddles; the small blind may be dead (H-07)."""
    stakes, positions = setup.rules.stakes, setup.positions
    paid = {positions.small_blind: stakes.small_blind, positions.big_blind: stakes.big_blind}
    paid |= {
        player.seat: post.amount
        for player in setup.players
        for post in player.posts
        if post.kind == "straddle"
    }
    return _listed(setup, {seat: amount for seat, amount in paid.items() if seat is not None})


def _listed(setup: HandSetup, amounts: Mapping[int, int]) -> list[int]:
    """Return amounts in the order of dealing; pokerkit reads those of two players in reverse."""
    dealt = setup.positions.dealt
    order = dealt[::-1] if len(dealt) == 2 else dealt
    return [amounts.get(seat, 0) for seat in order]


def deal_to(other: State, events: Sequence[HandEvent]) -> None:
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


def act(other: State, action: Action, *, bring_in: bool) -> None:
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
        case Show():
            raise AssertionError("pokerkit is not asked to show cards early")


def option_of(other: State, state: HandState) -> tuple[int | None, Option]:
    """Return the seat to act in pokerkit and its legal actions, in this engine's terms."""
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
