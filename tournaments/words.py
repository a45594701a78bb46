"""Translated names of states, reasons, games and limits of tournaments."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.templatetags.amounts import chips
from tables.templatetags.games import GAMES, LIMITS

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
"""Displayed states, in the order in which lists sort them."""

FROZEN = "frozen"
TOO_FEW_PLAYERS = "too few players"
NOT_OPENED = "not opened"

WHY = {
    FROZEN: _("A fault is being mended; all tables go on together."),
    TOO_FEW_PLAYERS: _("Too few players were registered."),
    NOT_OPENED: _("Registration was not opened in time."),
}
"""Reasons of the room for a stopped or cancelled tournament (T-13, T-04)."""


def game(variant: str, limit: str, bets: tuple[int, int] | None = None) -> str:
    """Return the name of a game, e.g. No-Limit Hold'em, with its bets in chips if given."""
    words = f"{LIMITS.get(limit, limit)} {GAMES.get(variant, variant)}"
    if bets is None:
        return words
    least, most = (chips(size) for size in bets)
    return f"{words} {least}–{most}" if limit == "spread_limit" else f"{words} {least}/{most}"


def why(reason: str) -> str:
    """Return a reason of the room translated; an operator's text is returned unchanged."""
    return str(WHY.get(reason, reason))
