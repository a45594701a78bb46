"""Offers to buy again: recipients, effects and refusals."""

from __future__ import annotations

from threading import Event
from time import sleep

import pytest
from django.db import transaction
from django.test import Client
from redis import Redis

from accounts.ledger import transfers
from accounts.models import AccountKind, User
from config import clock
from config.refusals import Refusal
from tables.dealer import boundary
from tables.dealer.grants import Grant
from tables.models import Seat, Table
from tables.wire.table_events import ChipsBought
from tests.tournaments.api.asking import by_session, post, refused, token
from tests.tournaments.buying.rebuy_scene import (
    SMALL,
    bust,
    dealt_in,
    held,
    next_hand,
    open_rebuy_offer,
    rebuys,
)
from tests.tournaments.cast import STACK, Arena, at_once, chips_of, law, passive
from tests.tournaments.entries.late_entries import late, pass_time, users_without_entry
from tests.tournaments.events.announced import event_types, events_of_type
from tests.tournaments.running.earlier_start import MINUTE_MS, outage_passes
from tests.tournaments.seating.short_tables import knocked_out
from tournaments import locks
from tournaments.buying import offers as buying
from tournaments.engine.refusals import RebuysOver, TooManyChips
from tournaments.entries import registration
from tournaments.models import Entry, KnockOut, Move, Offer, Tournament
from tournaments.monitor import audit
from tournaments.prizes import money
from tournaments.queries import buying as queries_buying
from tournaments.queries import lobby_rows
from tournaments.refusals import NoRebuyNow, NoSuchOffer, OfferOver
from tournaments.running import operations, sales, tick


@pytest.mark.rule("E-04")
def test_a_busted_seat_is_held_for_a_rebuy_and_the_table_waits(house: Redis) -> None:
    tournament = rebuys(4)
    arena, entry = bust(tournament)
    [table] = arena.tables()
    assert entry.state == "pending" and Tournament.objects.get().left == 4
    assert Seat.objects.get(entry=entry.pk).chips == 0
    assert arena.step(table) == "rebuy", "the table waits"
    before = held(entry.user)
    offer = sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    assert offer.state == "done" and held(entry.user) == before - 950
    assert arena.step(table) == "grant"
    assert [seat.chips for seat in arena.states[table].seats if seat.entry == entry.pk] == [STACK]
    entry.refresh_from_db()
    assert (entry.state, entry.rebuys, entry.chips_bought) == ("seated", 1, 2 * STACK)
    assert not KnockOut.objects.exists() and not audit.audit_tournaments(tournament.pk)
    assert chips_of(tournament.pk) == 5 * STACK
    assert transfers.balance(money.pool(tournament)) == 4 * 1_000 + 900
    assert event_types(f"user:{entry.user_id}")[-2:] == ["offer_made", "offer_ended"]
    assert "chips_sold" in event_types(tournament.member)


@pytest.mark.rule("E-04")
@pytest.mark.parametrize("how", ["declined", "expired at the table", "expired at the tick"])
def test_a_player_without_rebuy_is_out_after_the_offer(house: Redis, how: str) -> None:
    tournament = rebuys(4)
    arena, entry = bust(tournament)
    [table] = arena.tables()
    offer = open_rebuy_offer(entry)
    if how == "declined":
        assert sales.answer(entry.user, offer.pk, buy=False).state == "declined"
    else:
        Offer.objects.update(until_ms=1)
        if how == "expired at the tick":
            tick.tick(tournament.pk)
    assert arena.step(table) == "grant", "the table waits for no player any more"
    entry.refresh_from_db()
    assert entry.state == "out" and Tournament.objects.get().left == 3
    assert not Seat.objects.filter(entry=entry.pk).exists()
    assert event_types(f"user:{entry.user_id}")[-2:] == ["offer_ended", "knocked_out"]
    assert entry.place is None, "no place before the pool is fixed"
    law(tournament.pk)


@pytest.mark.rule("E-04")
@pytest.mark.rule("X-04")
def test_a_table_does_not_wait_for_an_absent_player_who_may_still_buy(house: Redis) -> None:
    tournament = rebuys(4)
    arena, entry = bust(tournament, absent=True)
    [table] = arena.tables()
    assert arena.step(table) == "grant"
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    move = Move.objects.get(entry=entry)
    assert (move.reason, move.state, move.chips) == ("late", "left", STACK)
    law(tournament.pk)


@pytest.mark.rule("E-04")
def test_a_player_without_rebuys_or_money_is_out_at_once(house: Redis) -> None:
    tournament = rebuys(4)
    entry = Entry.objects.get(pk=Seat.objects.order_by("pk")[0].entry)
    Entry.objects.filter(pk=entry.pk).update(rebuys=1)
    bust(tournament)
    entry.refresh_from_db()
    assert entry.state == "out" and not Offer.objects.exists()


@pytest.mark.rule("E-04")
@pytest.mark.rule("A-01")
def test_an_offer_the_account_does_not_cover_changes_nothing(house: Redis) -> None:
    tournament = rebuys(4)
    _, entry = bust(tournament)
    account = transfers.account(AccountKind.PLAYER, user=entry.user)
    transfers.move(
        key="spent", kind="credit", source=account, target=money.room(), amount=held(entry.user)
    )
    with pytest.raises(transfers.InsufficientFunds):
        sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    entry.refresh_from_db()
    assert entry.state == "pending" and open_rebuy_offer(entry)
    assert transfers.balance(money.pool(tournament)) == 4_000


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-04")
def test_an_offer_is_answered_once_by_its_player_and_in_time(house: Redis) -> None:
    tournament = rebuys(4)
    _, entry = bust(tournament)
    offer = open_rebuy_offer(entry)
    [stranger] = users_without_entry(1)
    for user, number in ((stranger, offer.pk), (entry.user, 10**9)):
        with pytest.raises(NoSuchOffer):
            sales.answer(user, number, buy=True)
    sales.answer(entry.user, offer.pk, buy=True)
    after = held(entry.user)
    for again in (True, False):
        with pytest.raises(OfferOver):
            sales.answer(entry.user, offer.pk, buy=again)
    assert held(entry.user) == after
    assert Entry.objects.get(pk=entry.pk).chips_bought == 2 * STACK


@pytest.mark.rule("E-04")
@pytest.mark.parametrize(
    ("threshold", "chips", "allowed"),
    [
        ("zero", SMALL, False),
        ("half", STACK // 2, True),
        ("half", STACK // 2 + 1, False),
        ("full", STACK, True),
        ("full", STACK + 1, False),
    ],
)
def test_a_seat_with_few_chips_may_buy_again(
    house: Redis, threshold: str, chips: int, allowed: bool
) -> None:
    tournament = rebuys(4, rebuy_threshold=threshold)
    seat = Seat.objects.order_by("pk")[0]
    other = Seat.objects.order_by("pk")[1]
    Seat.objects.filter(pk=other.pk).update(chips=2 * STACK - chips)
    Seat.objects.filter(pk=seat.pk).update(chips=chips)
    user = User.objects.get(pk=seat.user_id)
    assert (queries_buying.rebuy_for(tournament, user) is not None) == allowed
    if not allowed:
        with pytest.raises(TooManyChips):
            sales.request_rebuy(user, tournament.pk)
        assert not Offer.objects.exists()
        return
    assert sales.request_rebuy(user, tournament.pk).state == "accepted"
    with pytest.raises(NoRebuyNow):
        sales.request_rebuy(user, tournament.pk)
    said = next_hand(seat.table_id)
    assert isinstance(said, Grant)
    [row] = [row for row in said.roster if row.entry == seat.entry]
    assert (row.chips, row.bought) == (chips + STACK, STACK)
    law(tournament.pk)


@pytest.mark.rule("E-04")
def test_a_rebuy_repeated_under_its_key_is_bought_once(house: Redis) -> None:
    tournament = rebuys(4, rebuy_threshold="full", rebuys_max=3)
    seat = Seat.objects.order_by("pk")[0]
    user = User.objects.get(pk=seat.user_id)
    text, address = token(user, "play"), f"/tournaments/{tournament.pk}/rebuys"
    first = post(address, text, {}, key="once").json()
    assert first["code"] == "accepted"
    assert isinstance(next_hand(seat.table_id), Grant)
    Seat.objects.filter(pk=seat.pk).update(chips=STACK)
    assert post(address, text, {}, key="once").json() == first
    assert [offer.state for offer in Offer.objects.all()] == ["done"]
    assert post(address, text, {}).json()["code"] == "accepted", "another wish"


@pytest.mark.rule("E-04")
def test_chips_requested_in_a_hand_are_paid_and_given_before_the_next(
    house: Redis,
) -> None:
    tournament = rebuys(4, rebuy_threshold="full", rebuys_max=3)
    arena = Arena(tournament.pk)
    arena.choose = passive
    [table] = arena.tables()
    arena.step(table)
    seats = list(Seat.objects.order_by("pk"))
    users = [User.objects.get(pk=seat.user_id) for seat in seats]
    before = [held(user) for user in users]
    for user in users:
        sales.request_rebuy(user, tournament.pk)
    assert [held(user) for user in users] == before, "nothing is paid during the hand"
    assert chips_of(tournament.pk) == 4 * STACK
    arena.hand(table)
    after_hand = {seat.entry: seat.chips for seat in Seat.objects.all()}
    said = next_hand(table)
    assert isinstance(said, Grant)
    now, events = boundary.answer(arena.states[table], said, now_ms=0)
    got = {event.seat: event for event in events if isinstance(event, ChipsBought)}
    assert got, "some player lost the blinds"
    for seat, user, had in zip(seats, users, before, strict=True):
        had_enough = after_hand[seat.entry] > STACK
        assert (seat.seat in got) == (not had_enough)
        assert held(user) == had - (0 if had_enough else 950)
        state = Offer.objects.get(entry=seat.entry).state
        assert state == ("declined" if had_enough else "done")
        assert now.at(seat.seat).chips == after_hand[seat.entry] + (0 if had_enough else STACK)
    law(tournament.pk)


@pytest.mark.rule("E-06")
def test_after_the_period_there_are_no_rebuys(house: Redis) -> None:
    tournament = rebuys(4, rebuy_threshold="full")
    tick.tick(tournament.pk)
    pass_time(tournament, 15)
    tournament.refresh_from_db()
    assert not tournament.rebuys_open and tournament.pool == 4_000
    user = User.objects.get(pk=Seat.objects.order_by("pk")[0].user_id)
    with pytest.raises(RebuysOver):
        sales.request_rebuy(user, tournament.pk)
    _, entry = bust(tournament)
    assert entry.state == "out" and entry.place == 4 and not Offer.objects.exists()


@pytest.mark.rule("E-05")
def test_the_add_on_is_offered_once_to_everybody_at_the_end_of_the_period(house: Redis) -> None:
    tournament = rebuys(4, add_on=True, add_on_price=700, add_on_chips=2_000)
    tick.tick(tournament.pk)
    pass_time(tournament, 15)
    assert event_types(tournament.member)[-2:] == ["rebuys_closed", "add_on_opened"]
    offers = list(Offer.objects.select_related("entry__user").order_by("pk"))
    assert {offer.kind for offer in offers} == {"add_on"} and len(offers) == 4
    assert Tournament.objects.get().pool is None, "the pool waits for the add-ons"
    sales.answer(offers[0].entry.user, offers[0].pk, buy=True)
    sales.answer(offers[1].entry.user, offers[1].pk, buy=False)
    [table] = Table.objects.all()
    said = next_hand(table.pk)
    assert isinstance(said, Grant)
    assert sorted(row.chips for row in said.roster) == [STACK] * 3 + [STACK + 2_000]
    with pytest.raises(OfferOver):
        sales.answer(offers[0].entry.user, offers[0].pk, buy=True)
    Offer.objects.filter(state="open").update(until_ms=1)
    tick.tick(tournament.pk)
    assert Tournament.objects.get().pool == 4_000 + 700
    assert event_types(tournament.member)[-1] == "pool_fixed"
    law(tournament.pk)


@pytest.mark.rule("E-02")
def test_a_reentry_is_a_new_entry_at_the_full_price_with_a_new_seat(house: Redis) -> None:
    tournament = late(4, entries_max=2)
    _, entry = bust(tournament)
    offer = open_rebuy_offer(entry)
    assert (offer.kind, offer.price, offer.fee, offer.chips) == ("reentry", 1_000, 100, STACK)
    assert not Seat.objects.filter(entry=entry.pk).exists(), "no seat is held for a re-entry"
    before = held(entry.user)
    sales.answer(entry.user, offer.pk, buy=True)
    old, new = Entry.objects.filter(user=entry.user).order_by("pk")
    assert (old.state, new.state, new.slot) == ("out", "seated", old.slot)
    assert held(entry.user) == before - 1_100
    tournament.refresh_from_db()
    assert (tournament.entrants, tournament.left, tournament.reentries) == (5, 4, 1)
    assert Move.objects.get(entry=new).chips == STACK
    assert event_types(f"user:{entry.user_id}")[-3:] == ["offer_ended", "registered", "seated"]
    law(tournament.pk)


@pytest.mark.rule("E-02")
def test_a_declined_reentry_still_allows_registering_again_up_to_the_limit(
    house: Redis,
) -> None:
    tournament = late(4, entries_max=2)
    _, entry = bust(tournament)
    with pytest.raises(Refusal, match="registered"):
        registration.register(entry.user, tournament)
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=False)
    assert lobby_rows.of_tournament(Tournament.objects.get(), entry.user).may_register
    registration.register(entry.user, tournament)
    assert Tournament.objects.get().left == 4
    law(tournament.pk)


@pytest.mark.rule("T-12")
@pytest.mark.rule("E-04")
@pytest.mark.parametrize("how", ["cancel", "cancel_forward"])
def test_cancelling_refunds_purchases_and_ends_offers(house: Redis, how: str) -> None:
    tournament = rebuys(4)
    began = {user.pk: held(user) + 1_100 for user in User.objects.filter(entry__isnull=False)}
    _, entry = bust(tournament)
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    Entry.objects.filter(pk=entry.pk).update(rebuys=0)
    bust_again(tournament, entry)
    assert Entry.objects.get(pk=entry.pk).state == "pending"
    getattr(operations, how)(tournament.pk, reason="test")
    assert not Offer.objects.filter(state__in=("open", "accepted")).exists()
    assert transfers.total() == 0 and transfers.balance(money.pool(tournament)) == 0
    if how == "cancel":
        assert {pk: held(User.objects.get(pk=pk)) for pk in began} == began


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-04")
def test_http_answers_name_the_reason_of_a_refusal(house: Redis) -> None:
    tournament = rebuys(4)
    _, entry = bust(tournament)
    offer = open_rebuy_offer(entry)
    client, address, buy = Client(), f"/offers/{offer.pk}", {"answer": "buy"}
    refused(by_session(client, address, buy), 401, "invalid_token")
    client.force_login(entry.user)
    refused(by_session(client, address, {"answer": "all"}), 400, "invalid_request")
    refused(by_session(client, "/offers/999999", buy), 404, "no_such_offer")
    rebuy = f"/tournaments/{tournament.pk}/rebuys"
    refused(by_session(client, rebuy, {"entry": "x"}), 400, "invalid_request")
    refused(by_session(client, rebuy, {}), 409, "no_rebuy_now")
    refused(by_session(client, f"/tournaments/{10**9}/rebuys", {}), 404, "no_such_tournament")
    assert queries_buying.open_offers(entry.user) == [buying.told(offer)]
    done = by_session(client, address, buy).json()
    assert (done["code"], done["message"]) == ("done", "You have bought again.")
    assert done["balance"] == held(entry.user)
    refused(by_session(client, address, buy), 409, "offer_over")
    assert client.get(f"/tournaments/{tournament.pk}/seat/").json()["rebuy"] is None


def bust_again(tournament: Tournament, entry: Entry) -> None:
    """Let a player lose all chips once more."""
    seat = Seat.objects.get(entry=entry.pk)
    arena, table = dealt_in(tournament, seat), seat.table_id
    arena.states[table] = knocked_out(arena.states[table], {SMALL})
    arena.step(table)


@pytest.mark.rule("E-04")
@pytest.mark.rule("T-13")
@pytest.mark.parametrize("first", ["tick", "table"])
def test_an_outage_takes_no_time_off_an_offer(house: Redis, first: str) -> None:
    tournament = rebuys(4)
    tick.tick(tournament.pk)
    arena, entry = bust(tournament)
    before = open_rebuy_offer(entry)
    outage_passes(tournament, MINUTE_MS)
    if first == "table":
        assert arena.step(arena.tables()[0]) == "rebuy"
    tick.tick(tournament.pk)
    offer = open_rebuy_offer(entry)
    assert abs(offer.until_ms - before.until_ms) < 1_000
    told = events_of_type(f"user:{entry.user_id}", "offer_made")
    assert len(told) == 2, "the player is told the later end"
    assert arena.step(arena.tables()[0]) == "rebuy"
    sales.answer(entry.user, offer.pk, buy=True)
    assert Entry.objects.get(pk=entry.pk).state == "seated"
    law(tournament.pk)


@pytest.mark.rule("E-04")
def test_an_answer_in_time_counts_however_long_the_tournament_is_held(house: Redis) -> None:
    tournament = rebuys(4)
    _, entry = bust(tournament)
    offer = open_rebuy_offer(entry)
    offer.until_ms = clock.database_now_ms() + 500
    offer.save()
    is_held = Event()

    def hold() -> None:
        with transaction.atomic():
            locks.tournament(tournament.pk)
            is_held.set()
            sleep(1)

    def buy() -> Offer:
        is_held.wait()
        return sales.answer(entry.user, offer.pk, buy=True)

    _, bought = at_once(hold, buy)
    assert isinstance(bought, Offer) and bought.state == "done", bought
    assert Entry.objects.get(pk=entry.pk).state == "seated"
    law(tournament.pk)
