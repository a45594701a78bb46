"""Facts of games that exports name, told by the app of each director."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from accounts.research.mark import told
from tables.dealer import director


class TournamentFacts(msgspec.Struct, frozen=True):
    """Facts of a tournament: prices in minor units of money, the first level in ms.

    `flags` are those of Open Hand History; `start_ms` is None before the start.
    """

    start_ms: int | None
    buy_in: int
    bounty: int
    fee: int
    starting_stack: int
    is_single_table: bool
    level_ms: int
    flags: tuple[str, ...] = ()


class GameFacts(msgspec.Struct, frozen=True):
    """Facts of a game: its name, and those of a tournament; chips `for_money` are minor units.

    Decks of `research` rooms follow from seeds. Players of `fast` games are seated anew every hand.
    """

    name: str
    for_money: bool = False
    tournament: TournamentFacts | None = None
    research: bool = False
    fast: bool = False


_tournaments: dict[str, Callable[[int], TournamentFacts]] = {}


def register(name: str, facts: Callable[[int], TournamentFacts]) -> None:
    """Register the facts of tournaments whose tables name this director."""
    assert name not in _tournaments, name
    _tournaments[name] = facts


def facts_of(name: str, game: int) -> GameFacts:
    """Return the facts of a game of a director."""
    facts = _tournaments.get(name)
    return GameFacts(
        name=director.game_name(name, game),
        for_money=director.plays_for_money(name),
        tournament=None if facts is None else facts(game),
        research=told.get(),
        fast=director.moves_every_hand(name),
    )
