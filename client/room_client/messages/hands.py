"""Events of a hand. Written by `manage.py protocol_docs`."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class Posted(msgspec.Struct, frozen=True, tag_field="type", tag="posted"):
    """A seat paid a forced bet (H-02, H-06, H-08); `dead` chips are no part of its bet."""

    seat: int
    kind: Literal['ante', 'big_blind', 'bring_in', 'dead', 'penalty', 'small_blind', 'straddle']
    amount: int
    all_in: bool = False


class HoleCardsDealt(msgspec.Struct, frozen=True, tag_field="type", tag="hole_cards_dealt"):
    """A seat received hole cards: the last `up` of them face up, the others private (D-01)."""

    seat: int
    cards: tuple[str, ...]
    up: int = 0


class Folded(msgspec.Struct, frozen=True, tag_field="type", tag="folded"):
    """A seat gave up its hand."""

    seat: int


class Checked(msgspec.Struct, frozen=True, tag_field="type", tag="checked"):
    """A seat passed the action on."""

    seat: int


class Called(msgspec.Struct, frozen=True, tag_field="type", tag="called"):
    """A seat put in `amount` more chips to match the bet, or its whole stack."""

    seat: int
    amount: int
    all_in: bool = False


class BetMade(msgspec.Struct, frozen=True, tag_field="type", tag="bet"):
    """A seat opened the betting of the street with `amount` chips."""

    seat: int
    amount: int
    all_in: bool = False


class Raised(msgspec.Struct, frozen=True, tag_field="type", tag="raised"):
    """A seat raised to `to` chips in total on this street, putting in `amount` more."""

    seat: int
    to: int
    amount: int
    all_in: bool = False


class UncalledReturned(msgspec.Struct, frozen=True, tag_field="type", tag="uncalled_returned"):
    """Chips that no other seat matched went back to their seat (H-10)."""

    seat: int
    amount: int


class BetsCollected(msgspec.Struct, frozen=True, tag_field="type", tag="bets_collected"):
    """The bets of a finished street went into the pots, main pot first (P-01)."""

    pots: tuple[Pot, ...]


class RakeTaken(msgspec.Struct, frozen=True, tag_field="type", tag="rake_taken"):
    """The room took `amount` chips of rake from the pots after a street, by setting (R-02)."""

    amount: int


class HandsRevealed(msgspec.Struct, frozen=True, tag_field="type", tag="hands_revealed"):
    """No more betting is possible: all live hands are turned face up (S-04)."""

    hands: tuple[tuple[int, tuple[str, ...]], ...]


class StreetDealt(msgspec.Struct, frozen=True, tag_field="type", tag="street_dealt"):
    """A street begins, after a burn: its community cards, none in stud (H-01, D-01)."""

    street: Literal['fifth', 'flop', 'fourth', 'preflop', 'river', 'seventh', 'sixth', 'third', 'turn']
    cards: tuple[str, ...]


class CardsShown(msgspec.Struct, frozen=True, tag_field="type", tag="cards_shown"):
    """A seat showed cards, "??" for a hidden one; `made` names the hand, "" for a part of it."""

    seat: int
    cards: tuple[str, ...]
    made: str
    low: str = ''


class Mucked(msgspec.Struct, frozen=True, tag_field="type", tag="mucked"):
    """A seat gave up its claim at the showdown without showing (S-01)."""

    seat: int


class PotAwarded(msgspec.Struct, frozen=True, tag_field="type", tag="pot_awarded"):
    """Pot number `pot` (0: the main pot) went to its winners; last side pot first (P-02)."""

    pot: int
    amount: int
    winners: tuple[Share, ...]
    half: Literal['all', 'high', 'low'] = 'all'
    rake: int = 0


class HandEnded(msgspec.Struct, frozen=True, tag_field="type", tag="hand_ended"):
    """The hand is over; stacks of every seat that was dealt in."""

    hand: int
    stacks: tuple[Stack, ...]


class Stakes(msgspec.Struct, frozen=True):
    """Forced bets and bet sizes of a level, in chips (L-01, H-08). Fixed limit: `small_bet` (0:
    the big blind) and `big_bet` (0: twice the small bet) (B-03). Spread limit: a bet or raise
    adds from `small_bet` (0: the big blind) to `big_bet` (0: twice the least) chips (B-04).
    Stud without limit: `small_bet` is the least bet.
    """

    small_blind: int
    big_blind: int
    ante: int = 0
    ante_kind: Literal['big_blind', 'none', 'per_seat'] = 'none'
    bring_in: int = 0
    small_bet: int = 0
    big_bet: int = 0


class Pot(msgspec.Struct, frozen=True):
    """A main or side pot: its chips and the seats that can win it (P-01)."""

    amount: int
    seats: tuple[int, ...]


class Stack(msgspec.Struct, frozen=True):
    """A seat and the chips in front of it."""

    seat: int
    chips: int


class Options(msgspec.Struct, frozen=True, omit_defaults=True):
    """Settings of a game that do not change with its level."""

    face_up: bool = True
    muck_secret: bool = False
    cap_lift: Literal['event', 'last_street'] = 'last_street'
    event_heads_up: bool = False
    open_pair: bool = False
    s0_order: bool = False
    rake: Rake | None = None


class Share(msgspec.Struct, frozen=True):
    """Chips that one seat takes from a pot."""

    seat: int
    amount: int


class Rake(msgspec.Struct, frozen=True):
    """Rake of a hand's pots: a share in basis points, with limits in chips (R-02). A rake below
    `minimum` is not taken. With `no_flop_no_drop` a hand that ended on its first street pays
    none. With `per_street` the rake due so far is taken at the end of each street, else all of
    it after the hand.
    """

    basis_points: int
    minimum: int
    maximum: int
    no_flop_no_drop: bool = False
    per_street: bool = False


class HandBegan(msgspec.Struct, frozen=True, tag_field="type", tag="hand_began"):
    """A hand starts: positions, stakes, stacks before any post; the deck is never sent."""

    hand: int
    variant: str
    limit: str
    stakes: Stakes
    button: int
    small_blind: int | None
    big_blind: int | None
    stacks: tuple[Stack, ...]
    options: Options = Options()
    open_losers: tuple[int, ...] = ()
    closed_losers: tuple[int, ...] = ()
    deck: tuple[str, ...] = ()
