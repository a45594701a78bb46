"""Stored counters of players, one row for each game and variant."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class PlayerCounts(models.Model):
    """Counters of a user's hands in one game of one director; see `HandCounters`.

    Each settled hand adds to the rows of its players. Users are never deleted, so the column has no
    constraint that each hand would have to check.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.CASCADE,
        related_name="counts",
        db_constraint=False,
        db_index=False,
        verbose_name=_("player"),
    )
    director = models.CharField(_("directed by"), max_length=20)
    game = models.BigIntegerField(
        _("game number"), help_text=_("key of the tournament or ring game")
    )
    variant = models.CharField(_("game"), max_length=20)
    hands = models.PositiveIntegerField(_("hands"), default=0)
    voluntary = models.PositiveIntegerField(_("hands played by choice"), default=0)
    raised = models.PositiveIntegerField(_("raised before the flop"), default=0)
    three_bet_chances = models.PositiveIntegerField(_("chances to re-raise"), default=0)
    three_bets = models.PositiveIntegerField(_("re-raised"), default=0)
    saw_second = models.PositiveIntegerField(_("saw the flop"), default=0)
    showdowns = models.PositiveIntegerField(_("showdowns"), default=0)
    showdowns_won = models.PositiveIntegerField(_("showdowns won"), default=0)
    won = models.PositiveIntegerField(_("hands won"), default=0)
    net = models.BigIntegerField(_("chips won"), default=0)
    played_ms = models.BigIntegerField(_("time played (ms)"), default=0)

    class Meta:
        verbose_name = _("statistics of a player")
        verbose_name_plural = _("statistics of players")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "director", "game", "variant"], name="counts_once_per_game"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.director} {self.game} {self.variant}"


class StatisticsChoice(models.Model):
    """A user's choice to show the own statistics to everybody; without a row they are private."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="statistics_choice",
    )
    public = models.BooleanField(_("public"), default=False)

    class Meta:
        verbose_name = _("choice of public statistics")
        verbose_name_plural = _("choices of public statistics")

    def __str__(self) -> str:
        return f"{self.user_id}: {self.public}"
