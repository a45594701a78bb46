"""Checkpoint of the ledger: the sum of each account's sealed postings."""

from __future__ import annotations

from django.db import models

from accounts.models.ledger import Account


class LedgerCheckpoint(models.Model):
    """Seals up to which postings and transfers were checked and summed up; one row."""

    only = models.PositiveSmallIntegerField(primary_key=True, default=1)
    postings = models.PositiveBigIntegerField(default=0)
    transfers = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"postings to seal {self.postings}, transfers to seal {self.transfers}"


class AccountSum(models.Model):
    """Sum of an account's postings up to the checkpoint, in minor units."""

    account = models.OneToOneField(
        Account, on_delete=models.CASCADE, primary_key=True, related_name="+"
    )
    amount = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.account_id}: {self.amount}"
