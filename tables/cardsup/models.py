"""Progress of cards-up streams: the hand that is told, and the time of the next event."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _


class Retelling(models.Model):
    """A cards-up stream: the hand told last or now, and the time of the next look at it.

    Times are UTC in ms on the room's clock. A process that looks moves `due_ms` on first, so that
    of several processes one tells. Event `base_seq` + 1 is `retold`, the events of the hand follow.
    """

    class Phase(models.TextChoices):
        WAITING = "waiting", _("waits for a hand")
        PLANNED = "planned", _("waits for the time of a hand")
        TELLING = "telling", _("tells a hand")
        OVER = "over", _("all was told")

    stream = models.CharField(_("stream"), max_length=40, unique=True)
    director = models.CharField(max_length=20)
    game = models.BigIntegerField()
    table = models.ForeignKey("tables.Table", null=True, on_delete=models.PROTECT, related_name="+")
    is_featured = models.BooleanField(default=False)
    phase = models.CharField(
        _("phase"), max_length=10, choices=Phase.choices, default=Phase.WAITING
    )
    hand = models.PositiveIntegerField(default=0, help_text=_("number of the hand told last"))
    base_seq = models.BigIntegerField(default=0)
    starts_ms = models.BigIntegerField(default=0)
    ends_ms = models.BigIntegerField(default=0)
    due_ms = models.BigIntegerField(default=0)
    length = models.PositiveIntegerField(
        default=0, help_text=_("events of the hand, with the first")
    )
    hidden = ArrayField(models.PositiveSmallIntegerField(), default=list)
    retold = models.BinaryField(default=b"", help_text=_("first event of the hand, as JSON"))

    class Meta:
        verbose_name = _("cards-up stream")
        verbose_name_plural = _("cards-up streams")
        permissions: ClassVar = [
            ("see_delayed_cards", _("Can see the delayed cards that only commentators see"))
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_ms"], name="retelling_due"),
            models.Index(fields=["director", "game"], name="retelling_of_game"),
        ]

    def __str__(self) -> str:
        return f"{self.stream} #{self.hand}"


class DelayedFacts(models.Model):
    """Facts of a game around its tables, noted at `at_ms` and told at `due_ms`, as JSON."""

    stream = models.CharField(_("stream"), max_length=40)
    seq = models.BigIntegerField()
    at_ms = models.BigIntegerField()
    due_ms = models.BigIntegerField()
    is_told = models.BooleanField(default=False)
    payload = models.BinaryField()

    class Meta:
        verbose_name = _("delayed facts")
        verbose_name_plural = _("delayed facts")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["stream", "seq"], name="facts_numbered_once"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["due_ms"], condition=models.Q(is_told=False), name="facts_untold")
        ]

    def __str__(self) -> str:
        return f"{self.stream} {self.seq}"
