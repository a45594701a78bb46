"""Clubs of chats: the managers of a chat's club moderate it."""

from __future__ import annotations

from collections.abc import Callable

from config.postgres.statements import ANY_KEY, BuiltOnce
from tables.dealer import director
from tables.models import Table

ClubOf = Callable[[int], "int | None"]
"""Number of a stream -> the club it belongs to, or None."""

_clubs: dict[str, ClubOf] = {}
_GAME = BuiltOnce(lambda pk: Table.objects.filter(pk=pk).values_list("director", "game"), ANY_KEY)


def register(prefix: str, club_of: ClubOf) -> None:
    """Register the rule for chats `prefix:<number>`."""
    assert prefix not in _clubs, prefix
    _clubs[prefix] = club_of


def club_of(stream: str) -> int | None:
    """Return the club that a chat belongs to; None for a chat of the room."""
    prefix, _, number = stream.partition(":")
    rule = _clubs.get(prefix)
    return None if rule is None else rule(int(number))


def club_of_table(pk: int) -> int | None:
    """Return the club of the game of a table."""
    found = _GAME.first(pk)
    return None if found is None else director.club_of(*found)
