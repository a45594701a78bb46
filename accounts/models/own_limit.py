"""Limits that players set for themselves."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class OwnLimit(models.Model):
    """A player's own limits; money in minor units, None is no limit.

    `wanted` holds raised values by field, which replace the present ones at the time that
    `wanted_times` holds by field; `wanted_at` is the latest of these times.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="own_limit"
    )
    entries_a_day = models.PositiveIntegerField(_("entries in 24 hours"), null=True)
    money_a_week = models.PositiveBigIntegerField(_("buy-ins in 7 days"), null=True)
    wanted = models.JSONField(default=dict)
    wanted_at = models.DateTimeField(null=True)
    wanted_times = models.JSONField(default=dict, db_default={})
    excluded_until = models.DateTimeField(_("excluded until"), null=True)

    class Meta:
        verbose_name = _("own limit")
        verbose_name_plural = _("own limits")

    def __str__(self) -> str:
        return f"{self.user_id}"
