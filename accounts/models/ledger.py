"""Double-entry ledger: accounts, the transfers between them, and their postings."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

NO_FLOOR = -(2**62)
BALANCE_MAX = 2**62


class AccountKind(models.TextChoices):
    """Owner and purpose of the money in an account."""

    PLAYER = "player", _("player")
    BONUS = "bonus", _("bonus of a player")
    POOL = "pool", _("prize pool")
    BOUNTY = "bounty", _("bounties")
    FEE = "fee", _("fees")
    TICKET = "ticket", _("ticket liability")
    ROOM = "room", _("room")
    PROMOTION = "promotion", _("promotions of the room")
    RESERVE = "reserve", _("set aside for a tournament")
    BANK = "bank", _("source of play money")
    RING = "ring", _("chips at a ring table")
    JACKPOT = "jackpot", _("jackpot pool")


# Accounts that belong to one user each.
OF_USERS = (AccountKind.PLAYER, AccountKind.BONUS)

# The bank issues play money and the room account pays prizes: both have no floor. Promises are paid
# from the promotions account, which never falls below zero (Z-01).
FLOORS: dict[AccountKind, int] = dict.fromkeys(AccountKind, 0) | {
    AccountKind.ROOM: NO_FLOOR,
    AccountKind.BANK: NO_FLOOR,
}


class Account(models.Model):
    """Account; `balance` and `floor` are whole minor units, balance never below floor."""

    kind = models.CharField(_("kind"), max_length=16, choices=AccountKind.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="ledger_accounts",
        verbose_name=_("user"),
    )
    ref = models.CharField(_("belongs to"), max_length=64, blank=True, default="", db_index=True)
    balance = models.BigIntegerField(_("balance"), default=0)
    floor = models.BigIntegerField(_("lowest balance"), default=0)

    class Meta:
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        permissions: ClassVar = [
            ("credit_money", _("Can credit play money")),
            ("fund_promotions", _("Can give money to the promotions of the room")),
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["kind", "ref"],
                condition=models.Q(user__isnull=True),
                name="account_one_of_the_house",
            ),
            models.UniqueConstraint(
                fields=["user", "kind", "ref"],
                condition=models.Q(user__isnull=False),
                name="account_one_of_a_user",
            ),
            models.CheckConstraint(
                condition=models.Q(balance__gte=models.F("floor")), name="account_above_floor"
            ),
            models.CheckConstraint(
                condition=models.Q(balance__gte=NO_FLOOR, balance__lte=BALANCE_MAX),
                name="account_within_bounds",
            ),
        ]

    def __str__(self) -> str:
        owner = self.user.name if self.user else self.ref
        return f"{self.kind} {owner}".strip()


class Transfer(models.Model):
    """Movement of money that happened once; its postings sum to zero (append-only)."""

    key = models.CharField(_("key"), max_length=128, unique=True)
    kind = models.CharField(_("kind"), max_length=32, db_index=True)
    memo = models.CharField(_("memo"), max_length=200, blank=True, default="")
    created = models.DateTimeField(_("time"), db_default=Now(), editable=False)

    class Meta:
        verbose_name = _("transfer")
        verbose_name_plural = _("transfers")

    def __str__(self) -> str:
        return self.key


class Posting(models.Model):
    """Change of one account by a transfer: `amount` and `balance_after` in minor units."""

    transfer = models.ForeignKey(
        Transfer, on_delete=models.PROTECT, related_name="postings", verbose_name=_("transfer")
    )
    account = models.ForeignKey(
        Account,
        on_delete=models.PROTECT,
        related_name="postings",
        db_index=False,
        verbose_name=_("account"),
    )
    amount = models.BigIntegerField(_("amount"))
    balance_after = models.BigIntegerField(_("balance after"))

    class Meta:
        verbose_name = _("posting")
        verbose_name_plural = _("postings")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["transfer", "account"], name="posting_one_per_account"),
            models.CheckConstraint(condition=~models.Q(amount=0), name="posting_moves_something"),
        ]
        indexes: ClassVar = [models.Index(fields=["account", "id"], name="posting_of_account")]

    def __str__(self) -> str:
        return f"{self.account_id}: {self.amount:+d}"
