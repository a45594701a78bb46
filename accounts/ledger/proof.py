"""Proof of the ledger, recomputed from every posting."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import connection

_SUMS = """
WITH booked AS (
    SELECT account_id, sum(amount) AS amount, max(id) AS last FROM accounts_posting GROUP BY 1
)
SELECT a.id, a.kind, a.ref, a.balance, coalesce(b.amount, 0), coalesce(p.balance_after, 0), a.floor
FROM accounts_account a
LEFT JOIN booked b ON b.account_id = a.id
LEFT JOIN accounts_posting p ON p.id = b.last
WHERE a.balance <> coalesce(b.amount, 0) OR a.balance <> coalesce(p.balance_after, 0)
    OR a.balance < a.floor
ORDER BY a.id
"""
_TRANSFERS = """
SELECT t.id, t.key, coalesce(sum(p.amount), 0), count(p.id)
FROM accounts_transfer t LEFT JOIN accounts_posting p ON p.transfer_id = t.id
GROUP BY t.id HAVING coalesce(sum(p.amount), 0) <> 0 OR count(p.id) < 2 ORDER BY t.id
"""
_TOTALS = """
SELECT (SELECT count(*) FROM accounts_account), (SELECT count(*) FROM accounts_transfer),
    (SELECT count(*) FROM accounts_posting),
    (SELECT coalesce(sum(balance), 0) FROM accounts_account)
"""


@dataclass(frozen=True, slots=True)
class BalanceProof:
    """Counts of checked rows; `total` (minor units) is zero and `violations` empty when right."""

    accounts: int
    transfers: int
    postings: int
    total: int
    violations: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """True while the ledger is right."""
        return self.total == 0 and not self.violations


def balance_proof() -> BalanceProof:
    """Recompute every balance and every transfer; read each law in one snapshot."""
    with connection.cursor() as cursor:
        cursor.execute(_SUMS)
        violations = [account_sentence(*row) for row in cursor.fetchall()]
        cursor.execute(_TRANSFERS)
        violations += [transfer_sentence(*row) for row in cursor.fetchall()]
        cursor.execute(_TOTALS)
        accounts, transfers, postings, total = (int(number) for number in cursor.fetchone())
    return BalanceProof(accounts, transfers, postings, total, tuple(violations))


def account_sentence(
    pk: int, kind: str, ref: str, balance: int, booked: int, last: int, floor: int
) -> str:
    """Return the violation of an account whose balance is not that of its postings."""
    return (
        f"account {pk} ({kind} {ref}) holds {balance}, its postings sum to {booked},"
        f" the last one left {last}, the floor is {floor}"
    )


def transfer_sentence(pk: int, key: str, amount: int, postings: int) -> str:
    """Return the violation of a transfer whose postings do not sum to zero, or are too few."""
    return f"transfer {pk} ({key}) sums to {amount} over {postings} postings"
