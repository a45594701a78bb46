"""Issued links for a new password, with reason and the player's confirmation."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class PasswordLink(models.Model):
    """Issued link: user, issuer and reason; the token itself is not stored."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="password_links"
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    reason = models.CharField(_("reason"), max_length=150)
    made_at = models.DateTimeField(_("time"), auto_now_add=True)
    used_at = models.DateTimeField(_("used"), null=True)
    told_at = models.DateTimeField(_("told"), null=True)

    class Meta:
        verbose_name = _("password link")
        verbose_name_plural = _("password links")
        permissions: ClassVar = [("hand_over_links", _("Can hand over links for a new password"))]
        indexes: ClassVar = [
            models.Index(
                fields=["user"], condition=models.Q(told_at__isnull=True), name="link_to_tell"
            )
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.made_at:%Y-%m-%d}"
