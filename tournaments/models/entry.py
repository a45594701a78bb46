"""Entries: one stack bought into a tournament, from registration to its place."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.tournament import Tournament


class Entry(models.Model):
    """One player's entry (Z-05: entries, not people, take places); money in cents."""

    class State(models.TextChoices):
        REGISTERED = "registered", _("registered")
        SEATED = "seated", _("in play")
        PENDING = "pending", _("may buy again")
        OUT = "out", _("out")
        MERGED = "merged", _("merged")
        DISQUALIFIED = "disqualified", _("disqualified")
        WON = "won", _("won")
        UNREGISTERED = "unregistered", _("unregistered")
        REFUNDED = "refunded", _("refunded")

    LIVE = (State.REGISTERED, State.SEATED, State.PENDING)
    IN_PLAY = (State.SEATED, State.PENDING)
    TAKEN_BACK = (State.UNREGISTERED, State.REFUNDED)
    PLAYED = (*IN_PLAY, State.OUT, State.MERGED, State.DISQUALIFIED, State.WON)

    tournament = models.ForeignKey(
        Tournament, verbose_name=_("tournament"), on_delete=models.PROTECT, related_name="entries"
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("player"), on_delete=models.PROTECT
    )
    name = models.CharField(_("name"), max_length=30, help_text=_("as shown at the tables"))
    number = models.PositiveIntegerField(
        _("number"), help_text=_("counted from 1 in its tournament")
    )
    state = models.CharField(
        _("state"), max_length=20, choices=State.choices, default=State.REGISTERED
    )
    paid_buy_in = models.PositiveBigIntegerField(_("buy-in paid"), default=0)
    paid_fee = models.PositiveBigIntegerField(_("fee paid"), default=0)
    paid_bounty = models.PositiveBigIntegerField(_("bounty part paid"), default=0)
    paid_bonus = models.PositiveBigIntegerField(
        _("of it from the bonus"), default=0, help_text=_("K-03")
    )
    ticket = models.ForeignKey(
        "tournaments.Ticket",
        verbose_name=_("paid with"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="entries",
    )
    slot = models.PositiveSmallIntegerField(
        _("entry of the player"),
        default=0,
        help_text=_("0, or counted from 1 among a player's entries at once (E-03)"),
    )
    chips_bought = models.PositiveBigIntegerField(
        _("chips bought"),
        default=0,
        help_text=_("all chips it brought into play: stack, re-buys, add-on"),
    )
    rebuys = models.PositiveSmallIntegerField(_("re-buys"), default=0)
    add_ons = models.PositiveSmallIntegerField(_("add-ons"), default=0)
    head = models.PositiveBigIntegerField(
        _("bounty on the head"), default=0, help_text=_("cents, still to be won (N-04)")
    )
    bounties_won = models.PositiveBigIntegerField(_("bounties won"), default=0)
    dead_chips = models.PositiveBigIntegerField(
        _("chips out of play"),
        default=0,
        help_text=_("chips that left play with who was disqualified or left (T-15)"),
    )
    merged_into = models.ForeignKey(
        "self",
        verbose_name=_("merged into"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="absorbed",
    )
    place = models.PositiveIntegerField(_("place"), null=True, blank=True)
    prize = models.PositiveBigIntegerField(_("prize"), default=0)
    moved = models.PositiveIntegerField(
        _("moved"), default=0, help_text=_("times moved to another table")
    )
    shows_cards = models.BooleanField(
        _("cards may be shown"),
        default=True,
        help_text=_("in cards-up streams of its settled hands; the answer at the registration"),
    )
    registered_at = models.DateTimeField(_("registered at"), auto_now_add=True)
    out_at = models.DateTimeField(_("out at"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "user", "slot"],
                condition=Q(state__in=["registered", "seated", "pending"]),
                name="one_live_entry_per_user",
            ),
            models.UniqueConstraint(
                fields=["tournament", "number"], name="entry_number_once_in_tournament"
            ),
            models.UniqueConstraint(
                fields=["ticket"],
                condition=~Q(state__in=["unregistered", "refunded"]),
                name="a_ticket_pays_for_one_entry",
            ),
        ]
        indexes = [
            models.Index(fields=["tournament", "state"]),
            models.Index(fields=["tournament", "place"]),
            models.Index(fields=["user", "state"]),
        ]

    @property
    def paid(self) -> int:
        """Price paid for the entry, in cents: pool, bounty and fee parts (T-03, N-01)."""
        return self.paid_buy_in + self.paid_bounty + self.paid_fee

    def __str__(self) -> str:
        return f"{self.name} #{self.number}"
