"""A ticket: a right to enter, worth money, held by one player (K-01)."""

from __future__ import annotations

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class Ticket(models.Model):
    """A ticket's worth in cents, activity, window and state.

    The ledger carries each valid ticket as a liability of the room (K-04).
    """

    class State(models.TextChoices):
        VALID = "valid", _("valid")
        USED = "used", _("used")
        EXPIRED = "expired", _("expired")
        EXCHANGED = "exchanged", _("exchanged")
        WITHDRAWN = "withdrawn", _("withdrawn")

    class Source(models.TextChoices):
        ADMIN = "admin", _("the room")
        PRIZE = "prize", _("a prize")
        PROMOTION = "promotion", _("a promotion")

    key = models.CharField(max_length=100, unique=True, editable=False, help_text=_("of its issue"))
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="tickets",
    )
    value = models.PositiveBigIntegerField(_("value"), validators=[MinValueValidator(1)])
    scope = models.CharField(_("for"), max_length=40, help_text=_("activity it pays for"))
    valid_from = models.DateTimeField(_("valid from"))
    valid_until = models.DateTimeField(_("valid until"))
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.VALID, editable=False
    )
    exchangeable = models.BooleanField(_("exchangeable for money"), default=False)
    source = models.CharField(_("issued by"), max_length=10, choices=Source.choices)
    won_in = models.ForeignKey(
        Tournament,
        verbose_name=_("won in"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="tickets_won",
    )
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    issued_at = models.DateTimeField(_("issued at"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True, editable=False)

    class Meta:
        verbose_name = _("ticket")
        verbose_name_plural = _("tickets")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(valid_until__gt=F("valid_from")), name="ticket_window_not_empty"
            ),
            models.CheckConstraint(condition=Q(value__gt=0), name="ticket_is_worth_something"),
        ]
        indexes = [
            models.Index(fields=["owner", "state"]),
            models.Index(fields=["state", "valid_until"]),
        ]

    def __str__(self) -> str:
        return f"{self.scope} {self.pk}"
