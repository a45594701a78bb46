"""Deals: proposed shares of the unpaid prizes, and the votes of live entries (Y-01..Y-03)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry
from tournaments.models.tournament import Tournament


class Deal(models.Model):
    """A deal from stacks between two hands; closed once, by compare-and-set on its state.

    `stacks` are [entry, chips] and `shares` [entry, cents], both by place on chips.
    """

    class Kind(models.TextChoices):
        EQUAL = "equal", _("equal shares")
        CHIPS = "chips", _("by chips")
        ICM = "icm", _("ICM")

    class State(models.TextChoices):
        ASKED = "asked", _("after this hand")
        OPEN = "open", _("vote")
        AGREED = "agreed", _("agreed")
        REFUSED = "refused", _("refused")

    PENDING = (State.ASKED, State.OPEN)

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="deals")
    proposed_by = models.ForeignKey(
        Entry,
        on_delete=models.PROTECT,
        related_name="deals_proposed",
        verbose_name=_("proposed by"),
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.ASKED)
    stacks = models.JSONField(_("stacks"), default=list)
    shares = models.JSONField(_("shares"), default=list)
    until_ms = models.PositiveBigIntegerField(_("vote ends"), default=0)
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("deal")
        verbose_name_plural = _("deals")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["tournament"],
                condition=Q(state__in=["asked", "open"]),
                name="one_deal_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.tournament_id}"


class Vote(models.Model):
    """One live entry's vote on a deal; a vote cannot be changed (Y-01)."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="votes")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="votes")
    yes = models.BooleanField(_("yes"))
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("vote")
        verbose_name_plural = _("votes")
        constraints = [
            models.UniqueConstraint(fields=["deal", "entry"], name="one_vote_per_entry"),
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.yes}"
