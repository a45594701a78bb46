"""Seals over append-only rows, and the progress of the next seal."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Seal(models.Model):
    """Link of a seal chain: rows above the previous seal up to the id `upto` (append-only)."""

    chain = models.CharField(max_length=20)
    number = models.PositiveBigIntegerField()
    previous = models.CharField(max_length=64, blank=True)
    upto = models.BigIntegerField()
    rows = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    key = models.CharField(max_length=16)
    mark = models.CharField(max_length=64, db_index=True)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["chain", "number"], name="seal_number_once")
        ]

    def __str__(self) -> str:
        return f"{self.chain} {self.number}"


class SealProgress(models.Model):
    """Ids of a chain that were seen, and those that are final after older transactions ended.

    A manipulated row makes seals come early or late, which shows as rows that do not fit.
    """

    chain = models.CharField(max_length=20, primary_key=True)
    seen_upto = models.BigIntegerField(default=0)
    ready_upto = models.BigIntegerField(default=0)
    ready_xid = models.BigIntegerField(default=0)
    at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.chain} to {self.ready_upto}"
