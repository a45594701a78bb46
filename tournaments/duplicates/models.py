"""Duplicate sets and their games."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models import Tournament


class DuplicateSet(models.Model):
    """Games with equal cards: `users` by `seats` of the first one, one game for each of them.

    A set that cannot go on keeps the reason in `ended_why`, and is not rated.
    """

    seats = models.JSONField(_("seats"))
    users = models.JSONField(_("bots"))
    ended_why = models.CharField(_("why it ended"), max_length=300, blank=True, default="")
    made_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("duplicate set")
        verbose_name_plural = _("duplicate sets")

    def __str__(self) -> str:
        return f"#{self.pk}"


class DuplicateGame(models.Model):
    """A tournament of a duplicate set, with its bots `shift` seats on."""

    duplicates = models.ForeignKey(
        DuplicateSet, on_delete=models.PROTECT, related_name="games", verbose_name=_("set")
    )
    shift = models.PositiveSmallIntegerField(_("seats on"))
    tournament = models.OneToOneField(
        Tournament,
        on_delete=models.PROTECT,
        related_name="duplicate",
        verbose_name=_("tournament"),
    )

    class Meta:
        verbose_name = _("duplicate game")
        verbose_name_plural = _("duplicate games")
        ordering: ClassVar = ["duplicates", "shift"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["duplicates", "shift"], name="shift_once_in_set"),
        ]

    def __str__(self) -> str:
        return f"{self.duplicates_id} +{self.shift}"
