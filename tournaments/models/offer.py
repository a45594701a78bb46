"""Offers of a re-buy, a re-entry or an add-on for one entry, open until their time is over."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry
from tournaments.models.tournament import Tournament


class Offer(models.Model):
    """An offer, closed once by compare-and-set (E-02, E-04, E-05); price and fee in cents.

    `given_table` and `given_hand` name the table and the hand before which the chips came into
    play.

    A busted entry with an open offer is pending: it counts as live. A re-buy accepted by a seat
    with chips is `accepted` until the boundary of its table gives the chips, then `done`. The chips
    of an entry merged into this one (E-03) pass through an offer too, at no cost.
    """

    class Kind(models.TextChoices):
        REBUY = "rebuy", _("re-buy")
        REENTRY = "reentry", _("re-entry")
        ADD_ON = "add_on", _("add-on")
        MERGE = "merge", _("merged entries")

    class State(models.TextChoices):
        OPEN = "open", _("open")
        ACCEPTED = "accepted", _("accepted")
        DONE = "done", _("done")
        DECLINED = "declined", _("declined")
        EXPIRED = "expired", _("expired")

    PENDING = (State.OPEN, State.ACCEPTED)

    tournament = models.ForeignKey(Tournament, on_delete=models.PROTECT, related_name="offers")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="offers")
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.OPEN)
    price = models.PositiveBigIntegerField(_("price"))
    fee = models.PositiveBigIntegerField(_("fee"), default=0)
    chips = models.PositiveBigIntegerField(_("chips"))
    given_table = models.PositiveBigIntegerField(null=True, blank=True)
    given_hand = models.PositiveIntegerField(null=True, blank=True)
    until_ms = models.PositiveBigIntegerField(_("open until"), help_text=_("ms since the epoch"))
    made_at = models.DateTimeField(_("made at"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("offer")
        verbose_name_plural = _("offers")
        constraints = [
            models.UniqueConstraint(
                fields=["entry", "kind"],
                condition=Q(state__in=["open", "accepted"]),
                name="one_open_offer_per_entry",
            ),
        ]
        indexes = [models.Index(fields=["tournament", "state"])]

    @property
    def cost(self) -> int:
        """The cost for the player, in cents."""
        return self.price + self.fee

    def __str__(self) -> str:
        return f"{self.kind} {self.entry_id}"
