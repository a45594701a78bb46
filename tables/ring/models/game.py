"""A ring game: its stakes, buy-in, times and options, and the number of its tables (R-01)."""

from __future__ import annotations

from typing import ClassVar, cast

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from config import limits
from tables.engine.events import AnteKind, Rake, Stakes
from tables.engine.rake_tables import RakedGame, rake_of
from tables.engine.variants import VARIANTS
from tables.ring.engine.jackpot_hands import has_jackpots
from tables.ring.models.jackpot import Jackpot
from tables.ring.models.rake import RakeTable


class RingGame(models.Model):
    """A ring game with one table or several; amounts are minor units, one chip is one unit.

    The room opens another table, up to `tables_max`, when the last one fills, and closes empty
    ones above `tables_min`. A buy-in of exactly one sum has equal limits (S0). A `rapid` game is
    one pool of players over its tables: whoever folds is dealt in elsewhere at once (R-03). Only
    members sit down at a game of a club.
    """

    class State(models.TextChoices):
        OPEN = "open", _("open")
        CLOSING = "closing", _("closes after this hand")
        CLOSED = "closed", _("closed")

    class WatchedBy(models.TextChoices):
        EVERYBODY = "everybody", _("everybody")
        MEMBERS = "members", _("members of the club")

    class AnteKinds(models.TextChoices):
        NONE = "none", _("no ante")
        PER_SEAT = "per_seat", _("each seat")
        BIG_BLIND = "big_blind", _("big blind")

    name = models.CharField(_("name"), max_length=60)
    variant = models.CharField(_("game"), max_length=20, default="holdem")
    limit = models.CharField(_("limit"), max_length=20, default="no_limit")
    small_blind = models.BigIntegerField(_("small blind"), default=0)
    big_blind = models.BigIntegerField(_("big blind"), default=0)
    ante = models.BigIntegerField(_("ante"), default=0)
    ante_kind = models.CharField(
        _("ante paid by"), max_length=10, choices=AnteKinds.choices, default=AnteKinds.NONE
    )
    bring_in = models.BigIntegerField(_("bring-in"), default=0)
    small_bet = models.BigIntegerField(_("small bet"), default=0)
    big_bet = models.BigIntegerField(_("big bet"), default=0)
    seats_max = models.PositiveSmallIntegerField(_("seats"), default=6)
    buy_in_min = models.BigIntegerField(_("smallest buy-in"))
    buy_in_max = models.BigIntegerField(_("largest buy-in"))
    action_ms = models.PositiveIntegerField(_("time to act"), default=limits.ACTION_TIME_MS)
    bank_ms = models.PositiveIntegerField(_("time bank"), default=limits.TIME_BANK_MS)
    disconnect_ms = models.PositiveIntegerField(_("time after a lost connection"), default=60_000)
    sit_out_ms = models.PositiveIntegerField(_("longest time to sit out"), default=900_000)
    rebuy_ms = models.PositiveIntegerField(_("time to re-buy"), default=60_000)
    return_ms = models.PositiveIntegerField(
        _("time to come back with the stack"), default=3_600_000
    )
    offer_ms = models.PositiveIntegerField(_("time to take an offered seat"), default=60_000)
    hand_pause_ms = models.PositiveIntegerField(_("pause"), default=limits.HAND_PAUSE_MS)
    showdown_pause_ms = models.PositiveIntegerField(_("showdown"), default=limits.SHOWDOWN_MS)
    street_pause_ms = models.PositiveIntegerField(_("pause before a street"), default=800)
    straddle = models.BooleanField(_("straddle"), default=False)
    face_up = models.BooleanField(_("all-in hands face up"), default=True)
    s0_order = models.BooleanField(_("rounds start left of the button"), default=False)
    button_by_lot = models.BooleanField(
        _("first button by lot"),
        default=False,
        db_default=False,
        help_text=_("How each table finds it (C-04)."),
    )
    muck_secret = models.BooleanField(
        _("mucked hands stay secret"),
        default=False,
        db_default=False,
        help_text=_("Nobody may look them up after the hand (S-03)."),
    )
    rake_table = models.ForeignKey(
        RakeTable, on_delete=models.PROTECT, null=True, blank=True, verbose_name=_("rake table")
    )
    currency = models.CharField(_("currency"), max_length=3, default="EUR")
    no_flop_no_drop = models.BooleanField(_("no flop, no drop"), default=True)
    rake_per_street = models.BooleanField(_("rake after each street"), default=False)
    jackpots = models.ManyToManyField(Jackpot, blank=True, verbose_name=_("jackpots"))
    password = models.CharField(_("password"), max_length=128, blank=True, default="")
    entry_level = models.BooleanField(_("entry level"), default=False)
    tables_min = models.PositiveSmallIntegerField(_("fewest tables"), default=1)
    tables_max = models.PositiveSmallIntegerField(_("most tables"), default=1)
    rapid = models.BooleanField(_("rapid pool"), default=False)
    pool_min = models.PositiveSmallIntegerField(_("fewest players of a rapid pool"), default=4)
    wait_ms = models.PositiveIntegerField(_("longest wait for a full rapid hand"), default=2_000)
    state = models.CharField(
        _("state"), max_length=8, choices=State.choices, default=State.OPEN, db_index=True
    )
    frozen = models.BooleanField(_("frozen"), default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    club = models.ForeignKey(
        "accounts.Club",
        verbose_name=_("club"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="ring_games",
        editable=False,
    )
    watched_by = models.CharField(
        _("watched by"),
        max_length=10,
        choices=WatchedBy.choices,
        default=WatchedBy.EVERYBODY,
        db_default="everybody",
        editable=False,
    )

    class Meta:
        verbose_name = _("ring game")
        verbose_name_plural = _("ring games")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(buy_in_min__gt=0, buy_in_min__lte=F("buy_in_max")),
                name="ring_buy_in_range",
            ),
            models.CheckConstraint(
                condition=Q(tables_min__gte=1, tables_min__lte=F("tables_max")),
                name="ring_tables_range",
            ),
            models.CheckConstraint(
                condition=Q(seats_max__gte=2, seats_max__lte=10), name="ring_seats_range"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_listed(self) -> bool:
        """True when everybody may know of the game: it is the room's, or its club shows it."""
        return self.club_id is None or self.watched_by == self.WatchedBy.EVERYBODY

    @property
    def director(self) -> str:
        """Name of the director of its tables."""
        return "rapid" if self.rapid else "ring"

    @property
    def stakes(self) -> Stakes:
        """Forced bets and bet sizes of every hand."""
        return Stakes(
            small_blind=self.small_blind,
            big_blind=self.big_blind,
            ante=self.ante,
            ante_kind=cast(AnteKind, self.ante_kind),
            bring_in=self.bring_in,
            small_bet=self.small_bet,
            big_bet=self.big_bet,
        )

    def rake(self, players: int) -> Rake | None:
        """Return the rake of a hand with that many players dealt in, None without one (R-02)."""
        if self.rake_table is None:
            return None
        blind = self.small_blind or self.small_bet
        return rake_of(
            self.rake_table.rake_rows(),
            RakedGame(self.variant, self.currency, self.limit, players, blind),
            no_flop_no_drop=self.no_flop_no_drop,
            per_street=self.rake_per_street,
        )

    @property
    def has_jackpots(self) -> bool:
        """Return whether a hand of the game can win a jackpot; else it feeds none (J-01)."""
        return has_jackpots(self.variant)

    @property
    def has_blinds(self) -> bool:
        """Return whether the game is played with blinds, not with a bring-in."""
        return not VARIANTS[self.variant].brings_in
