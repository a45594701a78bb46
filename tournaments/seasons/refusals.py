"""Refusals of seasons to managers, organisers and readers, in words."""

from __future__ import annotations

from config.refusals import Refusal
from config.refusals import marked as _


class SeasonRefused(Refusal):
    """A season cannot have this value; `field` names the form's field."""

    code = "season_refused"


class TooManySeasons(Refusal):
    """The club has the most seasons allowed."""

    code = "too_many_seasons"
    sentence = _("A club has at most %(most)s seasons: delete an old one first.")

    def __init__(self, most: int) -> None:
        super().__init__(most=most)


class NotSeasonOrganiser(Refusal):
    """The actor may not change seasons of the room."""

    code = "not_season_organiser"
    sentence = _("Only organisers of the room may do this.")


class SeasonTooLarge(Refusal):
    """The season counts more entries than a table is made of."""

    code = "season_too_large"
    sentence = _("This season counts more than %(most)s entries: choose fewer days, or one series.")

    def __init__(self, most: int) -> None:
        super().__init__(most=most)
