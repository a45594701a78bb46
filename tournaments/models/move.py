"""Moves: an entry on its way from one seat to another, with its chips."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.models import Table
from tournaments.models.entry import Entry
from tournaments.models.tournament import Tournament


class Move(models.Model):
    """A move of an entry. Open: a seat is reserved. Left: the chips are here. Seated: done (T-08).

    While the move is `left`, `chips` are in this row and in no seat. `bank_ms` is the time bank
    carried along, as are absence and `showdown`; `hand` is the last hand at the old table.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        LEFT = "left", _("on the way")
        SEATED = "seated", _("seated")
        VOID = "void", _("void")

    class Reason(models.TextChoices):
        BALANCE = "balance", _("balancing")
        CLOSING = "closing", _("table closed")
        FINAL = "final", _("final table")
        LATE = "late", _("late registration")
        ROUND = "round", _("next round")
        ROOM = "room", _("by the room")

    PENDING = (State.OPEN, State.LEFT)

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.PROTECT, related_name="moves"
    )
    entry = models.ForeignKey(
        Entry, verbose_name=_("entry"), on_delete=models.PROTECT, related_name="moves"
    )
    reason = models.CharField(_("reason"), max_length=10, choices=Reason.choices)
    state = models.CharField(_("state"), max_length=10, choices=State.choices)
    from_table = models.ForeignKey(
        Table,
        verbose_name=_("from table"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="moves_away",
    )
    from_seat = models.PositiveSmallIntegerField(_("from seat"), null=True, blank=True)
    to_table = models.ForeignKey(
        Table, verbose_name=_("to table"), on_delete=models.PROTECT, related_name="moves_here"
    )
    to_seat = models.PositiveSmallIntegerField(_("to seat"))
    chips = models.PositiveBigIntegerField(_("chips"), default=0)
    bank_ms = models.PositiveIntegerField(_("time bank (ms)"), default=0)
    absent = models.BooleanField(_("absent"), default=False)
    showdown = models.CharField(_("at the showdown"), max_length=4, default="auto")
    pledge = models.BinaryField(max_length=32, default=b"", blank=True, db_default=b"")
    hand = models.PositiveIntegerField(_("hand"), default=0)
    version = models.PositiveBigIntegerField(
        _("version"), help_text=_("balance version that decided it")
    )
    decided_at = models.DateTimeField(_("decided at"), auto_now_add=True)
    seated_at = models.DateTimeField(_("seated at"), null=True, blank=True)

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        constraints = [
            models.UniqueConstraint(
                fields=["entry"],
                condition=Q(state__in=["open", "left"]),
                name="one_open_move_per_entry",
            ),
            models.UniqueConstraint(
                fields=["to_table", "to_seat"],
                condition=Q(state__in=["open", "left"]),
                name="one_open_move_per_seat",
            ),
        ]
        indexes = [models.Index(fields=["tournament", "state"])]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.from_table_id} > {self.to_table_id}/{self.to_seat}"
