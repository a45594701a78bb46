"""Stored requests for a second person."""

from __future__ import annotations

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class ApprovalRequest(models.Model):
    """Step that one member of staff asked for and another one answers; or one done alone.

    Of a credit `details` holds users, and the amount for each in minor units; of rights the user,
    and the changed flags, groups and permissions.
    """

    class Kind(models.TextChoices):
        CREDIT = "credit", _("credit of play money")
        RIGHTS = "rights", _("rights of an account")

    class State(models.TextChoices):
        WAITING = "waiting", _("waits")
        APPROVED = "approved", _("approved")
        DECLINED = "declined", _("declined")
        WITHDRAWN = "withdrawn", _("withdrawn")
        ALONE = "alone", _("done alone, below the limit")

    kind = models.CharField(_("kind"), max_length=8, choices=Kind.choices)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.WAITING
    )
    details = models.JSONField(_("details"))
    key = models.CharField(max_length=80, unique=True, help_text=_("of one submitted form"))
    amount = models.BigIntegerField(_("amount"), default=0, help_text=_("in all, minor units"))
    reason = models.CharField(_("reason"), max_length=150)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("asked by"),
    )
    asked_at = models.DateTimeField(_("asked at"))
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        verbose_name=_("answered by"),
    )
    answered_at = models.DateTimeField(_("answered at"), null=True)

    class Meta:
        verbose_name = _("step for a second person")
        verbose_name_plural = _("steps for a second person")
        indexes: ClassVar = [models.Index(fields=["asked_by", "asked_at"])]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(state__in=("approved", "declined")) | ~Q(answered_by=F("asked_by")),
                name="approval_by_another_person",
            ),
            models.CheckConstraint(
                condition=Q(state="waiting", answered_at=None)
                | ~Q(state="waiting") & Q(answered_at__isnull=False, answered_by__isnull=False),
                name="approval_answered_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} #{self.pk}"

    def users(self) -> list[Any]:
        """Return the numbers of the users that the step is about."""
        return list(self.details["users"])
