"""Settlement of a ring hand: rake, its shares by player, jackpots (R-02, J-01..J-03)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from django.db.models import F
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
    jackpots = list(game.jackpots.filter(enabled=True).order_by("pk"))
    rake = record.result.rake
    fed = {row.kind: feed(rake, row.terms.feed) for row in jackpots}
    orders = [money.rake(table, record.hand, rake, fed)] if rake else []
    if jackpots:
        orders += _falls(table, record, _as_shown(record), jackpots, fed)
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
    hand: HandState,
    jackpots: list[Jackpot],
    fed: Mapping[str, int],
) -> list[Order]:
    """Return the transfers of the jackpots that this hand wins, and write who won them."""
    began = timezone.localtime(datetime.fromtimestamp(record.began_ms / 1_000, UTC))
    minute = began.hour * 60 + began.minute
    orders = []
    for row in jackpots:
        if winners(hand, row.terms, ANY_POOL, minute=minute) is None:
            continue
        # 1. Lock the pool before its balance is read: other tables feed and win it too.
        known = money.pool_account(row.kind)
        pool = Account.objects.select_for_update(no_key=True).get(pk=known.pk).balance
        # 2. The rake of this hand feeds the pool first (J-01).
        fall = winners(hand, row.terms, pool + fed[row.kind], minute=minute)
        if fall is not None:
            orders.append(_fall(table, record, row, fall))
    return orders


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
