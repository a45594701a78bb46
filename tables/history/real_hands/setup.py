"""Setup of a recorded hand: stakes, positions and forced bets in the engine's terms."""

from __future__ import annotations

from typing import Literal

from tables.engine.events import AnteKind, Options, Rake, Stakes
from tables.engine.positions import clockwise
from tables.engine.state import HandSetup, Player, Positions, Post, Rules
from tables.engine.variants import VARIANTS
from tables.history.real_hands.deck import stacked
from tables.history.real_hands.record import RealHand

WHOLE = 10_000
"""Basis points of everything: the recorded rake is taken unchanged."""


def setup(hand: RealHand) -> HandSetup:
    """Return the setup with which the engine deals the hand as it was dealt."""
    button = hand.button if hand.button is not None else max(hand.stacks)
    order = clockwise(button, hand.stacks)
    small_blind, big_blind = _poster(hand, "small_blind"), _poster(hand, "big_blind")
    positions = Positions(button=button, small_blind=small_blind, big_blind=big_blind, dealt=order)
    rake = Rake(basis_points=WHOLE, minimum=0, maximum=hand.rake)
    options = Options(rake=rake, open_pair=hand.game == "stud")
    return HandSetup(
        hand=0,
        rules=Rules(hand.game, hand.limit, _stakes(hand), options),
        positions=positions,
        players=tuple(
            Player(seat, hand.stacks[seat], _extra_posts(hand, seat, positions)) for seat in order
        ),
        deck=stacked(hand, order),
    )


def _poster(hand: RealHand, kind: Literal["small_blind", "big_blind"]) -> int | None:
    """Seat that posted the blind of the hand; later posts of this kind are for an absence."""
    return next((seat for seat, posted, _ in hand.posts if posted == kind), None)


def _stakes(hand: RealHand) -> Stakes:
    antes = [amount for _, kind, amount in hand.posts if kind == "ante"]
    ante = max(antes, default=0)
    kind: AnteKind = "per_seat" if antes else "none"
    if hand.limit != "fixed_limit":
        return Stakes(hand.small_blind, hand.big_blind, ante, kind)
    if VARIANTS[hand.game].brings_in:
        return Stakes(
            0, 0, ante, kind, _bring_in(hand), small_bet=hand.small_blind, big_bet=hand.big_blind
        )
    small = next((amount for _, kind, amount in hand.posts if kind == "small_blind"), 0)
    return Stakes(
        small, hand.small_blind, ante, kind, small_bet=hand.small_blind, big_bet=hand.big_blind
    )


def _bring_in(hand: RealHand) -> int:
    """Bring-in of the hand; the file names it only when it was paid, otherwise any value does."""
    paid = [act.amount for act in hand.actions if act.kind == "bring_in"]
    return paid[0] if paid else max(1, hand.small_blind // 2)


def _extra_posts(hand: RealHand, seat: int, positions: Positions) -> tuple[Post, ...]:
    posts: list[Post] = []
    for poster, kind, amount in hand.posts:
        if poster != seat or kind == "ante":
            continue
        if kind == "small_&_big_blinds":
            posts += [Post("dead", amount - hand.big_blind), Post("big_blind", hand.big_blind)]
        elif kind == "straddle":
            posts.append(Post("straddle", amount))
        elif kind == "dead":
            posts.append(Post("dead", amount))
        elif kind == "small_blind" and seat != positions.small_blind:
            dead = _calls_in_full(hand, seat)
            posts.append(Post("dead" if dead else "small_blind", amount))
        elif kind == "big_blind" and seat != positions.big_blind:
            posts.append(Post("big_blind", amount))
    return tuple(posts)


def _calls_in_full(hand: RealHand, seat: int) -> bool:
    """Return whether a seat's later small blind was dead: its first call pays the big blind."""
    first = next((act for act in hand.actions if act.seat == seat), None)
    return first is not None and first.kind == "call" and first.amount >= hand.big_blind
