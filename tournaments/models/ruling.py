"""Rulings about an entry, by the room or its player, carried out at the table's next boundary."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.models import Table
from tournaments.models.entry import Entry
from tournaments.models.tournament import Tournament


class Ruling(models.Model):
    """A ruling, open until the boundary of the entry's table; void if it cannot be carried out."""

    class Kind(models.TextChoices):
        MOVE = "move", _("moved by the room")
        DISQUALIFY = "disqualify", _("disqualified")
        LEAVE = "leave", _("leaves with the stack")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        DONE = "done", _("done")
        VOID = "void", _("void")

    tournament = models.ForeignKey(
        Tournament,
        verbose_name=_("tournament"),
        on_delete=models.PROTECT,
        related_name="room_rulings",
    )
    entry = models.ForeignKey(
        Entry, verbose_name=_("entry"), on_delete=models.PROTECT, related_name="room_rulings"
    )
    kind = models.CharField(_("kind"), max_length=12, choices=Kind.choices)
    to_table = models.ForeignKey(
        Table,
        verbose_name=_("to table"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="room_rulings",
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
    )
    reason = models.CharField(_("reason"), max_length=300)
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("ruling")
        verbose_name_plural = _("rulings")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["entry"], condition=Q(state="open"), name="one_open_ruling_per_entry"
            ),
        ]
        indexes = [models.Index(fields=["tournament", "state"])]

    def __str__(self) -> str:
        return f"{self.kind} {self.entry_id}"
