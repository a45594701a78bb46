"""Players who wait for a seat at a ring game, and the seats offered to them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.models import Table
from tables.ring.models.game import RingGame


class WaitingPlayer(models.Model):
    """A place on the waiting list of a game, or of one of its tables.

    An offered seat is held until `offered_until`, and then until a boundary ends the place. A
    player who was `passed_over` at the last boundary could not pay: no free seat is kept for such.
    """

    game = models.ForeignKey(RingGame, on_delete=models.CASCADE, related_name="waiting")
    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="ring_waiting"
    )
    since = models.DateTimeField(auto_now_add=True)
    offered_table = models.ForeignKey(
        Table, on_delete=models.CASCADE, null=True, blank=True, related_name="ring_offers"
    )
    offered_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    offered_until = models.DateTimeField(null=True, blank=True)
    passed_over = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("waiting player")
        verbose_name_plural = _("waiting players")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "user"], name="ring_waits_once"),
            models.UniqueConstraint(
                fields=["offered_table", "offered_seat"], name="ring_seat_offered_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} @ {self.game_id}"
