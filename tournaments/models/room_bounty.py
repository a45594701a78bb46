"""A bounty the room pays on a chosen player in one tournament (N-02)."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class RoomBounty(models.Model):
    """A bounty on a player, in cents, paid in full to the hunters."""

    tournament = models.ForeignKey(
        Tournament,
        verbose_name=_("tournament"),
        on_delete=models.PROTECT,
        related_name="room_bounties",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.PROTECT
    )
    amount = models.PositiveBigIntegerField(_("amount"), validators=[MinValueValidator(1)])
    paid = models.BooleanField(_("paid"), default=False, editable=False)

    class Meta:
        verbose_name = _("bounty of the room")
        verbose_name_plural = _("bounties of the room")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user"], name="one_room_bounty_per_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.amount}"
