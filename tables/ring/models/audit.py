"""Audit rows of ring games: actions of operators, with actor and reason."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tables.ring.models.game import RingGame
from tables.ring.models.session import RingSession


class RingAuditRow(models.Model):
    """One action on a ring game, or on one session of it; without an actor the room's own."""

    game = models.ForeignKey(
        RingGame, on_delete=models.PROTECT, related_name="audit", verbose_name=_("ring game")
    )
    session = models.ForeignKey(
        RingSession,
        verbose_name=_("ring session"),
        null=True,
        on_delete=models.PROTECT,
        related_name="audit",
        blank=True,
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="+",
        verbose_name=_("actor"),
    )
    action = models.CharField(_("action"), max_length=30)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    details = models.JSONField(_("details"), default=dict)
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("audit row of a ring game")
        verbose_name_plural = _("audit rows of ring games")

    def __str__(self) -> str:
        return f"{self.action} {self.game_id}"
