"""The words people read for the states and games of tournaments."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.templatetags.amounts import chips

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

FROZEN = "frozen"
TOO_FEW_PLAYERS = "too few players"
NOT_OPENED = "not opened"

WHY = {
    FROZEN: _("A fault is being mended; all tables go on together."),
    TOO_FEW_PLAYERS: _("Too few players were registered."),
    NOT_OPENED: _("Registration was not opened in time."),
}
"""The reasons of the room itself for a tournament that stands or was cancelled (T-13, T-04)."""

GAMES = {
    "holdem": _("Hold'em"),
    "omaha": _("Omaha"),
    "omaha5": _("5-Card Omaha (2+3)"),
    "omaha5_house": _("5-Card Omaha (3+2)"),
    "omaha_hilo": _("Omaha Hi-Lo"),
    "omaha5_hilo": _("5-Card Omaha Hi-Lo (2+3)"),
    "stud": _("Seven Card Stud"),
    "stud_hilo": _("Seven Card Stud Hi-Lo"),
}
"""The games by variant; five-card Omaha says how many cards count of hand and board (O-02)."""

LIMITS = {
    "no_limit": _("No-Limit"),
    "pot_limit": _("Pot-Limit"),
    "fixed_limit": _("Limit"),
    "spread_limit": _("Spread-Limit"),
}


def game(variant: str, limit: str, bets: tuple[int, int] | None = None) -> str:
    """The game in two words, e.g. No-Limit Hold'em; with its bets in chips, 10–50 or 10/20."""
    words = f"{LIMITS.get(limit, limit)} {GAMES.get(variant, variant)}"
    if bets is None:
        return words
    least, most = (chips(size) for size in bets)
    return f"{words} {least}–{most}" if limit == "spread_limit" else f"{words} {least}/{most}"


def why(reason: str) -> str:
    """A reason as people read it: what an operator wrote stays as it is."""
    return str(WHY.get(reason, reason))
