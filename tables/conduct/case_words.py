"""Figures of a case in words, for the admin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from tables.conduct.models import ConductCase


def figure_rows(case: ConductCase) -> list[tuple[str, str]]:
    """Return the names and values of a case's figures, without those that are drawn."""
    return list(_of_pair(case) if case.other_id is not None else _of_player(case.figures))


def _of_pair(case: ConductCase) -> Iterator[tuple[str, str]]:
    figures = case.figures
    assert case.other is not None
    user, other = case.user.name, case.other.name
    is_first = case.user_id < case.other.pk
    if "logins" in figures:
        yield _("Log-ins with one browser"), _count(figures["logins"])
    if "meetings" in figures:
        yield _("Hands in which chips went between the two"), _count(figures["meetings"])
    if "flow" in figures:
        flow = figures["flow"] / (100 if is_first else -100)
        name = _("Big blinds from %(user)s to %(other)s") % {"user": user, "other": other}
        yield name, number_format(flow, decimal_pos=1, use_l10n=True)
    if "duels" in figures:
        yield _("Duels: only these two left, and no bet yet"), _count(figures["duels"])
        quiet = figures["first_quiet"], figures["second_quiet"]
        for name, count in zip((user, other), quiet if is_first else quiet[::-1], strict=True):
            yield _("of them without a bet of %(name)s") % {"name": name}, _count(count)
        yield _("of them without any bet"), _count(figures["both_quiet"])


def _of_player(figures: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if "hands" in figures:
        yield _("Hands"), _count(figures["hands"])
    if "reporters" in figures:
        yield _("Players who reported since the last decision"), _count(figures["reporters"])
    if "hours" in figures:
        days = ", ".join(_count(hours) for hours in sorted(figures["hours"], reverse=True)[:5])
        yield _("Hours with hands, on the longest days"), days


def _count(number: int) -> str:
    return number_format(number, use_l10n=True, force_grouping=True)
