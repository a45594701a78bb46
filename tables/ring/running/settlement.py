"""Settlement of a ring hand: rake, its shares by player, jackpots (R-02, J-01..J-03)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from django.db.models import F, Q
from django.utils import timezone

from accounts.ledger import transfers
from accounts.ledger.transfers import Order
from accounts.models import Account, AccountKind, User
from tables.dealer import record as records
from tables.dealer.record import HandRecord
from tables.engine.events import CardsShown
from tables.engine.evolve import evolve_all
from tables.engine.state import HandState
from tables.models import Hand, Table
from tables.records import hand_months
from tables.ring import money
from tables.ring.engine.jackpots import JackpotFall, feed, winners
from tables.ring.engine.rake_shares import contributions, shares
from tables.ring.models import Jackpot, JackpotWin, RingGame, RingSession

ANY_POOL = 10**9
"""Pool for the question whether a hand could win a jackpot at all, in minor units."""


def settle(table: Table, record: HandRecord, sessions: Mapping[int, int]) -> None:
    """Book the rake of a hand, and the jackpots it feeds and wins, in its transaction.

    `sessions` are the keys of sessions by the entry of the seat.
    """
    game = RingGame.objects.get(pk=table.game)
    _count(record, sessions)
    chosen = game.jackpots.filter(enabled=True).order_by("pk")
    # Games opened before stud was refused jackpots still have theirs, and can win none.
    jackpots = list(chosen) if game.has_jackpots else []
    rake = record.result.rake
    fed = {row.kind: feed(rake, row.terms.feed) for row in jackpots}
    orders = [money.rake(table, record.hand, rake, fed)] if rake else []
    if jackpots:
        orders += _falls(table, record, jackpots, fed, orders)
    if orders:
        transfers.transfer_all(orders)


def _count(record: HandRecord, sessions: Mapping[int, int]) -> None:
    """Count the hand of each player, and the share of its rake by contribution."""
    dealt = {seat.seat: sessions[seat.entry] for seat in record.seats if seat.dealt}
    parts = shares(contributions(record.result), record.result.rake)
    for seat, session in sorted(dealt.items(), key=lambda item: item[1]):
        RingSession.objects.filter(pk=session).update(
            hands=F("hands") + 1, rake_paid=F("rake_paid") + parts.get(seat, 0)
        )


def _as_shown(record: HandRecord) -> HandState:
    """Return the finished hand with the cards that were shown until now, also after its end."""
    hand = records.refold(record.setup, record.actions, 0)
    return evolve_all(hand, [CardsShown(seat, cards, "") for seat, cards in record.result.shown])


def _falls(
    table: Table,
    record: HandRecord,
    jackpots: list[Jackpot],
    fed: Mapping[str, int],
    rake: Sequence[Order],
) -> list[Order]:
    """Return the transfers of the jackpots that this hand wins, and write who won them.

    `rake` is booked with them.
    """
    hand = _as_shown(record)
    began = timezone.localtime(datetime.fromtimestamp(record.began_ms / 1_000, UTC))
    minute = began.hour * 60 + began.minute
    possible = [
        row for row in jackpots if winners(hand, row.terms, ANY_POOL, minute=minute) is not None
    ]
    if not possible:
        return []
    # 1. Lock the pools before their balances are read: other tables feed and win them too.
    pools = _locked_pools(record, possible, rake)
    orders = []
    for row in possible:
        # 2. The rake of this hand feeds the pool first (J-01).
        fall = winners(hand, row.terms, pools[row.kind] + fed[row.kind], minute=minute)
        if fall is not None:
            orders.append(_fall(table, record, row, fall))
    return orders


def _locked_pools(
    record: HandRecord, jackpots: Iterable[Jackpot], orders: Iterable[Order]
) -> dict[str, int]:
    """Return the balances of jackpots by kind, with all accounts of the booking locked.

    They are locked in the order of transfers: two tables of a rapid pool, or two jackpots that
    fall at once, would deadlock otherwise.
    """
    moved = {posting.account.pk for order in orders for posting in order.postings}
    moved |= {money.pool_account(row.kind).pk for row in jackpots}
    players = Q(user__in=[seat.user for seat in record.seats], kind=AccountKind.PLAYER)
    rows = Account.objects.select_for_update(no_key=True).filter(Q(pk__in=moved) | players)
    locked = list(rows.order_by(F("user").asc(nulls_last=True), "pk"))
    return {row.ref: row.balance for row in locked if row.kind == AccountKind.JACKPOT}


def _fall(table: Table, record: HandRecord, jackpot: Jackpot, fall: JackpotFall) -> Order:
    here = {seat.seat: seat for seat in record.seats}
    users = User.objects.in_bulk([here[paid.seat].user for paid in fall.payments])
    hand = Hand.objects.get(hand_months.of_table(table), number=record.hand)
    released = datetime.fromtimestamp(record.released_ms / 1_000, UTC)
    JackpotWin.objects.bulk_create(
        JackpotWin(
            jackpot=jackpot,
            hand=hand,
            user=users[here[paid.seat].user],
            name=here[paid.seat].name,
            role=paid.role,
            amount=paid.amount,
            pool=fall.pool,
            released_at=released,
        )
        for paid in fall.payments
    )
    accounts = [
        (transfers.account(AccountKind.PLAYER, user=users[here[paid.seat].user]), paid.amount)
        for paid in fall.payments
    ]
    return money.jackpot(table, record.hand, jackpot.kind, accounts, fall.room)
