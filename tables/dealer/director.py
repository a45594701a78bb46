"""Contract between a table and the director of its game, and the directors by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from tables.dealer.grants import Answer, FoldedSeat
from tables.dealer.record import HandRecord


class Disputed(Exception):
    """The director knows another course of the hand: it must not be settled, and becomes void."""


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

ClubOf = Callable[[int], "int | None"]
"""Game -> the club it belongs to, or None."""

PanelFacts = Callable[[int], Mapping[str, object]]
"""Game -> the values that its panels on the page of a table are written with."""

_clubs: dict[str, ClubOf] = {}
_folded: dict[str, tuple[Folded, Freed]] = {}
_directors: dict[str, Director] = {}
_concerns: dict[str, Concerns] = {}
_admitted: dict[str, Admitted] = {}
_for_money: set[str] = set()
_panel_facts: dict[str, PanelFacts] = {}


def register(
    name: str,
    director: Director,
    *,
    admitted: Admitted | None = None,
    concerns: Concerns | None = None,
    folded: tuple[Folded, Freed] | None = None,
    club: ClubOf | None = None,
    for_money: bool = False,
    panel_facts: PanelFacts | None = None,
) -> None:
    """Register `director` for the tables that name it.

    `admitted` returns the users that may see them, `concerns` whether a user has a part in a game
    that is not over. `folded` frees players in hands whose grant `frees_folded`, and knows who is
    free. `club` returns the club of a game. Chips of tables `for_money` are minor units, and pages
    write them as money. `panel_facts` are what the game's panels on the page of a table show.
    """
    assert name not in _directors, name
    _directors[name] = director
    if admitted is not None:
        _admitted[name] = admitted
    if concerns is not None:
        _concerns[name] = concerns
    if folded is not None:
        _folded[name] = folded
    if club is not None:
        _clubs[name] = club
    if for_money:
        _for_money.add(name)
    if panel_facts is not None:
        _panel_facts[name] = panel_facts


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


def club_of(name: str, game: int) -> int | None:
    """Return the club that a game belongs to, whose managers moderate its chats."""
    rule = _clubs.get(name)
    return None if rule is None else rule(game)


def plays_for_money(name: str) -> bool:
    """Return whether a chip at the tables of a director is a minor unit of money."""
    return name in _for_money


def panel_facts(name: str, game: int) -> Mapping[str, object]:
    """Return the values that the panels of a game on the page of a table are written with."""
    rule = _panel_facts.get(name)
    return {} if rule is None else rule(game)


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
