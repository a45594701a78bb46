"""Checkpoint of the ledger: sealed postings are summed up once, and a check reads the later ones.

The whole ledger of years takes longer to sum up than a check may take. Three things together find
what a whole proof finds:

1. Each check compares every balance with the sum at the checkpoint and the postings after it, and
   each transfer that is after it, or has a posting that is.
2. The checkpoint follows the seals, whose rows the auditor recomputes in turn; it stops before a
   transfer that does not add up, which so is found by each check.
3. `SumsAgain` adds the sealed postings up from the first one, some at each check, and compares the
   sums of the checkpoint with its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db import connection, transaction

from accounts.ledger.proof import account_sentence, transfer_sentence
from accounts.ledger.seals import ID_MIN
from accounts.ledger.transfers import total
from accounts.models import AccountSum, LedgerCheckpoint, Seal

SEALS_AT_ONCE = 20
"""Most seals of postings by which the checkpoint moves at once: 400,000 rows."""


def recent_violations() -> Iterator[str]:
    """Violations of: the ledger sums to 0, balances and transfers equal their postings.

    Reads the postings after the checkpoint. The caller has one snapshot of the database.
    """
    balance = total()
    if balance != 0:
        yield f"the ledger sums to {balance}, not to zero"
    reached = _reached()
    after = _upto("postings", reached.postings)
    with connection.cursor() as cursor:
        cursor.execute(_BALANCES, [after])
        yield from (account_sentence(*row) for row in cursor.fetchall())
    yield from _transfer_violations(reached)


def move_checkpoint() -> bool:
    """Move the checkpoint on to newer seals; False when there are none, or rows do not add up."""
    with transaction.atomic():
        LedgerCheckpoint.objects.get_or_create(only=1)
        row = LedgerCheckpoint.objects.select_for_update().get(only=1)
        postings = _newest("postings", row.postings)
        transfers = _newest("transfers", row.transfers)
        if (postings, transfers) == (row.postings, row.transfers):
            return False
        # A transfer is left behind with its last posting: none of those may be wrong.
        if any(_transfer_violations(row)):
            return False
        with connection.cursor() as cursor:
            bounds = [_upto("postings", row.postings), _upto("postings", postings)]
            cursor.execute(_SUM_UP, bounds)
        row.postings, row.transfers = postings, transfers
        row.save()
    return True


class SumsAgain:
    """Sums of the sealed postings from the first one on, to compare the checkpoint with."""

    def __init__(self) -> None:
        self._seal = 0
        self._sums: Counter[int] = Counter()

    def violations(self, seals_most: int) -> list[str]:
        """Add the postings of the next seals up; at the checkpoint compare, and begin again."""
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            goal = _reached().postings
            upto = min(self._seal + seals_most, goal)
            with connection.cursor() as cursor:
                cursor.execute(_SUMS, [_upto("postings", self._seal), _upto("postings", upto)])
                for account, amount in cursor.fetchall():
                    self._sums[account] += int(amount)
            self._seal = upto
            if upto < goal:
                return []
            kept = dict(AccountSum.objects.values_list("account", "amount"))
        sums, self._sums, self._seal = self._sums, Counter(), 0
        return [
            f"the checkpoint of the ledger has {kept.get(account, 0)} for account {account}, its"
            f" sealed postings sum to {sums[account]}"
            for account in sorted(kept.keys() | sums.keys())
            if kept.get(account, 0) != sums[account]
        ]


def _reached() -> LedgerCheckpoint:
    return LedgerCheckpoint.objects.filter(only=1).first() or LedgerCheckpoint()


def _newest(chain: str, reached: int) -> int:
    """Return the number of the newest seal of a chain, not too many after the one reached."""
    after = Seal.objects.filter(chain=chain, number__gt=reached).order_by("number")
    return max(after.values_list("number", flat=True)[:SEALS_AT_ONCE], default=reached)


def _upto(chain: str, number: int) -> int:
    """Return the id up to which a seal goes; below all ids for the number 0, or a missing seal."""
    row = Seal.objects.filter(chain=chain, number=number).first()
    return ID_MIN if row is None else row.upto


def _transfer_violations(reached: LedgerCheckpoint) -> Iterator[str]:
    bounds = [_upto("transfers", reached.transfers), _upto("postings", reached.postings)]
    with connection.cursor() as cursor:
        cursor.execute(_TRANSFERS, bounds)
        yield from (transfer_sentence(*row) for row in cursor.fetchall())


# An account without a later posting had the last one's balance when that was checked.
_BALANCES = """
WITH recent AS (
    SELECT account_id, sum(amount) AS amount, max(id) AS last
      FROM accounts_posting WHERE id > %s GROUP BY 1
)
SELECT a.id, a.kind, a.ref, a.balance, coalesce(s.amount, 0) + coalesce(r.amount, 0),
       coalesce(p.balance_after, a.balance), a.floor
  FROM accounts_account a
  LEFT JOIN accounts_accountsum s ON s.account_id = a.id
  LEFT JOIN recent r ON r.account_id = a.id
  LEFT JOIN accounts_posting p ON p.id = r.last
 WHERE a.balance <> coalesce(s.amount, 0) + coalesce(r.amount, 0)
    OR a.balance <> coalesce(p.balance_after, a.balance) OR a.balance < a.floor
 ORDER BY a.id
"""
_TRANSFERS = """
WITH touched AS (
    SELECT id FROM accounts_transfer WHERE id > %s
    UNION SELECT transfer_id FROM accounts_posting WHERE id > %s
)
SELECT t.id, t.key, coalesce(sum(p.amount), 0), count(p.id)
  FROM touched JOIN accounts_transfer t USING (id)
  LEFT JOIN accounts_posting p ON p.transfer_id = t.id
 GROUP BY t.id HAVING coalesce(sum(p.amount), 0) <> 0 OR count(p.id) < 2 ORDER BY t.id
"""
_SUM_UP = """
INSERT INTO accounts_accountsum AS s (account_id, amount)
SELECT account_id, sum(amount) FROM accounts_posting WHERE id > %s AND id <= %s GROUP BY 1
    ON CONFLICT (account_id) DO UPDATE SET amount = s.amount + excluded.amount
"""
_SUMS = """
SELECT account_id, sum(amount) FROM accounts_posting WHERE id > %s AND id <= %s GROUP BY 1
"""
