"""Second factor of a user's log-in."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SecondFactor(models.Model):
    """A user's authenticator app; it counts from `confirmed_at` on.

    `sealed_secret` is encrypted with a key made of SECRET_KEY; `last_step` is the time step of the
    last accepted code; `recovery` holds digests of unused recovery codes.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="second_factor"
    )
    sealed_secret = models.TextField(editable=False)
    last_step = models.BigIntegerField(default=0, editable=False)
    recovery = models.JSONField(default=list, editable=False)
    confirmed_at = models.DateTimeField(_("confirmed"), null=True)

    class Meta:
        verbose_name = _("second factor")
        verbose_name_plural = _("second factors")

    def __str__(self) -> str:
        return f"{self.user_id}"
