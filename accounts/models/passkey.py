"""Passkeys of users: keys in their devices, of which the room stores the public half."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from config import limits


class Passkey(models.Model):
    """A user's passkey; `data` is its id and public key as authenticators encode them."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="passkeys"
    )
    name = models.CharField(_("name"), max_length=limits.PASSKEY_NAME_MAX_CHARACTERS)
    credential = models.CharField(max_length=64, unique=True, editable=False)
    data = models.BinaryField(editable=False)
    made_at = models.DateTimeField(_("time"), auto_now_add=True)
    used_at = models.DateTimeField(_("last use"), null=True)

    class Meta:
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"
