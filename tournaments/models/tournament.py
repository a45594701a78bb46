"""Tournaments: options, progress, and clock."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from config import limits
from tournaments.engine import seating
from tournaments.engine import structure as rules
from tournaments.engine.lifecycle import ENDED
from tournaments.models.audience import ClubOptions
from tournaments.models.clock import ClockColumns
from tournaments.models.options.bots import BotOptions
from tournaments.models.options.bounties import BountyOptions
from tournaments.models.options.buying import BuyingOptions
from tournaments.models.options.cards_up import CardsUpOptions
from tournaments.models.options.formats import FormatOptions
from tournaments.models.options.hands import HandOptions
from tournaments.models.options.prizes import PrizeOptions
from tournaments.models.structure import decoded


class Start(models.TextChoices):
    """The start of a tournament (T-04)."""

    SCHEDULED = "scheduled", _("scheduled")
    SIT_AND_GO = "sit_and_go", _("Sit & Go")


class State(models.TextChoices):
    """The stored states of `tournaments.engine.lifecycle`."""

    ANNOUNCED = "announced", _("announced")
    REGISTERING = "registering", _("registering")
    RUNNING = "running", _("running")
    PAUSED = "paused", _("paused")
    FROZEN = "frozen", _("frozen")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class TieRule(models.TextChoices):
    """Rule for places of entries that go out in one hand-for-hand round (T-07)."""

    BY_STACK = "by_stack", _("the larger stack")
    SHARE = "share", _("the places are shared")


class SeenBy(models.TextChoices):
    """Users who see a private tournament from inside and watch it (T-02)."""

    KNOWN = "known", _("who is entered or knows the password")
    ENTERED = "entered", _("who is entered")
    EVERYBODY = "everybody", _("everybody")


def is_over(path: str = "") -> Q:
    """Return the condition of tournaments that ended and have no batches left (T-07, T-12).

    `path` leads to the tournament from the rows that are asked for: "tournament__".
    """
    facts = {"state__in": ENDED, "refunding": False, "sharing": None, "paying": None}
    return Q(**{path + name: fact for name, fact in facts.items()})


class Tournament(
    FormatOptions,
    BuyingOptions,
    PrizeOptions,
    BountyOptions,
    HandOptions,
    BotOptions,
    CardsUpOptions,
    ClubOptions,
    ClockColumns,
):
    """One tournament; its row is locked by every change of its field, places or seats.

    Money in cents, stacks in chips, times ending in `_ms` in milliseconds since the epoch.
    """

    # Options
    name = models.CharField(_("name"), max_length=80)
    start = models.CharField(_("start"), max_length=20, choices=Start.choices)
    variant = models.CharField(_("variant"), max_length=20, default="holdem")
    limit = models.CharField(_("limit"), max_length=20, default="no_limit")
    structure_name = models.CharField(_("structure"), max_length=60)
    structure = models.JSONField(_("levels and breaks"))
    starting_stack = models.PositiveBigIntegerField(
        _("starting stack"),
        validators=[MinValueValidator(1), MaxValueValidator(limits.STACK_MAX_CHIPS)],
    )
    seats_per_table = models.PositiveSmallIntegerField(
        _("seats per table"),
        default=9,
        validators=[MinValueValidator(limits.SEATS_MIN), MaxValueValidator(limits.SEATS_MAX)],
    )
    tables_max = models.PositiveIntegerField(
        _("number of tables"),
        default=0,
        help_text=_("At most so many are in play at once; 0: as many as are needed (T-05)."),
    )
    players_min = models.PositiveIntegerField(
        _("minimum players"), default=2, validators=[MinValueValidator(2)]
    )
    players_max = models.PositiveIntegerField(
        _("maximum players"),
        default=3_000,
        validators=[MinValueValidator(2), MaxValueValidator(limits.ENTRIES_MAX)],
    )
    starts_at = models.DateTimeField(_("starts at"), null=True, blank=True)
    password = models.CharField(_("password"), max_length=128, blank=True, editable=False)
    seen_by = models.CharField(
        _("seen and watched by"),
        max_length=10,
        choices=SeenBy.choices,
        default=SeenBy.KNOWN,
        help_text=_("Counts for private tournaments; the lobby shows their row to everybody."),
    )
    repeats = models.BooleanField(
        _("repeats"),
        default=False,
        help_text=_("When it starts or is cancelled, the next one like it is opened."),
    )
    repeat_every_s = models.PositiveIntegerField(
        _("repeats after"), default=0, help_text=_("Seconds; scheduled tournaments only.")
    )
    # Where its start was typed: whole days later it is the same time of the day there.
    start_zone = models.CharField(
        _("time zone"), max_length=60, blank=True, default="", db_default="", editable=False
    )
    follows = models.OneToOneField(
        "self",
        verbose_name=_("follows"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="successor",
        editable=False,
    )
    template = models.ForeignKey(
        "tournaments.Template",
        verbose_name=_("template"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="tournaments",
        editable=False,
    )
    occasion = models.CharField(
        max_length=80,
        null=True,
        blank=True,
        unique=True,
        editable=False,
        help_text=_("what it was made for by a template or form; given once"),
    )

    # Money (Z-01)
    buy_in = models.PositiveBigIntegerField(_("buy-in"), default=0)
    fee = models.PositiveBigIntegerField(_("fee"), default=0)
    added = models.PositiveBigIntegerField(_("added by the room"), default=0)
    guarantee = models.PositiveBigIntegerField(_("guarantee"), default=0)
    payout_preset = models.CharField(_("payouts"), max_length=30, default="classic")

    # Pace
    action_ms = models.PositiveIntegerField(_("action time (ms)"), default=limits.ACTION_TIME_MS)
    bank_ms = models.PositiveIntegerField(_("time bank (ms)"), default=limits.TIME_BANK_MS)
    hand_pause_ms = models.PositiveIntegerField(_("pause (ms)"), default=limits.HAND_PAUSE_MS)
    showdown_pause_ms = models.PositiveIntegerField(
        _("pause after a showdown (ms)"), default=limits.SHOWDOWN_MS
    )
    street_pause_ms = models.PositiveIntegerField(
        _("pause between streets of an all-in (ms)"), default=1_000
    )

    # Hand-for-hand (T-09)
    bubble_places = models.PositiveSmallIntegerField(
        _("hand-for-hand before the money"),
        default=1,
        help_text=_("Number of places before the money; 0 switches it off."),
    )
    bubble_final = models.PositiveSmallIntegerField(
        _("hand-for-hand before the final table"),
        default=0,
        help_text=_("Number of places before the final table; 0 switches it off."),
    )
    bubble_charge_ms = models.PositiveIntegerField(
        _("time charged per hand-for-hand hand (ms)"), default=60_000
    )
    tie_rule = models.CharField(
        _("out in the same round"),
        max_length=10,
        choices=TieRule.choices,
        default=TieRule.BY_STACK,
    )

    # Progress
    state = models.CharField(
        _("state"), max_length=20, choices=State.choices, default=State.ANNOUNCED, editable=False
    )
    entrants = models.PositiveIntegerField(_("entrants"), default=0, editable=False)
    left = models.PositiveIntegerField(_("left"), default=0, editable=False)
    knocked_out = models.PositiveIntegerField(default=0, editable=False)
    tables_opened = models.PositiveIntegerField(default=0, editable=False)
    balance_version = models.PositiveBigIntegerField(default=0, editable=False)
    round = models.PositiveIntegerField(
        default=0, editable=False, help_text=_("number of the hand-for-hand round; 0 before any")
    )
    hand_for_hand = models.BooleanField(default=False, editable=False)
    round_open = models.BooleanField(
        default=False, editable=False, help_text=_("tables may deal their hand of the round")
    )
    rulings = models.PositiveIntegerField(
        default=0, editable=False, help_text=_("how often the room ruled about a player")
    )
    final_table = models.BooleanField(default=False, editable=False)
    featured = models.ForeignKey(
        "tables.Table",
        null=True,
        on_delete=models.SET_NULL,
        related_name="+",
        editable=False,
        help_text=_("the table the room shows to spectators, as long as it is open"),
    )
    entries_made = models.PositiveIntegerField(
        default=0, editable=False, help_text=_("with those that unregistered")
    )
    pool = models.PositiveBigIntegerField(
        _("prize pool"), null=True, blank=True, editable=False, help_text=_("once it is fixed")
    )
    prizes = models.JSONField(
        _("prizes"), default=list, editable=False, help_text=_("by place, once the pool is fixed")
    )
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    finished_at = models.DateTimeField(_("finished at"), null=True, blank=True, editable=False)
    # Tables of the last balance versions, each `[version, *tables]`: see `seating/balancer.py`.
    resized = models.JSONField(
        default=list, db_default=models.Value([], models.JSONField()), editable=False
    )

    # Batches: tables of the start up to this number are not open yet; a refund is not complete.
    opening = models.PositiveIntegerField(default=0, db_default=0, editable=False)
    refunding = models.BooleanField(default=False, db_default=False, editable=False)
    # Shares of a tournament cancelled forward: the last entry that has its own; with its fee.
    sharing = models.PositiveBigIntegerField(null=True, blank=True, editable=False)
    shares_fees = models.BooleanField(default=False, db_default=False, editable=False)
    # Prizes of a finished tournament: the last entry that has its own.
    paying = models.PositiveBigIntegerField(null=True, blank=True, editable=False)

    lobby_told = models.CharField(
        max_length=32, editable=False, help_text=_("digest of the row the lobby last saw")
    )

    _levels: rules.BlindStructure | None = None

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ["-pk"]
        permissions = [
            ("run_tournament", _("Can open, start, pause, resume and cancel")),
            ("rule_players", _("Can seat, move and disqualify players")),
            ("message_players", _("Can send a message to all players")),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(players_max__gte=F("players_min")), name="players_max_not_below_min"
            ),
            models.CheckConstraint(
                condition=Q(entrants__lte=F("players_max") + F("reentries")),
                name="entrants_not_above_max",
            ),
            models.CheckConstraint(condition=Q(left__lte=F("entrants")), name="left_of_entrants"),
            models.CheckConstraint(
                condition=Q(seats_per_table__gte=limits.SEATS_MIN)
                & Q(seats_per_table__lte=limits.SEATS_MAX),
                name="seats_per_table_in_range",
            ),
            models.CheckConstraint(
                condition=Q(start=Start.SIT_AND_GO) | Q(starts_at__isnull=False),
                name="scheduled_has_a_time",
            ),
        ]
        indexes = [
            models.Index(fields=["state", "starts_at"]),
            models.Index(fields=["started_ms"], name="tournament_by_start"),
            models.Index(fields=["finished_at"], name="tournament_by_end"),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.pk})"

    @property
    def member(self) -> str:
        """Key of its stream and of its wake."""
        return f"tournament:{self.pk}"

    @property
    def is_full(self) -> bool:
        """True when all places are taken; a re-entry takes none (T-01, E-02)."""
        return self.entrants - self.reentries >= self.players_max

    @property
    def table_size(self) -> int:
        """Seats of each of its tables (T-05)."""
        return seating.table_size(self.seats_per_table, self.players_max)

    @property
    def pays_back(self) -> bool:
        """True while batches of a cancellation are left (T-12)."""
        return self.refunding or self.sharing is not None

    @property
    def is_paying(self) -> bool:
        """True while batches of the end or of a cancellation are left (T-07, T-12)."""
        return self.pays_back or self.paying is not None

    @property
    def price(self) -> int:
        """Price of a registration, in cents: pool, bounty and fee parts (T-03, N-01)."""
        return self.buy_in + self.bounty + self.fee

    @property
    def starts_at_ms(self) -> int | None:
        """The set start, in ms since the epoch; None without one (T-04)."""
        return None if self.starts_at is None else int(self.starts_at.timestamp() * 1_000)

    def levels(self) -> rules.BlindStructure:
        """The levels of the tournament, a snapshot of its structure."""
        if self._levels is None:
            self._levels = decoded(self.structure)
        return self._levels
