"""Log-ins of other providers that belong to accounts here."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from config.outside.identity_providers import KEY_MAX_CHARACTERS

SUBJECT_MAX_CHARACTERS = 255
"""OpenID Connect allows no longer subject."""


class LinkedLogin(models.Model):
    """Log-in at a provider by which a user logs in here; `subject` names the person there."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="+",
        verbose_name=_("player"),
    )
    provider = models.CharField(_("provider"), max_length=KEY_MAX_CHARACTERS)
    subject = models.CharField(
        _("person there"), max_length=SUBJECT_MAX_CHARACTERS, help_text=_("the person's key there")
    )
    linked_at = models.DateTimeField(_("linked at"), auto_now_add=True)
    used_at = models.DateTimeField(_("last use"), null=True)

    class Meta:
        verbose_name = _("linked log-in")
        verbose_name_plural = _("linked log-ins")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["provider", "subject"], name="linked_login_subject_once"
            ),
            models.UniqueConstraint(fields=["user", "provider"], name="linked_login_user_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.provider}"
