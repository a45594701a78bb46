"""Stays of rapid players in hands: freed by a fold, ended by a settlement or a void hand (R-03)."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts.ledger.transfers import Order
from config import limits
from config.postgres.updates import update_rows
from tables.dealer import carried
from tables.dealer.carried import CarriedValues
from tables.dealer.director import Disputed
from tables.dealer.grants import FoldedSeat
from tables.dealer.record import HandRecord
from tables.models import Table
from tables.ring import money
from tables.ring.engine.rapid import hands_since
from tables.ring.models import RapidStay, RingGame, RingSession
from tables.ring.running import presence
from tables.ring.sessions import pool_tables

REST = (
    *("stack", "bank_ms", "showdown", "pledge", "absent_since", "lost_connection"),
    *("ready_at", "due_at", "since_big", "since_small"),
)
"""Columns of a session that the end of a stay changes."""


def free(table: int, hand: int, seats: Collection[FoldedSeat]) -> None:
    """Let the players of these folded seats into their next hand; repeated calls free nobody."""
    folded = {seat.entry: seat for seat in seats}
    with transaction.atomic():
        # 1. Lock the stays that are neither freed nor ended: a late call finds none.
        rows = RapidStay.objects.select_for_update(no_key=True, of=("self",))
        stays = rows.filter(
            pk__in=folded, table=table, hand=hand, ended=False, freed_chips=None
        ).order_by("pk")
        found = list(stays)
        if not found:
            return
        # 2. Their chips go to the sessions in the same transaction.
        for stay in found:
            stay.freed_chips = folded[stay.pk].chips
        update_rows(found, ["freed_chips"])
        _rest({stay: carried.of(folded[stay.pk]) for stay in found})
        pool_tables.call(found[0].session.game)


def freed(entries: Collection[int]) -> set[int]:
    """Return which of these stays were freed by a fold."""
    rows = RapidStay.objects.filter(pk__in=entries).exclude(freed_chips=None)
    return set(rows.values_list("pk", flat=True))


def settle(table: int, record: HandRecord) -> dict[int, int]:
    """End the stays of a settled hand; return the keys of sessions by entry.

    Raises Disputed when a player who was freed did not fold in this course of the hand.
    """
    stays = _in_play(table, record.hand)
    after = {seat.entry: seat for seat in record.seats}
    assert after.keys() == {stay.pk for stay in stays}, "a hand of a pool has a stay for each seat"
    for stay in stays:
        if stay.freed_chips is not None and stay.freed_chips != after[stay.pk].chips:
            raise Disputed(f"entry {stay.pk} was freed with other chips")
    RapidStay.objects.filter(pk__in=after).update(ended=True)
    _rest({stay: carried.of(after[stay.pk]) for stay in stays if stay.freed_chips is None})
    if record.hand % limits.RAPID_STAYS_KEPT == 0:
        _delete_ended(table, until=record.hand - limits.RAPID_STAYS_KEPT)
    return {stay.pk: stay.session_id for stay in stays}


def end_void(table: Table, now: datetime) -> list[Order]:
    """End the stays of a void hand at a locked table; return the money of players who have left.

    Everybody gets back what was brought to the hand, less what a fold gave back already.
    """
    stays = _in_play(table.pk, table.hand + 1)
    orders = []
    for stay in stays:
        session = RingSession.objects.select_for_update(no_key=True).get(pk=stay.session_id)
        back = stay.chips - (stay.freed_chips or 0)
        if session.state == RingSession.State.LEFT:
            if back:
                orders.append(money.returned(stay, back))
                session.left_with += back
                session.save(update_fields=["left_with"])
            continue
        session.stack += back
        if stay.freed_chips is None or session.due_at is not None:
            session.ready_at, session.due_at = None, now
        session.save(update_fields=REST)
    RapidStay.objects.filter(pk__in=[stay.pk for stay in stays]).update(ended=True)
    return orders


def _in_play(table: int, hand: int) -> list[RapidStay]:
    rows = RapidStay.objects.select_for_update(no_key=True, of=("self",))
    return list(rows.filter(table=table, hand=hand, ended=False).order_by("pk"))


def _delete_ended(table: int, *, until: int) -> None:
    """Delete the stays of a table's hands up to `until`: their records are in the hand history."""
    RapidStay.objects.filter(table=table, ended=True, hand__lte=until).delete()


def _rest(ended: dict[RapidStay, CarriedValues]) -> None:
    """Give sessions the carried values of their ended stays; plain players are ready.

    The others wait for the boundary of a table, which moves money and notes times.
    """
    now = timezone.now()
    by_session = {stay.session_id: stay for stay in ended}
    rows = RingSession.objects.select_for_update(no_key=True, of=("self",))
    locked = rows.filter(pk__in=by_session).select_related("game").order_by("pk")
    for session in locked:
        stay = by_session[session.pk]
        stay.session = session
        values = ended[stay]
        session.stack += values.chips
        session.bank_ms, session.showdown = values.bank_ms, values.showdown
        session.pledge = values.pledge
        session.since_big = hands_since(session.since_big, stay.big_blind)
        session.since_small = hands_since(session.since_small, stay.small_blind)
        if values.absent and session.absent_since is None:
            session.absent_since = now
            session.lost_connection = presence.is_away(stay.table_id, session.user_id)
        session.ready_at, session.due_at = (now, None) if _is_plain(session) else (None, now)
    update_rows(locked, REST)


def _is_plain(session: RingSession) -> bool:
    """Return whether nothing is to be done for a player before the next hand."""
    wishes = session.leaving or session.coming or session.absent_since is not None
    lifted = session.auto_top_up and session.stack < session.game.buy_in_max
    closing = session.game.state != RingGame.State.OPEN
    return not (wishes or lifted or closing) and session.stack > 0
