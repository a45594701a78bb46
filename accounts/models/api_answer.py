"""Answers of the API that a repeated request gets again."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApiAnswer(models.Model):
    """Answer to a user's request that changed something, by its idempotency key."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(_("key"), max_length=64)
    digest = models.CharField(max_length=64, help_text=_("of method, address and body"))
    answer = models.JSONField(_("answer"), null=True)
    made_at = models.DateTimeField(_("time"), auto_now_add=True, db_index=True)

    class Meta:
        verbose_name = _("answer of the API")
        verbose_name_plural = _("answers of the API")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "key"], name="api_answer_once")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.key}"
