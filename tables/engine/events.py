"""Events of a hand, one struct each; a hand is the fold of its events."""

from __future__ import annotations

from typing import Literal

import msgspec

Card = str
"""Rank and suit in two characters, e.g. "As"; a hidden card is "??"."""

HIDDEN: Card = "??"

AnteKind = Literal["none", "per_seat", "big_blind"]
PostKind = Literal["ante", "small_blind", "big_blind", "straddle", "dead", "penalty", "bring_in"]
CapLift = Literal["last_street", "event"]
Street = Literal["preflop", "flop", "turn", "river", "third", "fourth", "fifth", "sixth", "seventh"]


class Stakes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Forced bets and bet sizes of a level, in chips (L-01, H-08).

    Fixed limit: `small_bet` (0: the big blind) and `big_bet` (0: twice the small bet) (B-03).
    Spread limit: a bet or raise adds from `small_bet` (0: the big blind) to `big_bet` (0: twice the
    least) chips (B-04). Stud without limit: `small_bet` is the least bet.
    """

    small_blind: int
    big_blind: int
    ante: int = 0
    ante_kind: AnteKind = "none"
    bring_in: int = 0
    small_bet: int = 0
    big_bet: int = 0

    @property
    def lower_bet(self) -> int:
        """Bet of the first rounds in split limit, least bet in spread limit (B-03, B-04)."""
        return self.small_bet or self.big_blind

    @property
    def upper_bet(self) -> int:
        """Bet of the later rounds in split limit, largest bet in spread limit (B-03, B-04)."""
        return self.big_bet or 2 * self.lower_bet

    @property
    def unit(self) -> int:
        """Unit in which stacks are counted: the big blind, in stud the small bet."""
        return self.big_blind or self.small_bet


class Rake(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rake of a hand's pots: a share in basis points, with limits in chips (R-02).

    A rake below `minimum` is not taken. With `no_flop_no_drop` a hand that ended on its first
    street pays none. With `per_street` the rake due so far is taken at the end of each street, else
    all of it after the hand.
    """

    basis_points: int
    minimum: int
    maximum: int
    no_flop_no_drop: bool = False
    per_street: bool = False


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Settings of a game that do not change with its level."""

    face_up: bool = True
    """Turn all live hands face up once a seat is all-in and betting is over (S-04)."""
    muck_secret: bool = False
    """Keep a hand that was mucked at the showdown hidden from look-ups (S-03)."""
    cap_lift: CapLift = "last_street"
    """Lift of the cap on raises: with two seats left on the last street, or in the event."""
    event_heads_up: bool = False
    """The event is down to its last two players (B-03)."""
    open_pair: bool = False
    """Fixed limit stud: allow the big bet on fourth street with a pair showing."""
    s0_order: bool = False
    """Start every street left of the button (H-11)."""
    rake: Rake | None = None


class Stack(msgspec.Struct, frozen=True):
    """A seat and the chips in front of it."""

    seat: int
    chips: int


class Share(msgspec.Struct, frozen=True):
    """Chips that one seat takes from a pot."""

    seat: int
    amount: int


class Pot(msgspec.Struct, frozen=True):
    """A main or side pot: its chips and the seats that can win it (P-01)."""

    amount: int
    seats: tuple[int, ...]


class Event(msgspec.Struct, frozen=True, tag_field="type", tag=True, gc=False):
    """Base of all events of a hand."""


class HandBegan(Event, frozen=True, tag="hand_began"):
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
    """Seats that show a beaten hand at the showdown instead of mucking it (S-01)."""
    closed_losers: tuple[int, ...] = ()
    """Seats that muck a beaten hand even as the first seat to show (S-01)."""
    deck: tuple[Card, ...] = ()


class Posted(Event, frozen=True, tag="posted"):
    """A seat paid a forced bet (H-02, H-06, H-08); `dead` chips are no part of its bet."""

    seat: int
    kind: PostKind
    amount: int
    all_in: bool = False


class HoleCardsDealt(Event, frozen=True, tag="hole_cards_dealt"):
    """A seat received hole cards: the last `up` of them face up, the others private (D-01)."""

    seat: int
    cards: tuple[Card, ...]
    up: int = 0


class Folded(Event, frozen=True, tag="folded"):
    """A seat gave up its hand."""

    seat: int


class Checked(Event, frozen=True, tag="checked"):
    """A seat passed the action on."""

    seat: int


class Called(Event, frozen=True, tag="called"):
    """A seat put in `amount` more chips to match the bet, or its whole stack."""

    seat: int
    amount: int
    all_in: bool = False


class BetMade(Event, frozen=True, tag="bet"):
    """A seat opened the betting of the street with `amount` chips."""

    seat: int
    amount: int
    all_in: bool = False


class Raised(Event, frozen=True, tag="raised"):
    """A seat raised to `to` chips in total on this street, putting in `amount` more."""

    seat: int
    to: int
    amount: int
    all_in: bool = False


class UncalledReturned(Event, frozen=True, tag="uncalled_returned"):
    """Chips that no other seat matched went back to their seat (H-10)."""

    seat: int
    amount: int


class BetsCollected(Event, frozen=True, tag="bets_collected"):
    """The bets of a finished street went into the pots, main pot first (P-01)."""

    pots: tuple[Pot, ...]


class RakeTaken(Event, frozen=True, tag="rake_taken"):
    """The room took `amount` chips of rake from the pots after a street, by setting (R-02)."""

    amount: int


class HandsRevealed(Event, frozen=True, tag="hands_revealed"):
    """No more betting is possible: all live hands are turned face up (S-04)."""

    hands: tuple[tuple[int, tuple[Card, ...]], ...]


class StreetDealt(Event, frozen=True, tag="street_dealt"):
    """A street begins, after a burn: its community cards, none in stud (H-01, D-01)."""

    street: Street
    cards: tuple[Card, ...]


class CardsShown(Event, frozen=True, tag="cards_shown"):
    """A seat showed cards, "??" for a hidden one; `made` names the hand, "" for a part of it."""

    seat: int
    cards: tuple[Card, ...]
    made: str
    low: str = ""


class Mucked(Event, frozen=True, tag="mucked"):
    """A seat gave up its claim at the showdown without showing (S-01)."""

    seat: int


class PotAwarded(Event, frozen=True, tag="pot_awarded"):
    """Pot number `pot` (0: the main pot) went to its winners; last side pot first (P-02)."""

    pot: int
    amount: int
    winners: tuple[Share, ...]
    half: Literal["all", "high", "low"] = "all"
    rake: int = 0


class HandEnded(Event, frozen=True, tag="hand_ended"):
    """The hand is over; stacks of every seat that was dealt in."""

    hand: int
    stacks: tuple[Stack, ...]


HandEvent = (
    HandBegan
    | Posted
    | HoleCardsDealt
    | Folded
    | Checked
    | Called
    | BetMade
    | Raised
    | UncalledReturned
    | BetsCollected
    | RakeTaken
    | HandsRevealed
    | StreetDealt
    | CardsShown
    | Mucked
    | PotAwarded
    | HandEnded
)
