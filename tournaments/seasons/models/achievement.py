"""Achievements of players, earned once each at the end of a tournament."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models import Tournament


class Achievement(models.Model):
    """An achievement of a user, with the tournament at whose end it was earned first."""

    class Kind(models.TextChoices):
        FIRST_PRIZE = "first_prize", _("First prize")
        FIRST_WIN = "first_win", _("First win")
        BIG_WIN = "big_win", _("Winner of fifty")
        BUBBLE = "bubble", _("Out on the bubble")
        REGULAR = "regular", _("Regular")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="achievements",
        verbose_name=_("player"),
    )
    kind = models.CharField(_("achievement"), max_length=12, choices=Kind.choices)
    tournament = models.ForeignKey(
        Tournament,
        on_delete=models.CASCADE,
        related_name="achievements",
        verbose_name=_("tournament"),
    )
    earned_at = models.DateTimeField(_("earned at"), auto_now_add=True)

    class Meta:
        verbose_name = _("achievement")
        verbose_name_plural = _("achievements")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "kind"], name="achievement_earned_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.user_id}"
