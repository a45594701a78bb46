"""Format options of a tournament: format, time limit, deals, and the record of a spin."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.engine.formats import FORMATS, FormatRules


class Format(models.TextChoices):
    """The format of a tournament: its play and its end (F-01..F-09, K-08)."""

    FREEZEOUT = "freezeout", _("freezeout")
    HEADS_UP = "heads_up", _("heads-up")
    SPIN = "spin", _("spin")
    FIFTY_FIFTY = "fifty_fifty", _("Fifty50")
    DOUBLE_OR_NOTHING = "double_or_nothing", _("double or nothing")
    SHOOTOUT = "shootout", _("shootout")
    SATELLITE = "satellite", _("satellite")


class TimeUp(models.TextChoices):
    """Payment of the live players when the play time is over (T-11)."""

    TABLE = "table", _("by the payout table")
    PROPORTIONAL = "proportional", _("by chips")


class DealByChips(models.TextChoices):
    """Method of a deal by chips (Y-02)."""

    WITHIN_PRIZES = "within_prizes", _("the lowest prize each, up to the first prize")
    BY_CHIPS_ALONE = "by_chips_alone", _("by chips alone")


class FormatOptions(models.Model):
    """The format columns of a tournament's row; times in ms."""

    format = models.CharField(
        _("format"), max_length=20, choices=Format.choices, default=Format.FREEZEOUT
    )
    play_time_ms = models.PositiveBigIntegerField(
        _("play time (ms)"), default=0, help_text=_("0: played to the end (T-11).")
    )
    time_up = models.CharField(
        _("paid when time is up"), max_length=20, choices=TimeUp.choices, default=TimeUp.TABLE
    )
    deals_allowed = models.BooleanField(
        _("deals allowed"), default=False, help_text=_("At the final table (Y-01).")
    )
    deal_by_chips = models.CharField(
        _("deal by chips"),
        max_length=20,
        choices=DealByChips.choices,
        default=DealByChips.WITHIN_PRIZES,
        help_text=_("What everybody has before the rest goes by chips (Y-02)."),
    )
    deal_kinds = models.JSONField(
        _("kinds of deals"),
        default=list,
        blank=True,
        help_text=_("What a proposal may choose; none chosen: all (Y-02)."),
    )
    deal_vote_ms = models.PositiveIntegerField(_("time to vote on a deal (ms)"), default=60_000)
    spin_odds = models.JSONField(
        _("odds of the spin"),
        default=dict,
        blank=True,
        help_text=_("Multiplier to how often of 100,000; empty: the room's own (F-05)."),
    )
    spin_splits = models.JSONField(
        _("splits of the spin"),
        default=dict,
        blank=True,
        help_text=_("Multiplier to basis points by place; empty: the winner takes all."),
    )
    spin = models.JSONField(
        _("drawn"), null=True, blank=True, editable=False, help_text=_("record of the drum")
    )
    time_over = models.BooleanField(
        default=False, editable=False, help_text=_("the play time is up: no more hands (T-11)")
    )
    chips_at_end = models.PositiveBigIntegerField(
        null=True, blank=True, editable=False, help_text=_("counted when it finished")
    )
    stage = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text=_("round of a shootout, counted from 1 (F-04)")
    )

    class Meta:
        abstract = True

    @property
    def format_rules(self) -> FormatRules:
        """Rules in which the format differs from others."""
        return FORMATS[self.format]
