"""Audit rows: actions on tournaments, with actor and reason."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class AuditRow(models.Model):
    """One action of an operator, or of the room itself when `actor` is empty; never changed."""

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.PROTECT, related_name="audit"
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("by"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
    )
    action = models.CharField(_("action"), max_length=30)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    details = models.JSONField(_("details"), default=dict)
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("audit row")
        verbose_name_plural = _("audit rows")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.action} {self.tournament_id}"
