"""Seeds of games; only research rooms have any."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class GameSeed(models.Model):
    """Seed of a game, from which the decks of all its hands follow; given once, never changed."""

    director = models.CharField(_("director"), max_length=20)
    game = models.BigIntegerField(_("game"))
    seed = models.BigIntegerField(_("seed"))
    given_at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name = _("seed of a game")
        verbose_name_plural = _("seeds of games")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["director", "game"], name="one_seed_for_a_game"),
            models.CheckConstraint(condition=models.Q(seed__gte=0), name="seed_is_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.director} {self.game}"
