"""Automatic top-up at a boundary: stacks are lifted as far as accounts and own limits reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.db.models import F

from accounts.models import Account, AccountKind
from accounts.users import own_limits
from tables.ring.engine.buy_in import automatic_top_up
from tables.ring.models import RingGame, RingSession


class Lifted(NamedTuple):
    """Chips to buy, 0 without cover, and the balance; in minor units.

    `left` is what the own limits leave where that is less than the balance, else None.
    """

    amount: int
    balance: int
    left: int | None


def amounts(
    asked: Mapping[RingSession, int], game: RingGame, paid_out: Iterable[RingSession] = ()
) -> dict[RingSession, Lifted]:
    """Return what lifts each asked session with so many chips to the largest buy-in (A-03).

    Who buys something at this moment is left out, for the next boundary. The accounts of these
    players, and of those `paid_out` in the same booking, are locked.
    """
    if not asked:
        return {}
    # Lock all accounts of players in the order of transfers before reading a balance.
    users = {row.user_id for row in (*asked, *paid_out)}
    rows = Account.objects.select_for_update(no_key=True).filter(user__in=users)
    balances = {
        row.user_id: row.balance
        for row in rows.order_by(F("user").asc(), "pk")
        if row.kind == AccountKind.PLAYER
    }
    limits = own_limits.left_to_buy({row.user_id for row in asked})
    found = {}
    for session, chips in asked.items():
        balance = balances.get(session.user_id, 0)
        limit = limits.get(session.user_id, balance)
        if limit is None:
            continue
        covered = min(limit, balance)
        amount = automatic_top_up(chips, 0, covered, least=game.buy_in_min, most=game.buy_in_max)
        found[session] = Lifted(amount, balance, limit if limit < balance else None)
    return found
