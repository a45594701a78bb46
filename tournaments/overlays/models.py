"""Links to overlays; the token of a link is shown once and only its digest is stored."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Theme(models.TextChoices):
    """Colours of an overlay."""

    DARK = "dark", _("dark")
    LIGHT = "light", _("light")
    GREEN = "green", _("green")


class Sponsor(models.Model):
    """Picture of a tournament's sponsor; `file` is its name in the storage of uploaded files."""

    tournament = models.OneToOneField(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="sponsor"
    )
    file = models.CharField(max_length=100)

    class Meta:
        verbose_name = _("sponsor")
        verbose_name_plural = _("sponsors")

    def __str__(self) -> str:
        return self.file


class OverlayLink(models.Model):
    """A link to the overlay of one tournament, valid until it is revoked."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="overlay_links"
    )
    digest = models.CharField(max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=40)
    theme = models.CharField(_("colours"), max_length=10, choices=Theme.choices, default=Theme.DARK)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("overlay link")
        verbose_name_plural = _("overlay links")
        indexes: ClassVar = [models.Index(fields=["tournament"], name="overlay_of_tournament")]

    def __str__(self) -> str:
        return f"{self.name} ({self.pk})"
