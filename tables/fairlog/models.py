"""Stored log: leaves in their order, tiles of the hash tree, and one signed head for each day."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tables.fairness.leaves import LeafKind
from tables.models import SealedDeck


class LogLeaf(models.Model):
    """A leaf of the log (append-only): pending until the keeper gives it its `index`.

    The transaction that writes a seal or a fate adds the row of its leaf. The settlement of a hand
    knows the bytes, and the `states` of the seats' seeds, one byte each; of other rows the keeper
    makes them. Rows without a deck are the genesis and the keys.
    """

    kind = models.PositiveSmallIntegerField(choices=[(kind.value, kind.name) for kind in LeafKind])
    # The row is written by the statement that writes the deck: no constraint checks it again.
    deck = models.ForeignKey(
        SealedDeck,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="leaves",
    )
    index = models.BigIntegerField(null=True, unique=True, help_text=_("place in the log, from 0"))
    leaf = models.BinaryField(null=True)
    states = models.BinaryField(null=True)

    class Meta:
        verbose_name = _("leaf of the log")
        verbose_name_plural = _("leaves of the log")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["deck", "kind"], name="deck_logged_once"),
            models.CheckConstraint(
                condition=Q(index=None) | Q(index__gte=0, leaf__isnull=False),
                name="placed_leaf_has_bytes",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=Q(index=None), name="leaves_pending"),
        ]

    def __str__(self) -> str:
        return f"{LeafKind(self.kind).name.lower()} {self.index}"


class OpenedDeck(models.Model):
    """Secret of a deck that was never dealt, told so that everybody can check all its cards.

    `called` is the call of a hand that was void before its cards, as bytes.
    """

    deck = models.OneToOneField(
        SealedDeck, primary_key=True, on_delete=models.PROTECT, related_name="opened"
    )
    secret = models.BinaryField(max_length=32)
    called = models.BinaryField(null=True)

    class Meta:
        verbose_name = _("opened deck")
        verbose_name_plural = _("opened decks")

    def __str__(self) -> str:
        return f"{self.deck_id}"


class LogTile(models.Model):
    """Tile of the log's hash tree: up to 256 hashes; a tile only grows."""

    level = models.PositiveSmallIntegerField()
    number = models.BigIntegerField()
    hashes = models.BinaryField()

    class Meta:
        verbose_name = _("tile of the log")
        verbose_name_plural = _("tiles of the log")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["level", "number"], name="tile_stored_once"),
        ]

    def __str__(self) -> str:
        return f"{self.level}/{self.number}"


class LogDay(models.Model):
    """Last signed head of a UTC day, and counts of the hands and cuts logged that day.

    `note` is the head as a signed note; a day without one has size 0.
    """

    day = models.DateField(_("day"), primary_key=True)
    size = models.BigIntegerField(_("leaves"), default=0)
    root = models.BinaryField(default=b"")
    note = models.TextField(default="")
    played = models.PositiveIntegerField(_("played"), default=0)
    void = models.PositiveIntegerField(_("void"), default=0)
    unplayed = models.PositiveIntegerField(_("unplayed"), default=0)
    in_time = models.PositiveIntegerField(_("cut in time"), default=0)
    late = models.PositiveIntegerField(_("cut too late"), default=0)
    silent = models.PositiveIntegerField(_("silent"), default=0)
    unpledged = models.PositiveIntegerField(_("without a pledge"), default=0)
    uncut = models.PositiveIntegerField(_("hands that nobody cut"), default=0)

    class Meta:
        verbose_name = _("day of the log")
        verbose_name_plural = _("days of the log")

    def __str__(self) -> str:
        return f"{self.day}: {self.size}"
