"""Bots in a tournament: whether they are admitted, and their clock."""

from __future__ import annotations

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.bots.places import BotsAdmitted
from config import limits


class BotOptions(models.Model):
    """The columns of a tournament's row about bots that users own."""

    bots = models.CharField(
        _("bots"),
        max_length=10,
        choices=[
            (BotsAdmitted.NONE.value, _("people alone")),
            (BotsAdmitted.ALLOWED.value, _("people and bots")),
            (BotsAdmitted.ONLY.value, _("bots alone")),
        ],
        default=BotsAdmitted.NONE.value,
        help_text=_("Bots of users; their names begin with “bot-”."),
    )
    bot_action_ms = models.PositiveIntegerField(
        _("action time of bots (ms)"),
        default=0,
        validators=[MaxValueValidator(limits.ACTION_TIME_MAX_MS)],
        help_text=_("0: as long as people have."),
    )

    class Meta:
        abstract = True
