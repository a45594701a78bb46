"""Answers of the director between hands: one per hand, moves, closing, the final table."""

from __future__ import annotations

import threading
from collections import Counter
from itertools import pairwise

import pytest
from django.db import connection
from django.utils import timezone
from redis import Redis

from accounts.ledger import transfers
from tables.dealer import director, record
from tables.dealer.grants import Close, Grant, Wait
from tables.models import Hand, Seat, Table
from tables.store import keys
from tables.workers import settle
from tests.tournaments.cast import BUY_IN, STACK, Arena, chips_of, passive, places_of, started
from tests.tournaments.seating.short_tables import thin_out
from tournaments.buying import closing
from tournaments.events.unit_of_work import tournament_transaction
from tournaments.models import Announcement, Entry, KnockOut, Move, Tournament
from tournaments.prizes import money


def ask(table: int, hand: int) -> Grant | Wait | Close:
    """Answer of the director about a hand."""
    return director.of("tournament").next(table, hand)


def test_a_hand_is_granted_once_and_repeated_requests_get_an_equal_answer(house: Redis) -> None:
    tournament = started(3)
    table = Table.objects.get()
    first = ask(table.pk, 1)
    assert isinstance(first, Grant)
    assert first.draw_button and first.level == 1 and first.round == 0
    assert {seat.chips for seat in first.roster} == {STACK} and len(first.roster) == 3
    assert first.rules.stakes.big_blind == 20
    Tournament.objects.filter(pk=tournament.pk).update(state="paused")
    assert ask(table.pk, 1) == first


def test_only_the_first_hand_draws_the_button(house: Redis) -> None:
    tournament = started(3)
    arena = Arena(tournament.pk)
    arena.choose = passive
    table = arena.tables()[0]
    arena.hand(table)
    again = ask(table, 2)
    assert isinstance(again, Grant) and not again.draw_button


@pytest.mark.rule("T-08")
def test_the_longer_table_sends_the_player_due_the_big_blind(house: Redis) -> None:
    tournament = started(12, seats_per_table=6)
    arena = Arena(tournament.pk)
    arena.choose = passive
    first, second = arena.tables()
    arena.hand(first)
    arena.hand(second)
    thin_out(Table.objects.get(pk=second), 4)
    long = Table.objects.get(pk=first)
    due = next(
        seat.entry
        for seat in sorted(
            long.seats.all(), key=lambda seat: (seat.seat - (long.big_blind or 0) - 1) % 6
        )
    )
    answer = ask(first, 2)
    assert isinstance(answer, Grant) and len(answer.roster) == 5
    [gone] = answer.departures
    assert (gone.entry, gone.reason, gone.to_table) == (due, "moved", second)
    move = Move.objects.get()
    assert (move.state, move.chips, move.from_table_id) == ("left", STACK, first)
    assert not Seat.objects.filter(entry=due).exists()
    assert chips_of(tournament.pk) == 12 * STACK
    arrived = ask(second, 2)
    assert isinstance(arrived, Grant) and len(arrived.roster) == 5
    [seat] = [seat for seat in arrived.roster if seat.entry == due]
    assert seat.newcomer and seat.chips == STACK and seat.seat == move.to_seat
    move.refresh_from_db()
    assert move.state == "seated" and Entry.objects.get(pk=due).moved == 1
    told = {
        bytes(row.payload).split(b'"')[3]
        for row in Announcement.objects.filter(stream=f"user:{seat.user}")
    }
    assert b"moved" in told


@pytest.mark.rule("T-08")
def test_a_surplus_table_closes_and_its_players_move(house: Redis) -> None:
    tournament = started(12, seats_per_table=4)
    first, second, third = Table.objects.order_by("number")
    thin_out(first, 2)
    thin_out(second, 3)
    thin_out(third, 3)
    answer = ask(third.pk, 1)
    assert isinstance(answer, Close) and len(answer.departures) == 3
    assert Counter(gone.to_table for gone in answer.departures) == {first.pk: 2, second.pk: 1}
    third.refresh_from_db()
    assert third.status == "closed" and third.epoch == 2
    assert not third.seats.exists() and chips_of(tournament.pk) == 12 * STACK
    assert len(set(Move.objects.values_list("to_table", "to_seat"))) == 3
    assert ask(third.pk, 1) == answer
    full = ask(first.pk, 1)
    assert isinstance(full, Grant) and len(full.roster) == 4


@pytest.mark.rule("T-08")
def test_the_final_table_is_drawn_when_every_table_is_between_hands(house: Redis) -> None:
    tournament = started(12, seats_per_table=6)
    first, second = Table.objects.order_by("number")
    assert isinstance(ask(second.pk, 1), Grant)
    thin_out(first, 3)
    thin_out(second, 3)
    waits = ask(first.pk, 1)
    assert isinstance(waits, Wait) and waits.reason == "final_table"
    Table.objects.filter(pk=second.pk).update(hand=1, grant=None)
    answer = ask(second.pk, 2)
    final = Table.objects.get(number=3)
    assert isinstance(answer, Close)
    assert {gone.to_table for gone in answer.departures} == {final.pk}
    left = ask(first.pk, 1)
    assert isinstance(left, Close) and len(left.departures) == 3
    deal = ask(final.pk, 1)
    assert isinstance(deal, Grant) and len(deal.roster) == 6 and deal.draw_button
    assert not any(seat.newcomer for seat in deal.roster)
    assert chips_of(tournament.pk) == 12 * STACK
    assert house.zscore(keys.wakes(0), f"table:{first.pk}") == 0, "waiting tables are woken"
    tournament.refresh_from_db()
    assert tournament.final_table and tournament.tables_opened == 3
    notices = Announcement.objects.filter(stream__startswith="user:")
    told = [row.stream for row in notices if b'"to_table"' in bytes(row.payload)]
    assert len(told) == len(set(told)) == 6, "each player is told the new seat"


@pytest.mark.rule("T-08")
def test_a_table_left_alone_during_late_entries_becomes_final_when_they_end(house: Redis) -> None:
    late = {"start": "scheduled", "starts_at": timezone.now(), "late_ends": "at_level"}
    tournament = started(12, seats_per_table=6, late_value=3, **late)
    first, second = Table.objects.order_by("number")
    thin_out(first, 2)
    thin_out(second, 2)
    closed = ask(second.pk, 1)
    assert isinstance(closed, Close)
    early = ask(first.pk, 1)
    assert isinstance(early, Grant) and len(early.roster) == 4, "entries are open"
    Table.objects.filter(pk=first.pk).update(hand=1, grant=None)
    with tournament_transaction(tournament.pk) as tx:
        closing.stop(tx)
    answer = ask(first.pk, 2)
    final = Table.objects.get(status="open")
    assert isinstance(answer, Close) and final.pk not in (first.pk, second.pk)
    assert {gone.to_table for gone in answer.departures} == {final.pk}
    deal = ask(final.pk, 1)
    assert isinstance(deal, Grant) and len(deal.roster) == 4 and deal.draw_button
    tournament.refresh_from_db()
    assert tournament.final_table and chips_of(tournament.pk) == 12 * STACK
    Table.objects.filter(pk=final.pk).update(hand=1, grant=None)
    assert isinstance(ask(final.pk, 2), Grant), "it is drawn once"


@pytest.mark.rule("T-08")
def test_a_field_that_always_had_one_table_draws_no_final_one(house: Redis) -> None:
    tournament = started(3, seats_per_table=6)
    assert isinstance(ask(Table.objects.get().pk, 1), Grant)
    assert not Tournament.objects.get(pk=tournament.pk).final_table


def test_a_hand_settled_twice_counts_once(house: Redis) -> None:
    tournament = started(6)
    arena = Arena(tournament.pk, seed=2)
    table = arena.tables()[0]
    while not KnockOut.objects.exists():
        arena.step(table)
        if arena.states[table].phase == "finished":
            done = record.of(arena.states[table])
    outs = KnockOut.objects.count()
    left = Tournament.objects.get().left
    assert settle.settle_hand(done) is False
    assert KnockOut.objects.count() == outs and Tournament.objects.get().left == left
    assert Hand.objects.filter(number=done.hand).count() == 1


@pytest.mark.rule("T-07")
def test_of_two_busts_in_one_hand_the_larger_stack_places_higher(house: Redis) -> None:
    """A whole tournament of random hands: each pair of successive busts is compared."""
    tournament = started(9, seats_per_table=9, payout_preset="wide")
    Arena(tournament.pk, seed=5).run()
    outs = list(KnockOut.objects.select_related("entry").order_by("order", "-stack"))
    assert any(one.order == other.order for one, other in pairwise(outs))
    for one, other in pairwise(outs):
        better, worse = one.entry.place or 0, other.entry.place or 0
        if one.order < other.order:
            assert better > worse
        elif one.stack > other.stack:
            assert better < worse
        else:
            assert better == worse


@pytest.mark.rule("Z-04")
def test_concurrent_workers_play_a_tournament_to_the_end(house: Redis) -> None:
    """Each table is advanced by one thread at a time, as in the room; everything else may race."""
    tournament = started(18, seats_per_table=3, bubble_places=3)
    arena = Arena(tournament.pk, seed=9)
    busy: set[int] = set()
    guard = threading.Lock()
    wrong: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(20_000):
                with guard:
                    tables = arena.tables()
                    free = [table for table in tables if table not in busy]
                    if not tables or wrong:
                        return
                    table = arena.chance.choice(free) if free else None
                    busy.update({table} if table else ())
                if table is not None:
                    arena.step(table)
                    busy.discard(table)
        except BaseException as error:
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(240)
    assert not wrong, wrong
    tournament.refresh_from_db()
    assert tournament.state == "finished"
    assert sum(prize for _, prize in places_of(tournament.pk)) == 18 * BUY_IN
    assert len(places_of(tournament.pk)) == 18
    assert transfers.balance(money.pool(tournament)) == 0 == transfers.total()
    assert not Announcement.objects.filter(published=False).exists()
