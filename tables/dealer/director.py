"""Contract between a table and the director of its game: grant, wait or close between hands."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Protocol

import msgspec

from tables.engine.state import Positions, Post, Rules
from tables.wire.client_commands import ShowdownChoice
from tables.wire.table_events import LeaveReason, WaitReason

if TYPE_CHECKING:
    from tables.dealer.record import HandRecord


class Timing(msgspec.Struct, frozen=True, array_like=True):
    """Pace of a table in ms (X-02): time for an action, and pauses to read results and streets.

    `disconnect_ms` is added once to a turn whose player has no connection at its end (X-03).
    """

    action_ms: int
    hand_pause_ms: int
    showdown_pause_ms: int
    street_pause_ms: int
    disconnect_ms: int = 0


class RosterSeat(msgspec.Struct, frozen=True, array_like=True):
    """A seat as PostgreSQL has it at a boundary; `newcomer` until its first hand is dealt.

    `bought` of its chips were bought since the last hand of the table (E-04, E-05, A-03);
    `showdown` is the choice its player made, at this table or an earlier one (S-01).
    A seat that is not `dealt` keeps its chips and is left out of the hand (H-07, X-03); `posts` are
    what a dealt seat pays before the deal beyond the blinds of its position (H-07, H-09).
    A seat that `sits_out` refused a forced bet: it is absent until its player comes back (S4).
    """

    seat: int
    entry: int
    user: int
    name: str
    chips: int
    bank_ms: int
    absent: bool
    newcomer: bool
    bought: int = 0
    showdown: ShowdownChoice = "auto"
    dealt: bool = True
    posts: tuple[Post, ...] = ()
    sits_out: bool = False
    pledge: bytes = b""


class Departure(msgspec.Struct, frozen=True, array_like=True):
    """An entry that leaves the roster: the reason, and the table it moves to, if any."""

    entry: int
    reason: LeaveReason
    to_table: int | None = None


class Grant(msgspec.Struct, frozen=True, tag="grant"):
    """Permission to deal hand number `hand` to the dealt seats of this roster, under these rules.

    With `draw_button` the table finds its first button: by cards, or `button_by_lot` (C-04).
    Without `newcomers_wait` the director has decided already who waits: all dealt seats get cards.
    With `positions` it has decided who posts, too. `frees_folded` asks for word of every fold.
    """

    hand: int
    rules: Rules
    level: int
    round: int
    timing: Timing
    roster: tuple[RosterSeat, ...]
    departures: tuple[Departure, ...] = ()
    draw_button: bool = False
    not_before_ms: int = 0
    button_by_lot: bool = False
    newcomers_wait: bool = True
    positions: Positions | None = None
    frees_folded: bool = False


class Disputed(Exception):
    """The director knows another course of the hand: it must not be settled, and becomes void."""


class FoldedSeat(msgspec.Struct, frozen=True, array_like=True):
    """A dealt seat that has folded; `chips` are those it keeps unless the hand becomes void."""

    entry: int
    chips: int
    bank_ms: int
    absent: bool
    showdown: ShowdownChoice
    pledge: bytes = b""


class Wait(msgspec.Struct, frozen=True, tag="wait"):
    """No hand yet; the table asks again after `again_ms`, sooner when a bell rings.

    At most DIRECTOR_WAIT_MS, or STANDING_WAIT_MS where the whole game stands and rings at the end.
    With a `roster` players sit down and receive bought chips although no hand is granted.
    """

    reason: WaitReason
    again_ms: int = 1_000
    until_ms: int | None = None
    departures: tuple[Departure, ...] = ()
    roster: tuple[RosterSeat, ...] | None = None


class Close(msgspec.Struct, frozen=True, tag="close"):
    """The table is closed; its players leave as `departures` lists."""

    departures: tuple[Departure, ...] = ()


Answer = Grant | Wait | Close


class Director(Protocol):
    """Owner of a table: a tournament, or a ring game."""

    def lock(self, table: int, record: HandRecord) -> None:
        """Take the locks that `settle` will need, before the table's row is locked."""

    def settle(self, table: int, record: HandRecord) -> None:
        """Apply the consequences of a hand inside its transaction; the table's row is locked."""

    def next(self, table: int, hand: int) -> Answer:
        """Return the answer for hand number `hand`; opens its own transaction; idempotent."""

    def game_name(self, game: int) -> str:
        """Return the name of the game of these tables, as players read it."""


Admitted = Callable[[int, Collection["int | None"]], "set[int] | None"]
"""(game, users) -> the users that may see its tables; None: everybody may, now and later."""

Concerns = Callable[[int, int], bool]
"""(game, user) -> True while the user has a part in the game and the game is not over."""

Folded = Callable[[int, int, Collection[FoldedSeat]], None]
"""(table, hand, all folded seats): free their players; repeated and late calls do nothing more."""

Freed = Callable[[Collection[int]], "set[int]"]
"""Entries -> those whose players are free while their hand goes on."""

_folded: dict[str, tuple[Folded, Freed]] = {}
_directors: dict[str, Director] = {}
_concerns: dict[str, Concerns] = {}
_admitted: dict[str, Admitted] = {}
_for_money: set[str] = set()


def register(
    name: str,
    director: Director,
    *,
    admitted: Admitted | None = None,
    concerns: Concerns | None = None,
    folded: tuple[Folded, Freed] | None = None,
    for_money: bool = False,
) -> None:
    """Register `director` for the tables that name it.

    `admitted` returns the users that may see them, `concerns` whether a user has a part in a game
    that is not over. `folded` frees players in hands whose grant `frees_folded`, and knows who is
    free. Chips of tables `for_money` are minor units, and pages write them as money.
    """
    assert name not in _directors, name
    _directors[name] = director
    if admitted is not None:
        _admitted[name] = admitted
    if concerns is not None:
        _concerns[name] = concerns
    if folded is not None:
        _folded[name] = folded
    if for_money:
        _for_money.add(name)


def admitted(name: str, game: int, users: Collection[int | None]) -> set[int] | None:
    """Return which of these users may see the tables of a game; None when everybody may."""
    rule = _admitted.get(name)
    return None if rule is None else rule(game, users)


def free_folded(name: str, table: int, hand: int, seats: Collection[FoldedSeat]) -> None:
    """Tell the director of a table which seats have folded in the hand it granted."""
    free, _ = _folded[name]
    free(table, hand, seats)


def freed(name: str, entries: Collection[int]) -> set[int]:
    """Return which of these entries have folded in hands that go on without their players."""
    if name not in _folded or not entries:
        return set()
    _, freed_of = _folded[name]
    return freed_of(entries)


def concerns(name: str, game: int, user: int) -> bool:
    """Return whether a user has a part in a game that is not over, by the game's own rule."""
    rule = _concerns.get(name)
    return rule is not None and rule(game, user)


def plays_for_money(name: str) -> bool:
    """Return whether a chip at the tables of a director is a minor unit of money."""
    return name in _for_money


def moves_every_hand(name: str) -> bool:
    """Return whether players of a director are seated anew for every hand (fast fold)."""
    return name in _folded


def may_see(name: str, game: int, user: int | None) -> bool:
    """Return whether a user, or a visitor without a log-in (None), may see the tables of a game."""
    allowed = admitted(name, game, {user})
    return allowed is None or user in allowed


def of(name: str) -> Director:
    """Return the director registered under `name`."""
    return _directors[name]


def game_name(director: str, game: int) -> str:
    """Return the name of a game of a director; "" for an unregistered director."""
    found = _directors.get(director)
    return "" if found is None else found.game_name(game)
