"""Mark of a research room: at most one row, which nothing takes off."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class ResearchMark(models.Model):
    """The mark; PostgreSQL refuses a second row, changes, and accounts of people beside it."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1, editable=False)
    marked_at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name = _("mark of a research room")
        verbose_name_plural = _("mark of a research room")
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(id=1), name="room_is_marked_once")
        ]

    def __str__(self) -> str:
        return f"{self.marked_at:%Y-%m-%d %H:%M}"
