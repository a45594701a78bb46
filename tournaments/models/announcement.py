"""The outbox: events of a stream, written with the change and published after commit."""

from __future__ import annotations

from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class StreamHead(models.Model):
    """The last number used on a stream; its row lock makes numbers follow commits."""

    stream = models.CharField(primary_key=True, max_length=60)
    seq = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.stream} {self.seq}"


class Announcement(models.Model):
    """Event number `seq` of a stream as JSON bytes; on the stream its id is `0-seq`."""

    stream = models.CharField(_("stream"), max_length=60)
    seq = models.PositiveBigIntegerField(_("number"))
    payload = models.BinaryField(_("event"))
    published = models.BooleanField(_("published"), default=False)
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("announcement")
        verbose_name_plural = _("announcements")
        constraints = [
            models.UniqueConstraint(fields=["stream", "seq"], name="announcement_number_once"),
        ]
        indexes = [
            models.Index(
                fields=["stream", "seq"],
                condition=Q(published=False),
                name="announcement_unpublished",
            ),
            BrinIndex(fields=["at"], name="announcement_age"),
        ]

    def __str__(self) -> str:
        return f"{self.stream} {self.seq}"
