"""Stored faces of players."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class PlayerFace(models.Model):
    """Picture and flag of a player, each by choice; without a picture the room draws letters."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        primary_key=True,
        related_name="+",
        verbose_name=_("player"),
    )
    picture = models.CharField(
        _("picture"), max_length=32, blank=True, help_text=_("key of its file; empty: letters")
    )
    country = models.CharField(
        _("country"), max_length=2, blank=True, help_text=_("ISO 3166-1, two letters")
    )
    changed_at = models.DateTimeField(_("changed at"), auto_now=True)

    class Meta:
        verbose_name = _("face of a player")
        verbose_name_plural = _("faces of players")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["picture"], condition=~Q(picture=""), name="player_face_picture_once"
            ),
        ]
        permissions: ClassVar = [("remove_picture", _("Can remove pictures of players"))]

    def __str__(self) -> str:
        return f"{self.user_id}"
