"""Personal access tokens of users for the HTTP API."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from config import limits


class AccessToken(models.Model):
    """A user's token for programs; only the digest of its text is stored.

    `scopes` are sorted codes of `accounts.users.access_tokens.SCOPES`. `mark` is a digest of the
    user's session hash, so that a change of password voids the token.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("player"),
        on_delete=models.CASCADE,
        related_name="access_tokens",
    )
    name = models.CharField(_("name"), max_length=limits.TOKEN_NAME_MAX_CHARACTERS)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    mark = models.CharField(max_length=64, editable=False)
    scopes = models.JSONField(_("rights"))
    made_at = models.DateTimeField(_("time"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("last use"), null=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True)

    class Meta:
        verbose_name = _("access token")
        verbose_name_plural = _("access tokens")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.name}"
