"""Penalties: payments into the main pot of a player's next hand, ordered by the room (P-03)."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.ring.models.session import RingSession


class Penalty(models.Model):
    """A payment ordered by an operator, taken once; amounts in minor units.

    `planned` chips are posted in hand `planned_hand`. They count as `taken` once that hand is
    settled: a hand that becomes void leaves the penalty open. A short stack pays what it can.
    """

    session = models.ForeignKey(
        RingSession, on_delete=models.PROTECT, related_name="penalties", verbose_name=_("session")
    )
    amount = models.BigIntegerField(_("amount"))
    reason = models.CharField(_("reason"), max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("ordered by"),
    )
    ordered_at = models.DateTimeField(_("ordered at"), auto_now_add=True)
    planned_hand = models.PositiveIntegerField(_("planned in hand"), null=True, blank=True)
    planned = models.BigIntegerField(_("planned"), default=0)
    taken_hand = models.PositiveIntegerField(_("taken in hand"), null=True, blank=True)
    taken = models.BigIntegerField(_("taken"), default=0)

    class Meta:
        verbose_name = _("penalty")
        verbose_name_plural = _("penalties")
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(amount__gt=0), name="ring_penalty_positive"),
            models.CheckConstraint(
                condition=Q(taken__gte=0, taken__lte=models.F("amount")),
                name="ring_penalty_taken_in_range",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["session"], condition=Q(taken_hand=None), name="ring_penalty_open"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session_id}: {self.amount}"
