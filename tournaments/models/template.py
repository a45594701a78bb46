"""Templates: complete options under a name, for tournaments made by hand or on a schedule."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.structure import Structure


class Template(models.Model):
    """Options of future tournaments: `offer` fixes fields of Tournament, `schedule` opens it."""

    class Schedule(models.TextChoices):
        NONE = "none", _("by hand only")
        DAILY = "daily", _("every day")
        WEEKLY = "weekly", _("on days of the week")
        REFILL = "refill", _("a new Sit & Go when one starts")

    name = models.CharField(_("name"), max_length=80, unique=True)
    structure = models.ForeignKey(Structure, on_delete=models.PROTECT, verbose_name=_("structure"))
    offer = models.JSONField(_("offer"), default=dict)
    password = models.CharField(
        _("password"),
        max_length=128,
        blank=True,
        editable=False,
        help_text=_("hash of the one its tournaments are private with"),
    )
    schedule = models.CharField(
        _("schedule"), max_length=10, choices=Schedule.choices, default=Schedule.NONE
    )
    weekdays = models.JSONField(
        _("days"), default=list, blank=True, help_text=_("0 is Monday, 6 is Sunday")
    )
    at_time = models.TimeField(_("at"), null=True, blank=True)
    zone = models.CharField(_("time zone"), max_length=40, default="UTC")
    announce_h = models.PositiveSmallIntegerField(
        _("announced before"), default=24, help_text=_("hours")
    )
    is_active = models.BooleanField(_("active"), default=True)
    refused = models.CharField(
        _("refused"),
        max_length=300,
        blank=True,
        editable=False,
        help_text=_("why the schedule could not open its last one"),
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)

    class Meta:
        verbose_name = _("template")
        verbose_name_plural = _("templates")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
