"""A player of a rapid pool in one hand, and the tables of pools that wait for players (R-03)."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.models import Table
from tables.ring.models.session import RingSession

FIRST_STAY_KEY = 2 * 10**12
"""First key of a stay: entries at seats are unique over all directors of the room."""


class RapidStay(models.Model):
    """A player of a rapid pool in one hand; the key is the entry of the seat.

    `chips` were brought to the hand. Who folds has `freed_chips` from then on and is in the next
    hand while this one goes on; the hand ends with its settlement, or void.
    """

    session = models.ForeignKey(RingSession, on_delete=models.PROTECT, related_name="stays")
    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="rapid_stays")
    hand = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    chips = models.BigIntegerField()
    big_blind = models.BooleanField(default=False)
    small_blind = models.BooleanField(default=False)
    freed_chips = models.BigIntegerField(null=True, blank=True)
    ended = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("hand of a rapid player")
        verbose_name_plural = _("hands of rapid players")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session"],
                condition=Q(ended=False, freed_chips=None),
                name="rapid_one_hand_at_once",
            ),
            models.CheckConstraint(
                condition=Q(freed_chips=None)
                | Q(freed_chips__gte=0, freed_chips__lte=models.F("chips")),
                name="rapid_freed_chips_range",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["table"], condition=Q(ended=False), name="rapid_hand_in_play")
        ]

    def __str__(self) -> str:
        return f"{self.session_id} @ {self.table_id}/{self.seat} #{self.hand}"


class RapidWaiting(models.Model):
    """A table of a rapid pool that waits for players, so that they can be dealt in at once."""

    table = models.OneToOneField(
        Table, primary_key=True, on_delete=models.CASCADE, related_name="rapid_waiting"
    )
    game = models.BigIntegerField(db_index=True)

    def __str__(self) -> str:
        return f"{self.table_id} of {self.game}"
