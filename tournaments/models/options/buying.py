"""Options for entering and buying chips while a tournament is played (E-01..E-07)."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.engine.entries import LateRegistration, Rebuys


class LateEnds(models.TextChoices):
    """The end of late registration (E-01)."""

    NEVER_OPEN = "never_open", _("there is none")
    AT_LEVEL = "at_level", _("after a level")
    AT_TIME = "at_time", _("after a time")
    AT_LEFT = "at_left", _("when so many are left")
    AT_FIRST_OUT = "at_first_out", _("when the first player is out")


class Threshold(models.TextChoices):
    """The most chips with which a player may re-buy (E-04)."""

    ZERO = "zero", _("none")
    HALF = "half", _("half a starting stack")
    FULL = "full", _("a starting stack")


class BuyingOptions(models.Model):
    """The entry and chip columns of a tournament's row; money in cents, times in ms."""

    late_ends = models.CharField(
        _("late registration ends"),
        max_length=20,
        choices=LateEnds.choices,
        default=LateEnds.NEVER_OPEN,
    )
    late_value = models.PositiveBigIntegerField(
        _("level, time (ms) or number"), default=0, help_text=_("What late registration ends at.")
    )
    entries_max = models.PositiveSmallIntegerField(
        _("entries per player"),
        default=1,
        help_text=_("More than one: re-entry, or several at once (E-02, E-03)."),
    )
    several_at_once = models.BooleanField(_("several entries at once"), default=False)
    merge_at = models.PositiveIntegerField(
        _("merge at"),
        default=0,
        help_text=_("Number of different players at which entries merge; 0: one table (E-03)."),
    )
    offer_ms = models.PositiveIntegerField(_("time for an offer (ms)"), default=20_000)
    rebuys_max = models.PositiveSmallIntegerField(
        _("re-buys per player"), default=0, help_text=_("0: no re-buys (E-04).")
    )
    rebuy_threshold = models.CharField(
        _("re-buy with at most"), max_length=10, choices=Threshold.choices, default=Threshold.ZERO
    )
    rebuy_until_level = models.PositiveSmallIntegerField(_("re-buys through level"), default=0)
    rebuy_price = models.PositiveBigIntegerField(_("price of a re-buy"), default=0)
    rebuy_fee = models.PositiveBigIntegerField(_("fee of a re-buy"), default=0)
    rebuy_chips = models.PositiveBigIntegerField(
        _("chips of a re-buy"), default=0, help_text=_("0: a starting stack.")
    )
    add_on = models.BooleanField(_("add-on"), default=False)
    add_on_price = models.PositiveBigIntegerField(_("price of the add-on"), default=0)
    add_on_fee = models.PositiveBigIntegerField(_("fee of the add-on"), default=0)
    add_on_chips = models.PositiveBigIntegerField(
        _("chips of the add-on"), default=0, help_text=_("0: a starting stack (E-05).")
    )
    cash_value = models.BooleanField(
        _("chips have cash value"),
        default=False,
        help_text=_("Bought one to one; leaving books the stack back, no re-buy (A-04)."),
    )

    # Progress
    entries_open = models.BooleanField(
        default=False, editable=False, help_text=_("late registration lasts (E-01)")
    )
    rebuys_open = models.BooleanField(
        default=False, editable=False, help_text=_("the re-buy period lasts (E-04)")
    )
    add_on_until_ms = models.PositiveBigIntegerField(
        null=True, blank=True, editable=False, help_text=_("end of the add-on window, once open")
    )
    # Batches of add-ons: the last entry that has its offer, while others are to have theirs.
    offering = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    reentries = models.PositiveIntegerField(
        default=0, editable=False, help_text=_("entries that took the place of one that was out")
    )

    class Meta:
        abstract = True

    @property
    def late(self) -> LateRegistration:
        """Late registration as the engine reads it (E-01)."""
        # Columns with choices are typed as str.
        return LateRegistration(self.late_ends, self.late_value)  # type: ignore[arg-type]

    @property
    def rebuys(self) -> Rebuys | None:
        """Re-buys as the engine reads them; None without re-buys (E-04)."""
        if not self.rebuys_max:
            return None
        # Columns with choices are typed as str.
        return Rebuys(self.rebuy_threshold, self.rebuys_max, self.rebuy_until_level)  # type: ignore[arg-type]

    @property
    def sells(self) -> bool:
        """Return whether anything is sold after the start: the pool is then fixed later (E-07)."""
        return self.late_ends != LateEnds.NEVER_OPEN or self.rebuys_max > 0 or self.add_on
