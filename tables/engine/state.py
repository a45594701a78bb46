"""Hand in play as a frozen value: its setup, and the state after its events."""

from __future__ import annotations

import msgspec

from tables.engine.events import Card, Options, PostKind, Pot, PotAwarded, Stack, Stakes
from tables.engine.variants import VARIANTS

FORMAT = 2
"""Version of the stored form of setups, states and events; raise it when their fields change."""


class Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules of a game: variant, betting limit, stakes of the level, settings."""

    variant: str
    limit: str
    stakes: Stakes
    options: Options = Options()


class Positions(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Button, blinds, and the seats `dealt` in, clockwise from left of the button.

    The button may be at an empty seat. `small_blind` is None when it is dead (H-07); then
    `dead_small_blind` is the empty seat it would have fallen on, which gets the button next.
    """

    button: int
    small_blind: int | None
    big_blind: int | None
    dealt: tuple[int, ...]
    dead_small_blind: int | None = None


class Post(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Forced or voluntary bet of one seat before the deal, beyond the blinds of the hand."""

    kind: PostKind
    amount: int


class Player(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat that is dealt in, with its chips before any post.

    `posts` are its straddle (H-09), its debt after an absence, or a "penalty" (P-03), which goes to
    the main pot as "dead" chips do; "small_blind" and "big_blind" are live bets. An `open_loser`
    shows a beaten hand; a `closed_loser` mucks one even as the first to show, and never a winning
    hand (S-01).
    """

    seat: int
    stack: int
    posts: tuple[Post, ...] = ()
    open_loser: bool = False
    closed_loser: bool = False


class HandSetup(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Everything that determines a hand except its actions; the deck is dealt from its front."""

    hand: int
    rules: Rules
    positions: Positions
    players: tuple[Player, ...]
    deck: tuple[Card, ...]


class SeatState(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A seat in the hand, amounts in chips.

    `stack` is left in front of it, `start` was there at the start, `bet` is its bet on this street,
    `committed` all it has put into pots it can win. `cards` are its hole cards in the order dealt;
    `shown` is empty or has the card, or "??", for each of them, as all viewers saw it.
    """

    seat: int
    stack: int
    start: int
    bet: int = 0
    committed: int = 0
    folded: bool = False
    mucked: bool = False
    cards: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()


class HandState(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """A hand after some of its events.

    `seats` are in dealing order, clockwise from left of the button; `order` holds their numbers. A
    set of seats is a bit mask over the places of that order: `live` have not folded, `able` are
    live and have chips, `pending` must still act on this street, `acted` have done so.
    """

    hand: int
    rules: Rules
    button: int
    small_blind: int | None
    big_blind: int | None
    order: tuple[int, ...]
    seats: tuple[SeatState, ...]
    deck: str
    """The whole deck without separators, "" for a viewer without sight of it."""
    dealt: int = 0
    """Number of cards dealt or burnt so far."""
    round: int = 0
    """Index of the street being played in the variant's streets."""
    board: tuple[Card, ...] = ()
    level: int = 0
    """Chips that a seat must have bet on this street to stay in."""
    base: int = 0
    """Level from which the next raise counts: the last bet, in fixed limit the last full one."""
    step: int = 0
    """Last full bet or raise of this street; before it, the least bet."""
    raises: int = 0
    """Full bets and raises on this street; the big blind is the first."""
    first: int = 0
    """Place that was asked first on this street; before that, the place where the search starts."""
    aggressor: int | None = None
    """Place that bet or raised last on this street."""
    live: int = 0
    able: int = 0
    pending: int = 0
    acted: int = 0
    actor: int | None = None
    """Seat that is asked."""
    turn: int = 0
    """Number of the decision that is asked, counted from 1."""
    dead: int = 0
    """Chips in the main pot that belong to no seat's share of it."""
    blinds_short: int = 0
    """Chips missing from the posted blinds to those of the level (B-02)."""
    pots: tuple[Pot, ...] = ()
    uncalled: Stack | None = None
    awarded: tuple[PotAwarded, ...] = ()
    open_losers: tuple[int, ...] = ()
    revealed: bool = False
    finished: bool = False
    closed_losers: tuple[int, ...] = ()
    raked: int = 0
    """Rake taken after streets so far, in chips; `pots` still include it (R-02)."""

    @property
    def street(self) -> str:
        """Name of the street being played."""
        return VARIANTS[self.rules.variant].streets[self.round].street

    @property
    def must_open(self) -> bool:
        """True while the seat that is asked has to bring in or complete (D-02)."""
        return not self.acted and self.round == 0 and VARIANTS[self.rules.variant].brings_in

    @property
    def reached(self) -> int:
        """Level from which a raise starts: 0 while the bring-in is still to be paid."""
        return 0 if self.must_open else self.level

    def seat(self, number: int) -> SeatState:
        """Return the seat with that number, which must have been dealt in."""
        return self.seats[self.order.index(number)]


def with_seat(seats: tuple[SeatState, ...], place: int, seat: SeatState) -> tuple[SeatState, ...]:
    """Return the seats with `seat` at this place of their order."""
    changed = list(seats)
    changed[place] = seat
    return tuple(changed)
