"""Tables, seats and finished hands in PostgreSQL: authoritative at every hand boundary."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Table(models.Model):
    """A table of one game; `epoch` is the fence that every commit in Redis must name."""

    class Status(models.TextChoices):
        OPEN = "open", _("open")
        CLOSED = "closed", _("closed")

    director = models.CharField(_("directed by"), max_length=20)
    game = models.BigIntegerField(
        _("game number"), help_text=_("key of the tournament or ring game")
    )
    number = models.PositiveIntegerField(
        _("number"), help_text=_("number people see, counted from 1")
    )
    seats_max = models.PositiveSmallIntegerField(_("seats"))
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.OPEN
    )
    epoch = models.BigIntegerField(_("epoch"), default=1)
    hand = models.PositiveIntegerField(
        _("last hand"), default=0, help_text=_("number of the last settled hand")
    )
    button = models.PositiveSmallIntegerField(_("button"), null=True, blank=True)
    small_blind = models.PositiveSmallIntegerField(_("small blind"), null=True, blank=True)
    big_blind = models.PositiveSmallIntegerField(_("big blind"), null=True, blank=True)
    dead_small_blind = models.PositiveSmallIntegerField(
        _("dead small blind"), null=True, blank=True
    )
    round = models.PositiveIntegerField(
        _("round"), default=0, help_text=_("last finished common round")
    )
    granted_hand = models.PositiveIntegerField(_("granted hand"), default=0)
    grant = models.BinaryField(null=True, blank=True, help_text=_("answer for the granted hand"))
    opened_at = models.DateTimeField(_("opened at"), auto_now_add=True)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    class Meta:
        verbose_name = _("table")
        verbose_name_plural = _("tables")
        constraints = [
            models.UniqueConstraint(
                fields=["director", "game", "number"], name="table_number_once_in_game"
            ),
            models.CheckConstraint(
                condition=Q(granted_hand__gte=models.F("hand")), name="grant_not_before_hand"
            ),
        ]
        indexes = [models.Index(fields=["director", "game", "status"])]

    def __str__(self) -> str:
        return f"{self.director} {self.game} / {self.number}"


class Seat(models.Model):
    """An occupied seat: one entry, its chips, its time bank."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    entry = models.BigIntegerField(unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT)
    name = models.CharField(max_length=30)
    chips = models.BigIntegerField()
    bank_ms = models.PositiveIntegerField(default=0)
    absent = models.BooleanField(default=False)
    showdown = models.CharField(
        max_length=4, default="auto", help_text=_("what becomes of beaten hands; told to nobody")
    )
    pledge = models.BinaryField(max_length=32, default=b"", blank=True, db_default=b"")
    newcomer = models.BooleanField(default=True)

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="seat_holds_one_entry"),
            models.CheckConstraint(condition=Q(chips__gte=0), name="seat_chips_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.name} @ {self.table_id}/{self.seat}"


class Hand(models.Model):
    """A finished hand, written once; `record` replays to its events.

    The table has a partition for each month, which is in the key (`records/hand_months.py`). Each
    of them, and above all the row of the hand's table, lets a hand be settled once. The bytes of an
    archived record refer to the file of a `HandArchive`.
    """

    table = models.ForeignKey(
        Table, verbose_name=_("table"), on_delete=models.PROTECT, related_name="hands"
    )
    number = models.PositiveIntegerField(_("number"))
    epoch = models.BigIntegerField()
    digest = models.CharField(max_length=64)
    record = models.BinaryField()
    level = models.PositiveSmallIntegerField(_("level"))
    players = models.PositiveSmallIntegerField(_("players"))
    actions = models.PositiveIntegerField(_("actions"))
    pot = models.BigIntegerField(_("pot"))
    finished_at = models.DateTimeField(_("finished at"), auto_now_add=True)
    released_at = models.DateTimeField(
        _("released at"),
        null=True,
        help_text=_("when its result was to be told, on the room's clock"),
    )
    users = ArrayField(
        models.BigIntegerField(),
        null=True,
        editable=False,
        help_text=_("keys of the players who were dealt in"),
    )

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        # Searched by player. New entries gather in a pending list, so that settling stays cheap; it
        # is short (KiB), so that the hand that fills it does not wait long.
        indexes = [GinIndex(fields=["users"], name="hand_of_user", gin_pending_list_limit=256)]
        permissions = [("see_hole_cards", _("Can see the hole cards of finished hands"))]

    def __str__(self) -> str:
        return f"{self.table_id} #{self.number}"


class HandArchive(models.Model):
    """A stored file with the records of finished hands of one month, to which their rows refer.

    `digest` is the SHA-256 of the file; `taken_at` is null until no row has its record any more.
    """

    name = models.CharField(max_length=60, unique=True)
    month = models.PositiveIntegerField(help_text="as 202611")
    digest = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    hands = models.PositiveIntegerField()
    first = models.BigIntegerField(help_text="key of the first hand")
    last = models.BigIntegerField(help_text="key of the last hand")
    made_at = models.DateTimeField(auto_now_add=True)
    taken_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("archive of hands")
        verbose_name_plural = _("archives of hands")
        indexes = [models.Index(fields=["last"], name="archive_by_last_hand")]

    def __str__(self) -> str:
        return self.name


class DecidedHand(models.Model):
    """A hand whose cards are still being shown, as the table's state when it was decided."""

    table = models.OneToOneField(
        Table, primary_key=True, on_delete=models.CASCADE, related_name="decided_hand"
    )
    epoch = models.BigIntegerField()
    number = models.PositiveIntegerField()
    state = models.BinaryField()
    decided_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.table_id} #{self.number}"


class ShardGeneration(models.Model):
    """Generation of Redis adopted for a shard; data of another generation is not trusted."""

    shard = models.PositiveIntegerField(primary_key=True)
    generation = models.CharField(max_length=40)
    adopted_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.shard}: {self.generation}"


class CallKey(models.Model):
    """A public key whose private half signed calls of this room, for everybody who checks them."""

    public = models.BinaryField(max_length=32, unique=True)
    first_used_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("call key")
        verbose_name_plural = _("call keys")

    def __str__(self) -> str:
        return bytes(self.public).hex()


class SealedDeck(models.Model):
    """A deck that was sealed before its hand was granted, and its fate, written once.

    Times are UTC in ms. The secret that makes the deck is not here: it is in the table's state
    while the hand may be dealt, and in the record of a played hand.
    """

    # The unique key begins with the table: no second index at each hand.
    table = models.ForeignKey(
        Table, on_delete=models.PROTECT, related_name="sealed_decks", db_index=False
    )
    epoch = models.BigIntegerField()
    hand = models.PositiveIntegerField()
    seal = models.BinaryField(max_length=32, unique=True)
    sealed_ms = models.BigIntegerField()
    escrow = models.BinaryField(
        max_length=80, null=True, help_text=_("secret of the deck, for the auditor alone")
    )
    fate = models.PositiveSmallIntegerField(
        _("fate"),
        null=True,
        choices=[
            (1, _("played")),
            (2, _("void in play")),
            (3, _("void before cards")),
            (4, _("unplayed")),
        ],
    )
    reason = models.PositiveSmallIntegerField(_("reason"), default=0)
    ended_ms = models.BigIntegerField(default=0)

    class Meta:
        verbose_name = _("sealed deck")
        verbose_name_plural = _("sealed decks")
        constraints = [
            models.UniqueConstraint(fields=["table", "epoch", "hand"], name="hand_sealed_once"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(fate=None), name="table_has_one_open_seal"
            ),
        ]
        # Lists of void hands: few of many decks.
        indexes = [models.Index(fields=["table"], condition=Q(fate=2), name="void_hands_of_table")]

    def __str__(self) -> str:
        return f"{self.table_id} #{self.hand}"
