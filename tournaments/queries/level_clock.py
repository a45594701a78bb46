"""The level clock as an organiser sets it by hand: what it shows now, and what it would show."""

from __future__ import annotations

import msgspec
from django.utils.translation import gettext as _

from accounts.templatetags.durations import minutes
from config.refusals import Refusal
from tables.templatetags.stakes import stakes
from tournaments import progress
from tournaments.engine import entries, levels
from tournaments.engine.levels import Mark
from tournaments.engine.structure import stakes_of
from tournaments.models import Tournament


def may_set(tournament: Tournament, step: str) -> bool:
    """Return whether another level follows, and, for more time, whether this one ends at a time."""
    try:
        progress.mark_by_hand(tournament, step, progress.time_ms(tournament))
    except Refusal:
        return False
    return True


def item(tournament: Tournament) -> int:
    """Return the index of the level or break in play, as an organiser sees it now."""
    return progress.position(tournament, progress.time_ms(tournament)).index


def effect(tournament: Tournament, step: str) -> list[tuple[str, str]]:
    """Return what the clock shows now and what it would show, and sales that would end, in words.

    Empty where the step is not possible.
    """
    now_ms = progress.time_ms(tournament)
    try:
        mark = progress.mark_by_hand(tournament, step, now_ms)
    except Refusal:
        return []
    now = progress.position(tournament, now_ms)
    elapsed = levels.elapsed_ms(tournament.clock(), now_ms)
    hands = progress.counted(tournament)
    rows = [(_("Now"), _shown(tournament, now.began, elapsed, hands))]
    rows.append((_("Then"), _shown(tournament, mark, elapsed, hands)))
    return rows + _ended_sales(tournament) if step == "next_level" else rows


def _shown(tournament: Tournament, mark: Mark, elapsed: int, hands: int) -> str:
    """Return level or break with the time or the hands that are left of it."""
    found = levels.position(tournament.levels(), elapsed, hands, mark)
    played = stakes(stakes_of(found.level, tournament.limit), tournament.limit)
    words = (
        _("Break")
        if found.is_break
        else _("Level %(number)s: %(stakes)s") % {"number": found.number, "stakes": played}
    )
    if found.ends_in_ms is None:
        return words
    return _("%(level)s, %(time)s left") % {"level": words, "time": minutes(found.ends_in_ms)}


def _ended_sales(tournament: Tournament) -> list[tuple[str, str]]:
    """Return the sales that are open and would end with the level in play (E-01, E-04, E-05)."""
    at = progress.reached(tournament)
    is_break = progress.break_until_ms(tournament) is not None
    then = msgspec.structs.replace(at, level=at.level + (not is_break))
    rows = []
    if progress.may_enter(tournament) and not entries.entries_open(tournament.late, then):
        rows.append((_("Late registration"), _("closes")))
    if not tournament.rebuys_open or not progress.period_lasts(tournament, at):
        return rows
    if not progress.period_lasts(tournament, then):
        rows.append((_("Re-buy"), _("closes")))
        if tournament.add_on:
            rows.append((_("Add-on"), _("offered to everybody")))
    return rows
