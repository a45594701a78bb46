"""Bounty options of a tournament: on heads, paid by players or by the room (N-01..N-07)."""

from __future__ import annotations

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _


class BountyOptions(models.Model):
    """The bounty columns of a tournament's row; money in cents, parts in basis points."""

    bounty = models.PositiveBigIntegerField(
        _("bounty"), default=0, help_text=_("Part of the price on each head (N-01); 0: none.")
    )
    progressive_bp = models.PositiveIntegerField(
        _("paid at once"),
        default=10_000,
        validators=[MaxValueValidator(10_000)],
        help_text=_("Basis points; below 10,000 the rest goes on the winner's head (N-04)."),
    )
    bounty_odd_to_cash = models.BooleanField(_("odd unit of a bounty in cash"), default=True)
    bounties_at_end = models.BooleanField(
        _("bounties are paid at the end"), default=False, help_text=_("N-06")
    )
    pro_bounty = models.PositiveBigIntegerField(
        _("PRO bounty"), default=0, help_text=_("Paid by the room on PRO players (N-03).")
    )

    bounty_players = models.JSONField(
        _("bounty players"),
        default=dict,
        blank=True,
        help_text=_("Players whose knock-out the room pays for, and how much (N-02)."),
    )

    class Meta:
        abstract = True
