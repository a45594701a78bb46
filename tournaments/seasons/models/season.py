"""Season of a room or a club: its days, its formula of points, and the tournaments that count."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from config import limits


class Season(models.Model):
    """A season; its table follows from the results of its tournaments and is stored nowhere."""

    class SeasonAudience(models.TextChoices):
        EVERYBODY = "everybody", _("everybody")
        MEMBERS = "members", _("members of the club")

    class Tie(models.TextChoices):
        WINS = "wins", _("more wins")
        COUNTBACK = "countback", _("the better best results")
        FEWER = "fewer", _("fewer tournaments")
        MORE = "more", _("more tournaments")

    name = models.CharField(_("name"), max_length=limits.SEASON_NAME_MAX_CHARACTERS)
    club = models.ForeignKey(
        "accounts.Club",
        verbose_name=_("club"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="seasons",
        help_text=_("Empty: the room's own tournaments count."),
    )
    audience = models.CharField(
        _("seen by"),
        max_length=10,
        choices=SeasonAudience.choices,
        default=SeasonAudience.EVERYBODY,
        help_text=_("Tournaments count that all of these may watch."),
    )
    series = models.CharField(
        _("series"),
        max_length=80,
        blank=True,
        help_text=_("Only tournaments of this name count; empty: all."),
    )
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    zone = models.CharField(_("time zone"), max_length=40, default="UTC")
    formula = models.CharField(_("formula"), max_length=limits.FORMULA_MAX_CHARACTERS)
    best_of = models.PositiveSmallIntegerField(
        _("best results"),
        default=0,
        validators=[MaxValueValidator(limits.SEASON_BEST_OF_MAX)],
        help_text=_("So many results of each player count; 0: all."),
    )
    ties = models.JSONField(_("ties"), default=list, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("made by"),
        on_delete=models.PROTECT,
        related_name="+",
        editable=False,
    )
    made_at = models.DateTimeField(_("created at"), auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("season")
        verbose_name_plural = _("seasons")
        ordering: ClassVar = ["-last_day", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(last_day__gte=F("first_day")), name="season_ends_after_its_first_day"
            ),
            models.CheckConstraint(
                condition=Q(audience="everybody") | Q(club__isnull=False),
                name="season_of_the_room_is_for_everybody",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def span_ms(self) -> tuple[int, int]:
        """First ms of the first day and of the day after the last one, in the season's zone."""
        return (
            _midnight_ms(datetime.combine(self.first_day, time(), ZoneInfo(self.zone))),
            _midnight_ms(
                datetime.combine(self.last_day + timedelta(days=1), time(), ZoneInfo(self.zone))
            ),
        )


def _midnight_ms(wall: datetime) -> int:
    return int(wall.astimezone(UTC).timestamp() * 1_000)
