"""Club of a tournament, its audiences, and the players invited to it."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Audience(models.TextChoices):
    """Users who may watch or enter a tournament of a club, the widest first."""

    EVERYBODY = "everybody", _("everybody")
    MEMBERS = "members", _("members of the club")
    INVITED = "invited", _("invited players")


class ClubOptions(models.Model):
    """The club columns of a tournament's row; without a club everybody watches and enters."""

    club = models.ForeignKey(
        "accounts.Club",
        verbose_name=_("club"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="tournaments",
        editable=False,
    )
    watched_by = models.CharField(
        _("watched by"),
        max_length=10,
        choices=Audience.choices,
        default=Audience.EVERYBODY,
        editable=False,
    )
    entered_by = models.CharField(
        _("entered by"),
        max_length=10,
        choices=Audience.choices,
        default=Audience.EVERYBODY,
        editable=False,
    )

    class Meta:
        abstract = True

    @property
    def is_listed(self) -> bool:
        """True when everybody may see the tournament's row in the room's lobby."""
        return self.club_id is None or self.watched_by == Audience.EVERYBODY


class Guest(models.Model):
    """A player whom a manager invited to one tournament of a club, member or not."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="guests"
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("guest")
        verbose_name_plural = _("guests")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "user"], name="guest_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.tournament_id}"
