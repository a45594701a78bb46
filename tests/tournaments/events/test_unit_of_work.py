"""The unit of work: row, money and events of a transaction, once each and in the lock order."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from redis import Redis

from accounts.ledger import transfers
from accounts.ledger.transfers import InsufficientFunds, Order, PostingRequest
from accounts.models import Account
from accounts.users import bots
from tests.tournaments.cast import open_offer, started
from tests.tournaments.events.announced import events_of_type
from tournaments.events import outbox
from tournaments.events.client_events import Resumed
from tournaments.events.rulings import RoomMessage
from tournaments.events.unit_of_work import tournament_transaction, unit_of_work
from tournaments.models import Announcement, Tournament
from tournaments.prizes import money


def _order(key: str, payer: Account, amount: int = 100) -> list[Order]:
    postings = [PostingRequest(payer, -amount), PostingRequest(money.fees(), amount)]
    return money.order(key, "credit", postings)


def test_the_row_is_saved_before_money_and_money_booked_before_events(house: Redis) -> None:
    offer = open_offer()
    with CaptureQueriesContext(connection) as seen, tournament_transaction(offer.pk) as tx:
        tx.announce(Resumed())
        tx.pay(_order("one", money.room()))
        tx.tournament.told_hands = 7
    written = [
        name
        for query in seen.captured_queries
        for name in ("tournaments_tournament", "accounts_account", "tournaments_streamhead")
        if f"UPDATE {name}" in query["sql"].replace('"', "") or f"INTO {name} " in query["sql"]
    ]
    assert written == ["tournaments_tournament", "accounts_account", "tournaments_streamhead"]
    assert Tournament.objects.get(pk=offer.pk).told_hands == 7
    assert len(events_of_type(offer.member, "resumed")) == 1


def test_only_changed_columns_are_saved_and_none_without_a_change(house: Redis) -> None:
    offer = started(2)
    with CaptureQueriesContext(connection) as seen, tournament_transaction(offer.pk) as tx:
        assert tx.tournament.state == "running"
    assert not any("UPDATE" in query["sql"].split(" FROM ")[0] for query in seen.captured_queries)
    with CaptureQueriesContext(connection) as seen, tournament_transaction(offer.pk) as tx:
        tx.tournament.prizes.append(1)
    (update,) = [query["sql"] for query in seen.captured_queries if query["sql"][:6] == "UPDATE"]
    assert update.split(" SET ")[1].startswith('"prizes" = ') and update.count(" = ") == 2
    assert Tournament.objects.get(pk=offer.pk).prizes[-1] == 1


def test_a_refused_payment_leaves_no_row_event_or_transfer(house: Redis) -> None:
    offer = open_offer()
    player = bots.create(1)[0]
    held, count = transfers.held_by(player), Announcement.objects.count()

    def overspend() -> None:
        with tournament_transaction(offer.pk) as tx:
            tx.tournament.told_hands = 7
            tx.announce(Resumed())
            tx.pay(_order("all", money.player(player), held + 1))

    with pytest.raises(InsufficientFunds):
        overspend()
    assert Tournament.objects.get(pk=offer.pk).told_hands == offer.told_hands
    assert Announcement.objects.count() == count
    assert transfers.held_by(player) == held


def test_money_is_booked_once(house: Redis) -> None:
    def book_twice() -> None:
        with unit_of_work() as tx:
            tx.pay(_order("one", money.room()))
            tx.book()
            tx.pay(_order("two", money.room()))

    with pytest.raises(AssertionError, match="booked once"):
        book_twice()
    assert transfers.balance(money.fees()) == 0


def test_the_head_of_the_lobby_is_locked_last(house: Redis) -> None:
    with CaptureQueriesContext(connection) as seen, unit_of_work() as tx:
        for stream in (outbox.LOBBY, outbox.user(1), outbox.tournament(1)):
            tx.tell(stream, RoomMessage("hello"))
    (heads,) = [query["sql"] for query in seen.captured_queries if "streamhead" in query["sql"]]
    positions = [heads.index(name) for name in ("tournament:1", "user:1", "lobby")]
    assert positions == sorted(positions)
