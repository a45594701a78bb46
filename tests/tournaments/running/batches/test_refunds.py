"""Refunds of large fields: batches in short transactions, resumed after deaths."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from redis import Redis

from accounts.ledger import transfers
from accounts.ledger.transfers import InsufficientFunds
from accounts.models import Transfer
from accounts.users import bots
from config.refusals import Refusal
from tables.models import Seat, Table
from tests.tournaments.cast import BUY_IN, FEE, at_once, open_offer
from tests.tournaments.events.announced import event_types
from tests.tournaments.running.batches import batch_cast
from tests.tournaments.running.batches.batch_cast import (
    PLAYERS,
    TABLES,
    balances,
    die_and_go_on,
    field,
    make_all,
    open_in_redis,
    play_full_tables,
    settle_and_wait,
    times_told,
)
from tournaments.entries import deletion, registration
from tournaments.models import AuditRow, Entry, Tournament
from tournaments.monitor import audit
from tournaments.prizes import money
from tournaments.refusals import RoomCannotPay
from tournaments.running import batches, cancelling, operations, tick


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    batch_cast.make_small(monkeypatch)


@pytest.mark.rule("T-12")
def test_a_cancelled_field_is_closed_and_refunded_in_batches(house: Redis) -> None:
    before = [transfers.held_by(player) for player in bots.create(PLAYERS)]
    tournament, players = field()
    operations.cancel(tournament.pk, reason="flood")
    tournament.refresh_from_db()
    assert (tournament.state, tournament.refunding) == ("cancelled", True)
    assert Table.objects.filter(status="open").count() == TABLES - 2
    paid_back = [0]
    while tick.tick(tournament.pk) == batches.NEXT_MS:
        # Money is conserved after every batch: what an entry paid is in the pool or back.
        left = tournament.entries.exclude(state=Entry.State.REFUNDED).count()
        assert transfers.balance(money.pool(tournament)) == left * BUY_IN
        assert transfers.balance(money.fees()) == left * FEE
        assert audit.audit_tournaments() == []
        paid_back.append(PLAYERS - left)
    assert paid_back == sorted(paid_back) and {3, 6} <= set(paid_back)
    assert [transfers.held_by(player) for player in players] == before
    assert transfers.balance(money.pool(tournament)) == 0 == transfers.balance(money.fees())
    assert times_told(players, "tournament_cancelled") == [1] * PLAYERS
    assert event_types(tournament.member).count("cancelled") == 1
    assert open_in_redis(house, tournament) == [] and Seat.objects.count() == 0
    tournament.refresh_from_db()
    assert not tournament.refunding and tick.tick(tournament.pk) is None


def test_refunds_go_on_after_the_worker_died_and_the_wake_was_lost(house: Redis) -> None:
    tournament, players = field()
    operations.cancel(tournament.pk)
    die_and_go_on(tournament, cancelling.wind_up)
    assert not Entry.objects.exclude(state=Entry.State.REFUNDED).exists()
    assert Transfer.objects.filter(key__startswith="refund:").count() == PLAYERS
    assert times_told(players, "tournament_cancelled") == [1] * PLAYERS


def test_two_workers_refund_no_entry_twice(house: Redis) -> None:
    tournament, players = field()
    operations.cancel(tournament.pk)
    for _ in range(5):
        answers = at_once(*[lambda: tick.tick(tournament.pk)] * 2)
        assert all(answer is None or isinstance(answer, int) for answer in answers), answers
    assert times_told(players, "tournament_cancelled") == [1] * PLAYERS
    assert audit.audit_tournaments() == []


def test_too_few_registrations_are_refunded_in_batches_by_ticks(house: Redis) -> None:
    tournament = open_offer(players_max=50, players_min=10)
    players = bots.create(PLAYERS)
    before = [transfers.held_by(player) for player in players]
    for player in players:
        registration.register(player, tournament)
    operations.cancel(tournament.pk)
    assert tournament.entries.filter(state=Entry.State.REGISTERED).count() == PLAYERS - 3
    for again_ms in (batches.NEXT_MS, None):
        assert tick.tick(tournament.pk) == again_ms
    assert [transfers.held_by(player) for player in players] == before


def test_a_table_that_is_still_open_deals_no_more_hand_and_pays_nothing(house: Redis) -> None:
    tournament, _ = field()
    tick.tick(tournament.pk)
    arena, full = play_full_tables(tournament)
    operations.cancel(tournament.pk)
    still = Table.objects.filter(status="open", pk__in=full)
    assert still, "one full table is not closed yet"
    had = balances()
    settle_and_wait(arena, still.values_list("pk", flat=True))
    assert balances() == had and not tournament.knock_outs.exists()
    make_all(tournament)
    assert not Table.objects.filter(status="open").exists()


def test_steps_while_refunds_are_paid_change_nothing(house: Redis) -> None:
    tournament, players = field()
    operations.cancel(tournament.pk)
    had, rows = balances(), AuditRow.objects.count()
    operations.cancel(tournament.pk)
    refused = (
        lambda: operations.cancel_forward(tournament.pk, reason="again"),
        lambda: operations.resume(tournament.pk),
        lambda: operations.start(tournament.pk),
        lambda: registration.register(players[0], tournament.pk),
        lambda: registration.unregister(players[-1], tournament.pk),
    )
    codes = set()
    for call in refused:
        try:
            call()
        except Refusal as refusal:
            codes.add(refusal.code)
    assert {"cannot_resume", "cannot_start"} <= codes
    assert balances() == had and AuditRow.objects.count() == rows
    assert Tournament.objects.get(pk=tournament.pk).refunding


def test_a_refund_whose_fees_the_room_took_away_is_refused_before_it_begins(house: Redis) -> None:
    tournament, _ = field()
    transfers.move(key="taken", kind="test", source=money.fees(), target=money.room(), amount=FEE)
    had = balances()
    with pytest.raises(RoomCannotPay):
        operations.cancel(tournament.pk)
    tournament.refresh_from_db()
    assert tournament.state == "running" and balances() == had
    assert not tournament.entries.filter(state=Entry.State.REFUNDED).exists()


def test_fees_taken_between_two_batches_stop_the_refunds_until_they_are_back(house: Redis) -> None:
    tournament, players = field()
    operations.cancel(tournament.pk)
    assert tick.tick(tournament.pk) == batches.NEXT_MS
    taken = transfers.balance(money.fees())
    transfers.move(key="taken", kind="test", source=money.fees(), target=money.room(), amount=taken)
    had = balances()
    with pytest.raises(InsufficientFunds):
        tick.tick(tournament.pk)
    assert balances() == had and Tournament.objects.get(pk=tournament.pk).refunding
    transfers.move(key="back", kind="test", source=money.room(), target=money.fees(), amount=taken)
    make_all(tournament)
    assert times_told(players, "tournament_cancelled") == [1] * PLAYERS
    assert not tournament.entries.exclude(state=Entry.State.REFUNDED).exists()
    assert transfers.balance(money.fees()) == 0


def test_an_account_is_not_deleted_before_its_refund_has_come(house: Redis) -> None:
    tournament, players = field()
    operations.cancel(tournament.pk)
    assert all(list(deletion.obstacles(player)) for player in players)
    make_all(tournament)
    assert not any(list(deletion.obstacles(player)) for player in players)


def test_the_audit_finds_an_entry_marked_as_refunded_without_its_money(house: Redis) -> None:
    tournament, _ = field()
    operations.cancel(tournament.pk)
    assert audit.audit_tournaments() == []
    unpaid = tournament.entries.exclude(state=Entry.State.REFUNDED)[0]
    Entry.objects.filter(pk=unpaid.pk).update(state=Entry.State.REFUNDED)
    [found] = audit.audit_tournaments(tournament.pk)
    assert "between refunds the pool account holds" in found


def test_the_page_says_while_tables_open_and_entries_are_paid_back(house: Redis) -> None:
    tournament, _ = field()
    page = reverse("tournament", args=[tournament.pk])
    opens, pays = "The tables are opening", "Entries are being paid back"
    assert opens in Client().get(page).content.decode()
    operations.cancel(tournament.pk)
    assert pays in Client().get(page).content.decode()
    make_all(tournament)
    text = Client().get(page).content.decode()
    assert opens not in text and pays not in text
