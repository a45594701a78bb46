"""Refusals of values outside an option's or a tournament's choices."""

from __future__ import annotations

from collections.abc import Sequence

from config.refusals import Refusal
from config.refusals import marked as _
from tournaments.refusals import BadSpec


def not_among(name: str, allowed: Sequence[str]) -> BadSpec:
    """Return the refusal of a value that an option does not take, with the allowed values."""
    why = _("This is no valid choice. There are: %(choices)s.")
    return BadSpec(why, field=name, choices=list(allowed))


class KindNotAllowed(Refusal):
    """Refusal of a kind of deal; `kinds` are those the tournament allows (Y-02)."""

    code = "kind_not_allowed"
    sentence = _("This kind of deal is not allowed in this tournament.")

    def __init__(self, kinds: Sequence[str]) -> None:
        super().__init__(kinds=list(kinds))
