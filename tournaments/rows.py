"""Rows of tournaments that nearly every page reads, each by a statement that is built once."""

from __future__ import annotations

from config.postgres.statements import ANY_KEY, BuiltOnce
from tournaments.models import Tournament


def find_tournament(pk: int) -> Tournament | None:
    """Return a tournament with its club; None for a number that none has."""
    return _TOURNAMENT.first(pk)


def name_of(pk: int) -> str:
    """Return the name of a tournament; "" for a number that none has."""
    return _NAME.first(pk) or ""


def club_of(pk: int) -> int | None:
    """Return the club of a tournament; None without one."""
    return _CLUB.first(pk)


def sells_between_hands(pk: int) -> bool:
    """Return whether a hand may change what its players can buy, or what leaving pays (E-04)."""
    rebuys_open, cash_value = _SALES.first(pk) or (False, 0)
    return bool(rebuys_open or cash_value > 0)


_TOURNAMENT = BuiltOnce(lambda pk: Tournament.objects.select_related("club").filter(pk=pk), ANY_KEY)
_NAME = BuiltOnce(
    lambda pk: Tournament.objects.filter(pk=pk).values_list("name", flat=True), ANY_KEY
)
_CLUB = BuiltOnce(
    lambda pk: Tournament.objects.filter(pk=pk).values_list("club", flat=True), ANY_KEY
)
_SALES = BuiltOnce(
    lambda pk: Tournament.objects.filter(pk=pk).values_list("rebuys_open", "cash_value"), ANY_KEY
)
