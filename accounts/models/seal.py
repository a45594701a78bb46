"""Seals over rows that are only ever added, and how far the next one may go."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class Seal(models.Model):
    """One link of a chain: rows above the seal before it, to the id `upto` (append-only)."""

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
    """Which ids of a chain were seen, and which are final once older transactions have ended.

    Whoever changes it makes seals come early or late, which shows as rows that do not fit.
    """

    chain = models.CharField(max_length=20, primary_key=True)
    seen_upto = models.BigIntegerField(default=0)
    ready_upto = models.BigIntegerField(default=0)
    ready_xid = models.BigIntegerField(default=0)
    at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.chain} to {self.ready_upto}"
