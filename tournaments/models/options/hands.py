"""Options for the hands of a tournament (C-04, B-03, H-11, S-03)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class FirstButton(models.TextChoices):
    """Choice of a table's first button (C-04)."""

    CARDS = "cards", _("the highest card")
    RANDOM = "random", _("a fair lot")


class CapLift(models.TextChoices):
    """Condition under which the cap on raises of fixed limit is lifted (B-03)."""

    LAST_STREET = "last_street", _("on the last round, for two players")
    EVENT = "event", _("when the event is down to two")


class HandOptions(models.Model):
    """The hand columns of a tournament's row."""

    first_button = models.CharField(
        _("first button"),
        max_length=10,
        choices=FirstButton.choices,
        default=FirstButton.CARDS,
        help_text=_("How each table finds it (C-04)."),
    )
    s0_order = models.BooleanField(
        _("every round starts left of the button"),
        default=False,
        help_text=_("Heads-up the button posts the big blind (H-11)."),
    )
    cap_lift = models.CharField(
        _("cap on raises lifted"),
        max_length=12,
        choices=CapLift.choices,
        default=CapLift.LAST_STREET,
        help_text=_("Fixed limit only (B-03)."),
    )
    muck_secret = models.BooleanField(
        _("mucked hands stay secret"),
        default=False,
        help_text=_("Nobody may look them up after the hand (S-03)."),
    )

    class Meta:
        abstract = True
