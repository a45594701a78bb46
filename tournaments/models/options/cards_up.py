"""Options of cards-up streams: who sees the cards of settled hands, how late, and who is asked."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from config import limits


class CardsUp(models.TextChoices):
    """Viewers of the cards of settled hands, after the delay."""

    OFF = "off", _("nobody")
    EVERYBODY = "everybody", _("everybody who may watch")
    COMMENTATORS = "commentators", _("commentators only")


class Consent(models.TextChoices):
    """Question to players at their registration, and what follows when they refuse."""

    NOT_ASKED = "not_asked", _("nobody is asked")
    HIDES = "hides", _("who refuses keeps the cards hidden")
    NEEDED = "needed", _("who refuses cannot enter")


class CardsUpOptions(models.Model):
    """The cards-up columns of a tournament's row; times in ms."""

    cards_up = models.CharField(
        _("cards shown with a delay to"),
        max_length=12,
        choices=CardsUp.choices,
        default=CardsUp.OFF,
        help_text=_("Settled hands are told again with all hole cards, after the delay."),
    )
    cards_up_delay_ms = models.PositiveIntegerField(
        _("delay of the cards (ms)"), default=limits.CARDS_UP_DELAY_MS
    )
    cards_up_final_ms = models.PositiveIntegerField(
        _("delay at the final table (ms)"), default=limits.CARDS_UP_FINAL_DELAY_MS
    )
    cards_up_consent = models.CharField(
        _("consent of the players"),
        max_length=10,
        choices=Consent.choices,
        default=Consent.NOT_ASKED,
        help_text=_("Asked at the registration."),
    )

    class Meta:
        abstract = True
