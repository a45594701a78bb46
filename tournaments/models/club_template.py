"""Templates of clubs: earlier tournaments whose options a club keeps under a name."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament

NAME_MAX_CHARACTERS = 80


class ClubTemplate(models.Model):
    """A tournament of a club whose levels, options, audiences and password the club keeps.

    The row of the tournament holds them: there is no second copy that could lose its audience.
    """

    club = models.ForeignKey(
        "accounts.Club", on_delete=models.PROTECT, related_name="templates", verbose_name=_("club")
    )
    name = models.CharField(_("name"), max_length=NAME_MAX_CHARACTERS)
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="+", verbose_name=_("tournament")
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("by")
    )
    made_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("template of a club")
        verbose_name_plural = _("templates of clubs")
        ordering: ClassVar = ["name"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "name"], name="club_template_once"),
        ]

    def __str__(self) -> str:
        return self.name
