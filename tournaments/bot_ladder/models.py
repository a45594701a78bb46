"""Ladders of a room, their rated tournaments, and the ratings of bots after each."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from config import limits
from tournaments.bot_ladder.rating import Rating
from tournaments.models import Template, Tournament


class DecisionCounts(models.Model):
    """Decisions of a bot in rated games, and those that the room made in its place."""

    decisions = models.PositiveBigIntegerField(_("decisions"), default=0)
    time_outs = models.PositiveIntegerField(
        _("time-outs"), default=0, help_text=_("turns that its clock ended")
    )
    crashes = models.PositiveIntegerField(
        _("crashes"), default=0, help_text=_("turns that ended while its connection was lost")
    )
    missed = models.PositiveIntegerField(
        _("missed"), default=0, help_text=_("turns of hands that it was absent from")
    )

    class Meta:
        abstract = True


class BotLadder(models.Model):
    """A ladder; its row is locked while one of its tournaments is rated."""

    name = models.CharField(_("name"), max_length=limits.LADDER_NAME_MAX_CHARACTERS, unique=True)
    templates = models.ManyToManyField(
        Template,
        verbose_name=_("templates"),
        related_name="ladders",
        help_text=_("All tournaments of these templates for bots alone are rated."),
    )
    is_open = models.BooleanField(
        _("open"), default=True, help_text=_("A closed ladder stays to be seen and rates nothing.")
    )
    duplicate = models.BooleanField(
        _("duplicate deals"),
        default=False,
        help_text=_(
            "In research rooms: each Sit & Go is played once from every seat with the same cards,"
            " and all of them are rated as one game."
        ),
    )
    rated = models.PositiveIntegerField(_("rated games"), default=0, editable=False)
    made_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name


class RatedGame(models.Model):
    """A finished tournament that a ladder has rated, once, as its game `number`.

    It is the first one of a duplicate set, which is rated as one game.
    """

    ladder = models.ForeignKey(
        BotLadder, on_delete=models.CASCADE, related_name="games", verbose_name=_("ladder")
    )
    tournament = models.ForeignKey(
        Tournament, on_delete=models.PROTECT, related_name="+", verbose_name=_("tournament")
    )
    number = models.PositiveIntegerField(_("number"))
    players = models.PositiveIntegerField(_("players"))
    rated_at = models.DateTimeField(_("rated at"), auto_now_add=True)

    class Meta:
        verbose_name = _("rated game")
        verbose_name_plural = _("rated games")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["ladder", "tournament"], name="tournament_rated_once_in_ladder"
            ),
            models.UniqueConstraint(
                fields=["ladder", "number"], name="rated_game_number_once_in_ladder"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ladder_id} #{self.number}"


class RatedBot(DecisionCounts):
    """A bot's place in a ladder: its rating after its last game, and sums over all of them.

    The place in a duplicate set is the mean of its games; the best one alone wins it.
    """

    ladder = models.ForeignKey(
        BotLadder, on_delete=models.CASCADE, related_name="bots", verbose_name=_("ladder")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", verbose_name=_("bot")
    )
    mu = models.FloatField("mu")
    sigma = models.FloatField("sigma")
    games = models.PositiveIntegerField(_("games"))
    wins = models.PositiveIntegerField(_("wins"), default=0)
    places = models.FloatField(_("sum of places"), default=0)

    class Meta:
        verbose_name = _("rated bot")
        verbose_name_plural = _("rated bots")
        ordering: ClassVar = ["-mu", "pk"]
        indexes: ClassVar = [models.Index(fields=["ladder", "-mu"])]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ladder", "user"], name="bot_once_in_ladder"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.ladder_id}"

    @property
    def rating(self) -> Rating:
        """Rating as the arithmetic of ladders reads it."""
        return Rating(self.mu, self.sigma, self.games)


class RatedResult(DecisionCounts):
    """A bot's place in a rated game, and its rating after it (never changed)."""

    game = models.ForeignKey(
        RatedGame, on_delete=models.CASCADE, related_name="results", verbose_name=_("rated game")
    )
    bot = models.ForeignKey(
        RatedBot, on_delete=models.CASCADE, related_name="results", verbose_name=_("rated bot")
    )
    place = models.FloatField(_("place"))
    mu = models.FloatField("mu")
    sigma = models.FloatField("sigma")

    class Meta:
        verbose_name = _("rated result")
        verbose_name_plural = _("rated results")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "bot"], name="bot_rated_once_in_game"),
        ]
        indexes: ClassVar = [models.Index(fields=["bot", "game"])]

    def __str__(self) -> str:
        return f"{self.bot_id} in game {self.game_id}"
