"""Words of managers' steps on a ring game of their club."""

from __future__ import annotations

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class RingStepWords(NamedTuple):
    """Button, consequence and result of a step."""

    label: Promise
    consequence: Promise
    done: Promise


CLUB_STEPS = {
    "open_table": RingStepWords(
        _("Open one more table"),
        _("Another table stands open at once, up to the most of the game."),
        _("One more table is open."),
    ),
    "freeze": RingStepWords(
        _("Pause after this hand"),
        _("No hand is dealt until the game goes on; players keep their seats."),
        _("The game is paused."),
    ),
    "unfreeze": RingStepWords(_("Go on"), _("Hands are dealt again."), _("The game goes on.")),
    "close": RingStepWords(
        _("Close after this hand"),
        _("All players leave with their stacks, and the game ends for good."),
        _("The game closes after this hand."),
    ),
}
"""Name of a step -> its words, in the order of the page."""
