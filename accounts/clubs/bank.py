"""Bank of a club: play money for the guarantees of its tournaments, never below zero (Z-01)."""

from __future__ import annotations

from accounts.clubs.steps import club_step
from accounts.ledger import promotions, transfers
from accounts.ledger.kinds import CLUB_FUND, CLUB_GIFT
from accounts.ledger.transfers import PostingRequest
from accounts.models import Account, AccountKind, Club, Posting, Transfer, User
from accounts.refusals import AmountRefused
from config import limits

FUND_RIGHT = "accounts.fund_promotions"
"""Permission with which staff give play money of the room to a club, or take it back."""


def may_fund(user: User | None) -> bool:
    """Return whether a user moves money between the room and every club."""
    return user is not None and user.is_active and user.is_staff and user.has_perm(FUND_RIGHT)


def account(club: Club) -> Account:
    """Return the club's promotions account."""
    return promotions.account(club.member)


def held(club: Club) -> int:
    """Return the money of a club, in cents; opens no account."""
    rows = Account.objects.filter(kind=AccountKind.PROMOTION, ref=club.member)
    return rows.values_list("balance", flat=True).first() or 0


def movements(club: Club, most: int) -> list[Posting]:
    """Return the newest postings of a club's account with their transfers, at most `most`.

    They are read by their account's index: the ledger is long, and a club's postings are few.
    """
    rows = Account.objects.filter(kind=AccountKind.PROMOTION, ref=club.member)
    number = rows.values_list("pk", flat=True).first()
    if number is None:
        return []
    newest = Posting.objects.filter(account=number).select_related("transfer").order_by("-pk")
    return list(newest[:most])


def give(club: Club, actor: User, amount: int, *, token: str) -> Transfer:
    """Move `amount` cents from a member to the club; `token` is the idempotency key.

    Raises NotMember, AmountRefused, SentBefore or InsufficientFunds.
    """
    if not 0 < amount <= limits.TRANSFER_MAX_CENTS:
        raise AmountRefused(largest=limits.TRANSFER_MAX_CENTS)
    with club_step(club, actor) as step:
        step.membership(actor)
        key, target = f"club_gift:{club.pk}:{actor.pk}:{token}", account(club)
        transfers.refuse_other_amount(key, target, amount)
        return transfers.move(
            key=key,
            kind=CLUB_GIFT,
            source=transfers.account(AccountKind.PLAYER, user=actor),
            target=target,
            amount=amount,
        )


def fund(club: Club, actor: User, amount: int, *, reason: str, token: str) -> Transfer:
    """Move `amount` cents from the room's bank to the club, or back when negative, with a reason.

    The caller checks the permission. Raises AmountRefused, SentBefore or InsufficientFunds.
    """
    if not 0 < abs(amount) <= limits.TRANSFER_MAX_CENTS:
        raise AmountRefused(largest=limits.TRANSFER_MAX_CENTS)
    bank = transfers.account(AccountKind.BANK)
    with club_step(club, actor) as step:
        key = f"club_fund:{club.pk}:{token}"
        transfers.refuse_other_amount(key, bank, -amount)
        if not Transfer.objects.filter(key=key).exists():
            step.record("fund", None, amount=amount, reason=reason)
        postings = [PostingRequest(bank, -amount), PostingRequest(account(club), amount)]
        return transfers.transfer(key=key, kind=CLUB_FUND, postings=postings, memo=reason[:200])
