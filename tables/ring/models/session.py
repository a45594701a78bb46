"""A player at a ring table, from the buy-in to the cash-out."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.models import Table
from tables.ring.models.game import RingGame

FIRST_KEY = 10**12
"""First key of a session: entries at seats are unique over all directors of the room."""


class RingSession(models.Model):
    """A player at one ring table, or in one rapid pool; amounts in minor units.

    At a table the key is the entry of the seat. In a pool `table` is None and each hand has an
    entry of its own (`RapidStay`): `stack` are chips in no hand, `ready_at` is since when the
    player waits for the next one, `due_at` when the room looks after who is not, `since_big` and
    `since_small` count hands since the blinds, `bank_ms` and `showdown` go on in the next hand
    (R-03); the next hand calls the `pledge`, b"" for none. `lost_connection` is why the player is
    absent, unless by choice (X-03).

    `coming` is paid for and not yet at the seat, because a roster never changes within a hand.
    Values of `after_hand` replace the player's debts once the hand of that number is settled: a
    hand that becomes void leaves them as they were.
    """

    class State(models.TextChoices):
        ARRIVING = "arriving", _("arriving")
        SEATED = "seated", _("seated")
        LEFT = "left", _("left")

    game = models.ForeignKey(
        RingGame, verbose_name=_("game"), on_delete=models.PROTECT, related_name="sessions"
    )
    table = models.ForeignKey(
        Table,
        verbose_name=_("table"),
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="ring_sessions",
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("player"),
        on_delete=models.PROTECT,
        related_name="ring_sessions",
    )
    name = models.CharField(_("name"), max_length=30)
    seat = models.PositiveSmallIntegerField(_("seat"), default=0)
    state = models.CharField(
        _("state"), max_length=10, choices=State.choices, default=State.ARRIVING
    )
    coming = models.BigIntegerField(_("chips on the way"), default=0)
    bought = models.BigIntegerField(_("bought"), default=0, help_text=_("all buy-ins and top-ups"))
    purchases = models.PositiveIntegerField(_("purchases"), default=0)
    leaving = models.BooleanField(_("leaving"), default=False)
    left_with = models.BigIntegerField(_("left with"), default=0)
    began_at = models.DateTimeField(_("began at"), auto_now_add=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)
    absent_since = models.DateTimeField(_("absent since"), null=True, blank=True)
    lost_connection = models.BooleanField(_("lost connection"), default=False)
    rebuy_until = models.DateTimeField(_("may buy again until"), null=True, blank=True)
    is_new = models.BooleanField(_("new at the table"), default=True)
    posts_now = models.BooleanField(_("posts at once"), default=False)
    owes_small = models.BooleanField(_("owes the small blind"), default=False)
    owes_big = models.BooleanField(_("owes the big blind"), default=False)
    straddles = models.BooleanField(_("straddles"), default=False)
    skips_big_blind = models.BooleanField(_("leaves before the big blind"), default=False)
    auto_top_up = models.BooleanField(_("automatic top-up"), default=False)
    after_hand = models.PositiveIntegerField(_("debts change after hand"), null=True, blank=True)
    after_dealt = models.BooleanField(_("then dealt in"), default=False)
    after_owes_small = models.BooleanField(_("then owes the small blind"), default=False)
    after_owes_big = models.BooleanField(_("then owes the big blind"), default=False)
    hands = models.PositiveIntegerField(_("hands"), default=0)
    rake_paid = models.BigIntegerField(_("rake paid"), default=0)
    stack = models.BigIntegerField(
        _("chips in no hand"), default=0, help_text=_("chips of a rapid pool in no hand")
    )
    bank_ms = models.PositiveIntegerField(_("time bank (ms)"), default=0)
    showdown = models.CharField(_("at the showdown"), max_length=4, default="auto")
    pledge = models.BinaryField(max_length=32, default=b"", blank=True, db_default=b"")
    ready_at = models.DateTimeField(_("ready since"), null=True, blank=True)
    due_at = models.DateTimeField(_("looked after at"), null=True, blank=True)
    since_big = models.PositiveIntegerField(_("hands since the big blind"), null=True, blank=True)
    since_small = models.PositiveIntegerField(
        _("hands since the small blind"), null=True, blank=True
    )

    class Meta:
        verbose_name = _("ring session")
        verbose_name_plural = _("ring sessions")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["table", "user"], condition=~Q(state="left"), name="ring_player_once"
            ),
            models.UniqueConstraint(
                fields=["table", "seat"], condition=~Q(state="left"), name="ring_seat_once"
            ),
            models.UniqueConstraint(
                fields=["game", "user"],
                condition=~Q(state="left") & Q(table=None),
                name="rapid_player_once",
            ),
            models.CheckConstraint(condition=Q(coming__gte=0), name="ring_coming_not_negative"),
            models.CheckConstraint(condition=Q(stack__gte=0), name="rapid_stack_not_negative"),
            models.CheckConstraint(
                condition=~Q(state="left") | Q(coming=0, stack=0), name="ring_left_is_paid_out"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "state"]),
            models.Index(
                fields=["game", "ready_at"], condition=~Q(ready_at=None), name="rapid_ready"
            ),
            models.Index(fields=["game", "due_at"], condition=~Q(due_at=None), name="rapid_due"),
        ]

    def __str__(self) -> str:
        return f"{self.name} @ {self.table_id}/{self.seat}" if self.table_id else self.name


LIVE = (RingSession.State.ARRIVING, RingSession.State.SEATED)
"""States of a session that has a seat."""
