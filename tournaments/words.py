"""The words people read for the states and games of tournaments."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

SHOWN = {
    "registering": _("Registration open"),
    "late_registration": _("Late registration"),
    "final_table": _("Final table"),
    "running": _("Running"),
    "break": _("Break"),
    "paused": _("Paused"),
    "frozen": _("Interrupted"),
    "announced": _("Announced"),
    "finished": _("Finished"),
    "cancelled": _("Cancelled"),
}
"""A state as it is shown, in the order in which a list is sorted by it."""

GAMES = {"holdem": _("Hold'em")}
LIMITS = {"no_limit": _("No-Limit"), "pot_limit": _("Pot-Limit"), "fixed_limit": _("Limit")}


def game(variant: str, limit: str) -> str:
    """The game in two words, e.g. No-Limit Hold'em."""
    return f"{LIMITS.get(limit, limit)} {GAMES.get(variant, variant)}"
