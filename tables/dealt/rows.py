"""Stored figures of players: read, exported, and deleted with the account."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from msgspec.structs import asdict

from accounts.models import User
from config.sums import add_to
from tables.dealt import boxed
from tables.dealt.boxed import DealtBox, DealtKey
from tables.dealt.figures import DealtFigures
from tables.dealt.models import DealtDay
from tables.fairness.boxes import DamagedBox
from tables.records.month_keys import NoMonthKey

Days = Sequence[tuple[date, int, DealtFigures]]

_COLUMNS = ("user_id", "day", "cards", "month", "key", "box")


class OwnDays(NamedTuple):
    """A player's days that are readable here, and the number of rows that are not."""

    days: Days
    unread: int


def all_rows(first_day: date) -> dict[DealtKey, DealtFigures]:
    """Return the figures of all players from a day on, by their keys.

    A box that was changed has no figures. Raises NoMonthKey.
    """
    rows = DealtDay.objects.filter(day__gte=first_day).values_list(*_COLUMNS)
    return dict(_opened(row) for row in rows.iterator())


def own_days(user: User) -> OwnDays:
    """Return a player's days, oldest first, each with the number of hole cards and its figures."""
    days: list[tuple[date, int, DealtFigures]] = []
    unread = 0
    rows = DealtDay.objects.filter(user=user).order_by("day", "cards")
    for row in rows.values_list(*_COLUMNS):
        try:
            key, figures = _opened(row)
        except NoMonthKey:
            unread += 1
            continue
        days.append((key.day, key.cards, figures))
    return OwnDays(days, unread)


def days_of(user: User) -> Days:
    """Return the days of a player that are readable here."""
    return own_days(user).days


def by_cards(days: Days) -> dict[int, DealtFigures]:
    """Return the figures of all days by the number of hole cards."""
    found: dict[int, DealtFigures] = {}
    for _day, cards, figures in days:
        add_to(found, cards, figures)
    return dict(sorted(found.items()))


def erase(user: User) -> None:
    """Delete a user's figures."""
    DealtDay.objects.filter(user=user).delete()


def exported_days(user: User) -> Iterator[Mapping[str, Any]]:
    """Return a user's figures by day, for the export of the account."""
    for day, cards, figures in days_of(user):
        yield {"day": day, "cards": cards, **asdict(figures)}


def _opened(row: tuple[Any, ...]) -> tuple[DealtKey, DealtFigures]:
    at, kept = DealtKey(*row[:3]), DealtBox(row[3], bytes(row[4]), bytes(row[5]))
    try:
        return at, boxed.open_figures(at, kept)
    except DamagedBox:
        return at, DealtFigures()
