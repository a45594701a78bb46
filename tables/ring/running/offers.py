"""Seats offered to waiting players at a boundary, each for a set time (R-01)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from accounts.models import Account, AccountKind
from accounts.users import own_limits
from tables.ring import money
from tables.ring.engine.waiting import FreeSeat, WaitingEntry, offer_is_open, plan_offers
from tables.ring.models import RingGame, WaitingPlayer
from tables.ring.running.boundary import RingBoundary
from tables.ring.sessions import sit_down
from tables.ring.sessions.locks import wake_after_commit
from tables.ring.sessions.seats import free_seats


def offer_free_seats(boundary: RingBoundary) -> None:
    """End expired offers, and offer the free seats of a locked table in the order of waiting.

    Players whose own limits or accounts leave no buy-in keep their place and are passed over.
    Another table of the game may have the rows at the same time; it serves them, this one later.
    """
    rows = WaitingPlayer.objects.select_for_update(skip_locked=True, of=("self",))
    waiting = {row.pk: row for row in rows.filter(game=boundary.game).order_by("since", "pk")}
    if not waiting:
        return
    table = boundary.table.pk
    now_ms = int(boundary.now.timestamp() * 1_000)
    ending = [
        row.pk
        for row in waiting.values()
        if row.offered_until is not None and not offer_is_open(_entry(row), now_ms)
    ]
    free = [FreeSeat(table, seat) for seat in free_seats(boundary.table, ending=ending)]
    barred = _barred({row.user_id for row in waiting.values()}, boundary.game)
    _mark_passed_over(waiting.values(), barred)
    plan = plan_offers(
        [
            _entry(row)
            for row in waiting.values()
            if row.offered_until is not None or row.user_id not in barred
        ],
        free,
        now_ms=now_ms,
    )
    WaitingPlayer.objects.filter(pk__in=plan.expired).delete()
    for key in plan.expired:
        boundary.notices.offer_expired(waiting[key])
        elsewhere = waiting[key].offered_table_id
        if elsewhere is not None and elsewhere != table:
            wake_after_commit(elsewhere)  # it offers the seat to the next player
    until = boundary.now + timedelta(milliseconds=boundary.game.offer_ms)
    for key, place in plan.offers.items():
        row = waiting[key]
        row.offered_table_id, row.offered_seat, row.offered_until = place.table, place.seat, until
        row.save(update_fields=["offered_table", "offered_seat", "offered_until"])
        boundary.notices.seat_offered(row)


def wait_elsewhere(boundary: RingBoundary) -> None:
    """Let players who wait for a table that closes wait for any table of its game."""
    WaitingPlayer.objects.filter(table=boundary.table).update(table=None)


def _mark_passed_over(rows: Iterable[WaitingPlayer], barred: set[int]) -> None:
    """Note which players without an offer could not pay, so that no seat is kept for them."""
    changed = [
        row
        for row in rows
        if row.offered_until is None and row.passed_over != (row.user_id in barred)
    ]
    for row in changed:
        row.passed_over = not row.passed_over
    WaitingPlayer.objects.bulk_update(changed, ["passed_over"])


def _barred(users: set[int], game: RingGame) -> set[int]:
    """Return the players who cannot pay the least buy-in now, or the stack they took (A-03)."""
    brought = sit_down.brought_by(users, game)
    least = {user: max(game.buy_in_min, brought.get(user, 0)) for user in users}
    left = own_limits.left_to_buy(users)
    limited = {user for user, most in left.items() if most is not None and most < least[user]}
    rows = Account.objects.filter(kind=AccountKind.PLAYER, user__in=users)
    held = dict(rows.values_list("user", "balance"))
    credit = money.overdraft(game)
    return limited | {user for user in users if held.get(user, 0) + credit < least[user]}


def _entry(row: WaitingPlayer) -> WaitingEntry:
    offer = None
    if row.offered_table_id is not None and row.offered_seat is not None:
        offer = FreeSeat(row.offered_table_id, row.offered_seat)
    until = row.offered_until
    return WaitingEntry(
        entry=row.pk,
        since_ms=int(row.since.timestamp() * 1_000),
        table=row.table_id,
        offer=offer,
        until_ms=None if until is None else int(until.timestamp() * 1_000),
    )
