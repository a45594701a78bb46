"""Counts of newcomers who received the first play money, by day and address."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class WelcomeCount(models.Model):
    """Count of newcomers of one address (a keyed hash) who received play money on one day."""

    day = models.DateField(_("day"))
    source = models.CharField(_("address (hashed)"), max_length=64)
    given = models.PositiveIntegerField(_("given"))

    class Meta:
        """Constraint of one row per day and address."""

        verbose_name = _("count of welcomes")
        verbose_name_plural = _("counts of welcomes")
        constraints = [
            models.UniqueConstraint(fields=["day", "source"], name="welcomes_of_a_day_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.given}"
