"""Jackpots of ring tables, one pool per kind, and the hands that won one (J-01..J-03)."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.refusals import words_of
from config.refusals import Refusal
from tables.models import Hand
from tables.ring.engine.jackpots import JackpotTerms, check_terms


class Jackpot(models.Model):
    """A jackpot; its pool is the ledger account of kind `jackpot` with the same name."""

    class Kind(models.TextChoices):
        MONTE_CARLO = "monte_carlo", _("Monte Carlo jackpot")
        BAD_BEAT = "bad_beat", _("Bad beat jackpot")
        SMART = "smart", _("Smart jackpot")

    kind = models.CharField(_("kind"), max_length=16, choices=Kind.choices, unique=True)
    enabled = models.BooleanField(_("enabled"), default=True)
    stored_terms = models.JSONField(_("terms"))

    class Meta:
        verbose_name = _("jackpot")
        verbose_name_plural = _("jackpots")

    def __str__(self) -> str:
        return self.get_kind_display()

    def clean(self) -> None:
        """Refuse terms that contradict each other, such as shares that are not the whole pool."""
        try:
            check_terms(self.terms)
        except Refusal as refusal:
            raise ValidationError(words_of(refusal), code=refusal.code) from refusal
        except msgspec.ValidationError as wrong:
            raise ValidationError(str(wrong), code="bad_terms") from wrong

    @property
    def terms(self) -> JackpotTerms:
        """Shares and conditions of the jackpot."""
        return msgspec.convert(self.stored_terms, JackpotTerms)

    @terms.setter
    def terms(self, terms: JackpotTerms) -> None:
        self.stored_terms = builtins_of(terms)


def builtins_of(terms: JackpotTerms) -> dict[str, Any]:
    """Return terms as JSON stores them."""
    stored: dict[str, Any] = msgspec.to_builtins(terms)
    return stored


class JackpotWin(models.Model):
    """Money that one player won with a hand, told from `released_at` on; minor units."""

    jackpot = models.ForeignKey(
        Jackpot, verbose_name=_("jackpot"), on_delete=models.PROTECT, related_name="wins"
    )
    hand = models.ForeignKey(
        Hand, verbose_name=_("hand"), on_delete=models.PROTECT, related_name="jackpot_wins"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.PROTECT
    )
    name = models.CharField(_("name"), max_length=30)
    role = models.CharField(_("role"), max_length=8)
    amount = models.BigIntegerField(_("amount"))
    pool = models.BigIntegerField(_("pool"))
    released_at = models.DateTimeField(_("released at"), db_index=True)
    told = models.BooleanField(_("player told"), default=False)

    class Meta:
        verbose_name = _("jackpot win")
        verbose_name_plural = _("jackpot wins")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["jackpot", "hand", "user"], name="jackpot_won_once_by_hand"
            ),
            models.CheckConstraint(condition=models.Q(amount__gt=0), name="jackpot_win_positive"),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["released_at"], condition=models.Q(told=False), name="jackpot_win_untold"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.jackpot_id} {self.hand_id}: {self.name}"
