"""All payments of a transaction are booked in one step, so that shared accounts never deadlock."""

from __future__ import annotations

import pytest
from django.db import OperationalError, transaction
from redis import Redis

from accounts.ledger import transfers
from accounts.ledger.transfers import InsufficientFunds, Order
from accounts.models import Account, AccountKind, Transfer, User
from tables.models import Seat
from tests.tournaments.buying.rebuy_scene import (
    SMALL,
    dealt_in,
    held,
    next_hand,
    open_rebuy_offer,
    rebuys,
)
from tests.tournaments.cast import STACK, at_once, law
from tests.tournaments.entries.late_entries import late
from tests.tournaments.seating.short_tables import knocked_out
from tournaments import locks
from tournaments.entries import entering
from tournaments.events.unit_of_work import TournamentTransaction
from tournaments.models import Entry, KnockOut, Offer, Tournament
from tournaments.prizes import money
from tournaments.running import sales


def _with_bonus() -> tuple[Tournament, User]:
    """A tournament with a busted player who has a bonus and may re-enter."""
    tournament = late(4, entries_max=2)
    seat = Seat.objects.order_by("pk")[0]
    user = User.objects.get(pk=seat.user_id)
    transfers.move(
        key="bonus", kind="credit", source=money.room(), target=money.bonus(user), amount=400
    )
    arena = dealt_in(tournament, seat)
    arena.states[seat.table_id] = knocked_out(arena.states[seat.table_id], {SMALL})
    arena.step(seat.table_id)
    sales.answer(user, open_rebuy_offer(Entry.objects.get(pk=seat.entry)).pk, buy=False)
    return tournament, user


def _lock_state(user: User) -> str:
    """Return whether another transaction could book on a player's accounts now."""
    with transaction.atomic():
        rows = Account.objects.select_for_update(no_key=True, nowait=True).filter(user=user)
        try:
            return "free" if list(rows) else "none"
        except OperationalError:
            return "locked"


@pytest.mark.rule("E-02")
@pytest.mark.rule("K-03")
def test_a_reentry_locks_no_account_before_the_booking(house: Redis) -> None:
    tournament, user = _with_bonus()
    with transaction.atomic():
        tx = TournamentTransaction(locks.tournament(tournament.pk))
        entry = entering.enter(tx, user, after=user.entry_set.get())
        assert entry.paid_bonus == 400
        assert at_once(lambda: _lock_state(user)) == ["free"]
        transaction.set_rollback(True)


@pytest.mark.rule("K-03")
@pytest.mark.rule("A-01")
def test_a_bonus_spent_concurrently_pays_nothing_twice(house: Redis) -> None:
    tournament, user = _with_bonus()
    before, count = held(user), Transfer.objects.count()
    with transaction.atomic():
        tx = TournamentTransaction(locks.tournament(tournament.pk))
        entry = entering.enter(tx, user, after=user.entry_set.get())
        source, target = money.bonus(user), money.room()
        at_once(
            lambda: transfers.move(
                key="spent", kind="credit", source=source, target=target, amount=400
            )
        )
        payer, till = money.player(user), money.till(tx.tournament)
        tx.pay(entering.price(tx.tournament, entry, payer, till))
        with pytest.raises(InsufficientFunds):
            tx.book()
        transaction.set_rollback(True)
    assert held(user) == before and Transfer.objects.count() == count + 1
    assert transfers.held_by(user, AccountKind.BONUS) == 0
    assert not Entry.objects.filter(user=user, state="seated").exists()


@pytest.mark.rule("E-04")
@pytest.mark.rule("Z-04")
def test_busts_and_purchases_at_a_boundary_are_booked_together(
    house: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = rebuys(4, rebuy_threshold="full", bounty=300, several_at_once=False)
    seat = Seat.objects.order_by("pk")[0]
    arena, table = dealt_in(tournament, seat), seat.table_id
    arena.states[table] = knocked_out(arena.states[table], {SMALL})
    assert arena.step(table) == "settled"
    buyer = Seat.objects.filter(table=table, chips__gt=0, chips__lte=STACK).order_by("pk")[0]
    sales.request_rebuy(User.objects.get(pk=buyer.user_id), tournament.pk)
    KnockOut.objects.update(winners=[[buyer.entry, SMALL]])
    Offer.objects.filter(entry=seat.entry, state="open").update(until_ms=1)
    booked: list[list[str]] = []
    real = transfers.transfer_all

    def seen(orders: list[Order], *, savepoint: bool = True) -> list[Transfer]:
        booked.append(sorted(order.kind for order in orders))
        return real(orders, savepoint=savepoint)

    monkeypatch.setattr(transfers, "transfer_all", seen)
    next_hand(table)
    assert booked == [["bounty", "rebuy"]]
    assert Entry.objects.get(pk=seat.entry).state == "out"
    assert Entry.objects.get(pk=buyer.entry).rebuys == 1
    law(tournament.pk)


@pytest.mark.rule("E-04")
def test_a_winner_by_an_expired_offer_pays_for_no_more_chips(house: Redis) -> None:
    tournament = rebuys(2, rebuy_threshold="full", rebuys_max=2)
    seat = Seat.objects.order_by("pk")[0]
    arena, table = dealt_in(tournament, seat), seat.table_id
    arena.states[table] = knocked_out(arena.states[table], {SMALL})
    assert arena.step(table) == "settled"
    winner = Seat.objects.get(table=table, chips__gt=0)
    Tournament.objects.update(starting_stack=4 * STACK)
    asked = User.objects.get(pk=winner.user_id)
    before = held(asked)
    assert sales.request_rebuy(asked, tournament.pk).state == "accepted"
    Offer.objects.filter(entry=seat.entry, state="open").update(until_ms=1)
    next_hand(table)
    assert Tournament.objects.get().state == "finished"
    won = Entry.objects.get(pk=winner.entry)
    assert (won.place, won.rebuys, held(asked)) == (1, 0, before + won.prize)
