"""Bot accounts and their owners."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class BotAccount(models.Model):
    """A user that a program plays; a retired one keeps its name and results and plays no more."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="bot_account",
    )
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.CASCADE,
        related_name="bots",
    )
    made_at = models.DateTimeField(_("time"), auto_now_add=True)
    retired_at = models.DateTimeField(_("retired"), null=True)

    class Meta:
        verbose_name = _("bot account")
        verbose_name_plural = _("bot accounts")
        indexes: ClassVar = [models.Index(fields=["owner", "retired_at"])]

    def __str__(self) -> str:
        return f"{self.user_id} of {self.owner_id}"
