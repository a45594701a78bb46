"""Counts, by day and address, of newcomers who got the free play money."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class WelcomeCount(models.Model):
    """Count of newcomers of one address (a keyed hash) who got play money on one day."""

    day = models.DateField(_("day"))
    source = models.CharField(_("address (hashed)"), max_length=64)
    given = models.PositiveIntegerField(_("given"))

    class Meta:
        """One row for each day and address."""

        verbose_name = _("count of welcomes")
        verbose_name_plural = _("counts of welcomes")
        constraints = [
            models.UniqueConstraint(fields=["day", "source"], name="welcomes_of_a_day_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.given}"
