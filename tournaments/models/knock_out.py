"""Knock-outs: the hand that eliminated an entry, its stack before, and the winners of its chips."""

from __future__ import annotations

from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from tables.models import Table
from tournaments.models.entry import Entry
from tournaments.models.tournament import Tournament


class KnockOut(models.Model):
    """A knock-out, numbered under the tournament's lock; its place is given once final (T-07).

    `stack` is the entry's stack at the start of the hand, in chips; `button_distance` the distance
    of its seat left of the button, counted from 1; `winners` pairs of an entry and the chips it won
    of the last pot the stack was in (N-01).
    """

    tournament = models.ForeignKey(
        Tournament,
        verbose_name=_("tournament"),
        on_delete=models.PROTECT,
        related_name="knock_outs",
    )
    entry = models.OneToOneField(
        Entry, verbose_name=_("entry"), on_delete=models.PROTECT, related_name="knock_out"
    )
    order = models.PositiveIntegerField(
        _("order"), help_text=_("counted from 1; one number per table's hand")
    )
    round = models.PositiveIntegerField(_("round"), help_text=_("hand-for-hand round; 0 outside"))
    table = models.ForeignKey(
        Table, verbose_name=_("table"), on_delete=models.PROTECT, related_name="knock_outs"
    )
    hand = models.PositiveIntegerField(_("hand"))
    stack = models.PositiveBigIntegerField(_("stack"))
    button_distance = models.PositiveSmallIntegerField(_("seats after the button"))
    winners = models.JSONField(_("winners"), default=list)
    bounties = models.JSONField(
        _("bounties"),
        default=list,
        help_text=_("[entry, cents paid at once, cents on its head] (N-04)"),
    )
    placed = models.BooleanField(_("placed"), default=False)
    at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name = _("knock-out")
        verbose_name_plural = _("knock-outs")
        ordering = [F("order").asc()]
        indexes = [models.Index(fields=["tournament", "placed"])]

    def __str__(self) -> str:
        return f"{self.entry_id} @ {self.table_id} #{self.hand}"
