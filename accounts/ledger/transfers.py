"""Only code that moves money: whole transfers, once each, never below a floor (A-01, Z-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import Sum

from accounts.models import Account, AccountKind, Posting, Transfer, User
from accounts.models.ledger import BALANCE_MAX, FLOORS, OF_USERS
from accounts.refusals import AmountRefused, BalanceFull, InsufficientFunds, SentBefore
from config import limits
from config.postgres.statements import ANY_KEY, ANY_TEXT, BuiltOnce

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


def transfer_all(orders: Sequence[Order], *, savepoint: bool = True) -> list[Transfer]:
    """Book several transfers in the given order, all or none.

    A transaction with more than one transfer passes all of them in one call: only then are their
    accounts locked in the order that prevents deadlocks. `savepoint` False saves two statements: a
    refusal then ends the outer transaction as well.
    """
    for order in orders:
        _check(order)
    assert len({order.key for order in orders}) == len(orders), "a key names one transfer"
    with transaction.atomic(savepoint=savepoint):
        accounts = _lock(orders)
        booked = _booked(orders)
        missing = [order for order in orders if order.key not in booked]
        afters = [_apply(order, accounts) for order in missing]
        booked |= _write(missing, afters)
    return [booked[order.key] for order in orders]


def refuse_other_amount(key: str, of: Account, amount: int) -> None:
    """Refuse a form whose token has booked another amount for an account; raises SentBefore."""
    before = Posting.objects.filter(transfer__key=key, account=of)
    if before.exclude(amount=amount).exists():
        raise SentBefore


def account(kind: str, *, user: User | None = None, ref: str = "") -> Account:
    """Return the account of that kind, opened at zero on first use."""
    assert (kind in OF_USERS) == (user is not None and not ref), "players own one of each kind"
    known = _OF_HOUSE.rows(str(kind), ref) if user is None else _OF_USER.rows(str(kind), user.pk)
    if known:
        return known[0]
    new = Account(kind=AccountKind(kind), user=user, ref=ref, floor=FLOORS[AccountKind(kind)])
    # Players who enter at once open the same pool: whoever comes second waits for the first, and no
    # failed statement is left in PostgreSQL's log.
    Account.objects.bulk_create([new], ignore_conflicts=True)
    return Account.objects.get(kind=new.kind, user=user, ref=ref)


def balance(of: Account) -> int:
    """Return the balance in minor units."""
    return Account.objects.values_list("balance", flat=True).get(pk=of.pk)


def held_by(user: User, kind: str = AccountKind.PLAYER) -> int:
    """Return the balance of a player's account of that kind in minor units; opens no account."""
    found = _OF_USER.rows(str(kind), user.pk)
    return found[0].balance if found else 0


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


class _Locked:
    """A locked account while orders are applied to it."""

    __slots__ = ("balance", "floor", "kind")

    def __init__(self, kind: str, balance: int, floor: int) -> None:
        self.kind, self.balance, self.floor = kind, balance, floor


def _lock(orders: Sequence[Order]) -> dict[int, _Locked]:
    """Lock every account of the orders: users' accounts first, shared system accounts last."""
    ids = {posting.account.pk for order in orders for posting in order.postings}
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [list(ids)])
        accounts = {pk: _Locked(*values) for pk, *values in cursor.fetchall()}
    assert accounts.keys() == ids, "every account exists"
    return accounts


def _booked(orders: Sequence[Order]) -> dict[str, Transfer]:
    """Return the orders booked before; with the accounts locked, the answer cannot change."""
    keys = [order.key for order in orders]
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM accounts_transfer WHERE key = ANY(%s) LIMIT 1", [keys])
        if cursor.fetchone() is None:
            return {}
    found = Transfer.objects.filter(key__in=keys)
    booked = {row.key: row for row in found.prefetch_related("postings")}
    for order in orders:
        if row := booked.get(order.key):
            was = {(posting.account_id, posting.amount) for posting in row.postings.all()}
            now = {(posting.account.pk, posting.amount) for posting in order.postings}
            assert (row.kind, was) == (order.kind, now), f"{order.key} was another transfer"
    return booked


def _apply(order: Order, accounts: dict[int, _Locked]) -> list[int]:
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
    """Insert transfers with their postings and store the final balances, in one statement."""
    if not orders:
        return {}
    postings = [
        (order.key, posting.account.pk, posting.amount, after)
        for order, balances in zip(orders, afters, strict=True)
        for posting, after in zip(order.postings, balances, strict=True)
    ]
    last = {account: after for _, account, _, after in postings}
    of, accounts, amounts, results = (list(column) for column in zip(*postings, strict=True))
    with connection.cursor() as cursor:
        cursor.execute(
            _WRITE,
            {
                "keys": [order.key for order in orders],
                "kinds": [str(order.kind) for order in orders],
                "memos": [order.memo for order in orders],
                "of": of,
                "accounts": accounts,
                "amounts": amounts,
                "afters": results,
                "moved": list(last),
                "balances": list(last.values()),
                "player": AccountKind.PLAYER.value,
            },
        )
        rows = cursor.fetchall()
    assert len(rows) == len(orders), "every transfer is written"
    assert rows[0][-2:] == (len(postings), len(last)), "every posting is there, every balance moved"
    columns = ("id", "key", "kind", "memo", "created")
    written = (Transfer.from_db(connection.alias, columns, row[:-2]) for row in rows)
    return {row.key: row for row in written}


_ANY_REF = f"{ANY_TEXT} of an account"
_OF_USER = BuiltOnce(
    lambda kind, user: Account.objects.filter(kind=kind, user=user, ref=""), ANY_TEXT, ANY_KEY
)
_OF_HOUSE = BuiltOnce(
    lambda kind, ref: Account.objects.filter(kind=kind, user=None, ref=ref), ANY_TEXT, _ANY_REF
)

_LOCK = """
SELECT id, kind, balance, floor FROM accounts_account WHERE id = ANY(%s)
 ORDER BY user_id NULLS LAST, id
   FOR NO KEY UPDATE
"""

# The floor of a player's account is its debt: no later order goes below it unasked.
_WRITE = """
WITH t AS (
  INSERT INTO accounts_transfer (key, kind, memo)
  SELECT key, kind, memo
    FROM unnest(%(keys)s::text[], %(kinds)s::text[], %(memos)s::text[])
         WITH ORDINALITY AS v(key, kind, memo, position)
   ORDER BY position
  RETURNING id, key, kind, memo, created
), p AS (
  INSERT INTO accounts_posting (transfer_id, account_id, amount, balance_after)
  SELECT t.id, v.account, v.amount, v.after
    FROM unnest(%(of)s::text[], %(accounts)s::bigint[], %(amounts)s::bigint[], %(afters)s::bigint[])
         WITH ORDINALITY AS v(key, account, amount, after, position)
    JOIN t USING (key)
   ORDER BY v.position
  RETURNING 1
), a AS (
  UPDATE accounts_account a
     SET balance = v.balance,
         floor = CASE WHEN a.kind = %(player)s THEN least(0, v.balance) ELSE a.floor END
    FROM unnest(%(moved)s::bigint[], %(balances)s::bigint[]) AS v(id, balance)
   WHERE a.id = v.id
  RETURNING 1
)
SELECT t.*, (SELECT count(*) FROM p), (SELECT count(*) FROM a) FROM t
"""
