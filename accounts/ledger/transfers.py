"""Only code that moves money: whole transfers, once each, never below a floor (A-01, Z-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F, Sum

from accounts import models
from accounts.models import Account, AccountKind, Transfer, User
from accounts.models.ledger import BALANCE_MAX, FLOORS, OF_USERS
from accounts.refusals import AmountRefused, BalanceFull, InsufficientFunds
from config import limits

__all__ = ["InsufficientFunds", "Order", "PostingRequest", "account", "balance", "move", "transfer"]


class PostingRequest(NamedTuple):
    """Change of one account by a transfer: minor units, positive is a credit."""

    account: Account
    amount: int


class Order(NamedTuple):
    """Requested transfer; `key` is its idempotency key, valid for ever.

    `overdraft` is the debt in minor units down to which it may take a player's account (A-02).
    """

    key: str
    kind: str
    postings: Sequence[PostingRequest]
    memo: str = ""
    overdraft: int = 0


def transfer(
    *, key: str, kind: str, postings: Sequence[PostingRequest], memo: str = ""
) -> Transfer:
    """Book one transfer, or return the one booked under its key.

    Raises InsufficientFunds when an account would fall below its floor; then nothing changes (A-01,
    A-02).
    """
    return transfer_all([Order(key, kind, postings, memo)])[0]


def move(*, key: str, kind: str, source: Account, target: Account, amount: int) -> Transfer:
    """Book a transfer of a positive amount from one account to another."""
    if amount <= 0:
        raise AmountRefused(largest=limits.TRANSFER_MAX_CENTS)
    return transfer(
        key=key,
        kind=kind,
        postings=[PostingRequest(source, -amount), PostingRequest(target, amount)],
    )


def transfer_all(orders: Sequence[Order]) -> list[Transfer]:
    """Book several transfers in the given order, all or none.

    A transaction with more than one transfer passes all of them in one call: only then are their
    accounts locked in the order that prevents deadlocks.
    """
    for order in orders:
        _check(order)
    assert len({order.key for order in orders}) == len(orders), "a key names one transfer"
    with transaction.atomic():
        accounts = _lock(orders)
        booked = _booked(orders)
        missing = [order for order in orders if order.key not in booked]
        afters = [_apply(order, accounts) for order in missing]
        booked |= _write(missing, afters)
    return [booked[order.key] for order in orders]


def account(kind: str, *, user: User | None = None, ref: str = "") -> Account:
    """Return the account of that kind, opened at zero on first use."""
    assert (kind in OF_USERS) == (user is not None and not ref), "players own one of each kind"
    found, _created = Account.objects.get_or_create(
        kind=AccountKind(kind), user=user, ref=ref, defaults={"floor": FLOORS[AccountKind(kind)]}
    )
    return found


def balance(of: Account) -> int:
    """Return the balance in minor units."""
    return Account.objects.values_list("balance", flat=True).get(pk=of.pk)


def held_by(user: User, kind: str = AccountKind.PLAYER) -> int:
    """Return the balance of a player's account of that kind in minor units; opens no account."""
    found = Account.objects.filter(kind=kind, user=user)
    return found.values_list("balance", flat=True).first() or 0


def locked_balances(user: User) -> dict[str, int]:
    """Return the balances of a user's accounts, locked in the order of transfers."""
    rows = Account.objects.select_for_update(no_key=True).filter(user=user).order_by("pk")
    return dict(rows.values_list("kind", "balance"))


def total() -> int:
    """Return the sum of all balances in minor units; anything but zero is a bug."""
    return int(Account.objects.aggregate(total=Sum("balance", default=0))["total"])


def _check(order: Order) -> None:
    """Refuse amounts out of range; assert that the transfer is well formed."""
    for posting in order.postings:
        assert type(posting.amount) is int, "money is whole minor units"
        if not 0 < abs(posting.amount) <= limits.TRANSFER_MAX_CENTS:
            raise AmountRefused(largest=limits.TRANSFER_MAX_CENTS)
    ids = [posting.account.pk for posting in order.postings]
    assert order.key, "a transfer has a key"
    assert order.kind, "a transfer has a kind"
    assert order.overdraft >= 0, "a debt is a positive amount"
    assert 2 <= len(ids) <= limits.TRANSFER_POSTINGS_MAX, "a transfer has two sides"
    assert len(set(ids)) == len(ids), "one posting per account"
    assert sum(posting.amount for posting in order.postings) == 0, "a transfer sums to zero"


def _lock(orders: Sequence[Order]) -> dict[int, Account]:
    """Lock every account of the orders: users' accounts first, shared system accounts last."""
    ids = {posting.account.pk for order in orders for posting in order.postings}
    rows = (
        Account.objects.select_for_update(no_key=True)
        .filter(pk__in=ids)
        .order_by(F("user").asc(nulls_last=True), "pk")
    )
    accounts = {row.pk: row for row in rows}
    assert accounts.keys() == ids, "every account exists"
    return accounts


def _booked(orders: Sequence[Order]) -> dict[str, Transfer]:
    """Return the orders booked before; with the accounts locked, the answer cannot change."""
    found = Transfer.objects.filter(key__in=[order.key for order in orders])
    booked = {row.key: row for row in found.prefetch_related("postings")}
    for order in orders:
        if row := booked.get(order.key):
            was = {(posting.account_id, posting.amount) for posting in row.postings.all()}
            now = {(posting.account.pk, posting.amount) for posting in order.postings}
            assert (row.kind, was) == (order.kind, now), f"{order.key} was another transfer"
    return booked


def _apply(order: Order, accounts: dict[int, Account]) -> list[int]:
    """Apply one order to the locked balances and yield the results, or refuse it."""
    for posting in order.postings:
        row = accounts[posting.account.pk]
        after = row.balance + posting.amount
        lowest = -order.overdraft if row.kind == AccountKind.PLAYER else row.floor
        if posting.amount < 0 and after < lowest:
            raise InsufficientFunds(price=-posting.amount, balance=row.balance, lowest=lowest)
        if after > BALANCE_MAX:
            raise BalanceFull
        row.balance = after
    return [accounts[posting.account.pk].balance for posting in order.postings]


def _write(orders: Sequence[Order], afters: Sequence[Sequence[int]]) -> dict[str, Transfer]:
    """Insert transfers with their postings and store the final balances."""
    if not orders:
        return {}
    rows = Transfer.objects.bulk_create(
        Transfer(key=order.key, kind=order.kind, memo=order.memo) for order in orders
    )
    postings = [
        models.Posting(
            transfer=row, account_id=posting.account.pk, amount=posting.amount, balance_after=after
        )
        for row, order, balances in zip(rows, orders, afters, strict=True)
        for posting, after in zip(order.postings, balances, strict=True)
    ]
    models.Posting.objects.bulk_create(postings)
    last = {posting.account_id: posting.balance_after for posting in postings}
    with connection.cursor() as cursor:
        cursor.execute(
            # The floor of a player's account is its debt: no later order goes below it unasked.
            "UPDATE accounts_account a SET balance = v.balance,"
            " floor = CASE WHEN a.kind = %s THEN least(0, v.balance) ELSE a.floor END"
            " FROM unnest(%s::bigint[], %s::bigint[]) AS v(id, balance) WHERE a.id = v.id",
            [AccountKind.PLAYER, list(last), list(last.values())],
        )
        assert cursor.rowcount == len(last), "every balance moved"
    return {row.key: row for row in rows}
