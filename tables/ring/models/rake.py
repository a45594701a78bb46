"""Rake tables of ring games: named sets of rows, the most special row that fits wins (R-02)."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.engine.rake_tables import PLAYERS, RakeRow


class RakeTable(models.Model):
    """A rake table that ring games refer to."""

    name = models.CharField(_("name"), max_length=60, unique=True)

    class Meta:
        verbose_name = _("rake table")
        verbose_name_plural = _("rake tables")

    def __str__(self) -> str:
        return self.name

    def rake_rows(self) -> list[RakeRow]:
        """Return the rows as the rules read them."""
        return [row.rake_row() for row in self.rows.order_by("pk")]


class RakeTableRow(models.Model):
    """A row with its conditions, "" for any; amounts in minor units, the share in basis points."""

    table = models.ForeignKey(
        RakeTable, on_delete=models.CASCADE, related_name="rows", verbose_name=_("rake table")
    )
    variant = models.CharField(_("game"), max_length=20, blank=True, default="")
    currency = models.CharField(_("currency"), max_length=3, blank=True, default="")
    limit = models.CharField(_("limit"), max_length=20, blank=True, default="")
    players_min = models.PositiveSmallIntegerField(_("fewest players"), default=PLAYERS[0])
    players_max = models.PositiveSmallIntegerField(_("most players"), default=PLAYERS[1])
    small_blind_over = models.BigIntegerField(_("small blind above"), default=-1)
    small_blind_upto = models.BigIntegerField(_("small blind up to"), null=True, blank=True)
    basis_points = models.PositiveIntegerField(_("share"))
    minimum = models.BigIntegerField(_("minimum"), default=0)
    maximum = models.BigIntegerField(_("maximum"))

    class Meta:
        verbose_name = _("row of a rake table")
        verbose_name_plural = _("rows of a rake table")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(basis_points__lte=10_000), name="rake_share_upto_whole"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.basis_points / 100:g} %"

    def rake_row(self) -> RakeRow:
        """Return the row as the rules read it."""
        return RakeRow(
            variant=self.variant or None,
            currency=self.currency or None,
            limit=self.limit or None,
            players_min=self.players_min,
            players_max=self.players_max,
            small_blind_over=self.small_blind_over,
            small_blind_upto=self.small_blind_upto,
            basis_points=self.basis_points,
            minimum=self.minimum,
            maximum=self.maximum,
        )
