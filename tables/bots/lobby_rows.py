"""Rows of the lobby as bots read them."""

from __future__ import annotations

import msgspec


class LobbyTournament(msgspec.Struct, frozen=True):
    """Columns of a tournament's lobby row that a bot needs."""

    tournament: int
    state: str
    start: str
    entrants: int
    players_max: int
    private: bool = False
    late: bool = False
    full: bool = False
    methods: str = "money"
    entries_max: int = 1
    several: bool = False
    rebuys: bool = False
    cash_value: bool = False
    starting_stack: int = 0
