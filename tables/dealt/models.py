"""Stored figures of the cards that players were dealt, a row for each day."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class DealtDay(models.Model):
    """Figures of a user's hands of one day (UTC) with equally many hole cards; see `DealtFigures`.

    They are in a box (`tables.dealt.boxed`) under the own key of `month`. A row of a burnt month
    is of its first day, and has all its days. Users are never deleted, so the column has no
    constraint that each row would have to check.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
        db_index=False,
    )
    day = models.DateField()
    cards = models.PositiveSmallIntegerField()
    month = models.PositiveIntegerField()
    key = models.BinaryField()
    box = models.BinaryField()

    class Meta:
        verbose_name = _("cards dealt on a day")
        verbose_name_plural = _("cards dealt by day")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "day", "cards"], name="dealt_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.day} {self.cards}"
