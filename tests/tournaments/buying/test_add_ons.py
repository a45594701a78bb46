"""Add-ons during hands in play: sold to players with chips, never after a bust."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from redis import Redis

from tables.dealer.grants import Grant, Wait
from tables.models import Seat, Table
from tests.tournaments.buying.rebuy_scene import (
    SMALL,
    bust,
    dealt_in,
    held,
    next_hand,
    open_rebuy_offer,
    rebuys,
)
from tests.tournaments.cast import Arena, law
from tests.tournaments.entries.late_entries import pass_time, users_without_entry
from tests.tournaments.events.announced import events_of_type
from tests.tournaments.running.earlier_start import PLAY_MS, time_passes
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.entries import registration
from tournaments.models import Entry, Move, Offer, Tournament
from tournaments.running import sales, tick

ADD_ON: dict[str, Any] = {"add_on": True, "add_on_price": 700, "add_on_chips": 2_000}


def _period_over(**fields: Any) -> Tournament:
    """End the re-buy period and offer the add-on to every player."""
    tournament = rebuys(4, **(ADD_ON | fields))
    tick.tick(tournament.pk)
    pass_time(tournament, 15)
    assert Offer.objects.filter(kind="add_on", state="open").count() == 4
    return tournament


def _dealt_in(tournament: Tournament) -> tuple[Arena, int, Entry]:
    """Deal a hand in which one player has few chips; return the arena, the table and the entry."""
    seat = Seat.objects.order_by("pk")[0]
    return dealt_in(tournament, seat), seat.table_id, Entry.objects.get(pk=seat.entry)


def _add_on_of(entry: Entry) -> Offer:
    return Offer.objects.get(entry=entry, kind="add_on")


@pytest.mark.rule("E-05")
@pytest.mark.parametrize("asked", [True, False])
def test_a_busted_player_gets_no_add_on_even_if_requested(house: Redis, asked: bool) -> None:
    tournament = _period_over()
    arena, table, entry = _dealt_in(tournament)
    before = held(entry.user)
    if asked:
        assert sales.answer(entry.user, _add_on_of(entry).pk, buy=True).state == "accepted"
    arena.states[table] = knocked_out(arena.states[table], {SMALL})
    assert arena.step(table) == "settled"
    entry.refresh_from_db()
    assert entry.state == "out" and _add_on_of(entry).state == "expired"
    assert held(entry.user) == before
    [ended] = events_of_type(f"user:{entry.user_id}", "offer_ended")
    assert msgspec.json.decode(ended)["why"] == ("not_in_play" if asked else "")
    Offer.objects.filter(state="open").update(until_ms=1)
    tick.tick(tournament.pk)
    assert Tournament.objects.get().pool == 4_000, "the table waits for no offer"
    law(tournament.pk)


@pytest.mark.rule("E-04")
@pytest.mark.rule("E-05")
@pytest.mark.parametrize("absent", [True, False])
def test_a_rebuy_after_the_period_still_allows_the_add_on(house: Redis, absent: bool) -> None:
    tournament = rebuys(4, **ADD_ON)
    tick.tick(tournament.pk)
    _, entry = bust(tournament, absent=absent)
    pass_time(tournament, 15)
    assert Offer.objects.filter(kind="add_on").count() == 3, "the player has no chips yet"
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    offer = open_rebuy_offer(entry)
    assert (offer.kind, offer.until_ms) == ("add_on", Tournament.objects.get().add_on_until_ms)
    assert sales.answer(entry.user, offer.pk, buy=True).state == "accepted"
    [table] = {seat.table_id for seat in Seat.objects.all()}
    next_hand(table)
    entry.refresh_from_db()
    assert (entry.rebuys, entry.add_ons) == (1, 1)
    Offer.objects.filter(state="open").update(until_ms=1)
    tick.tick(tournament.pk)
    assert Tournament.objects.get().pool == 4_000 + 900 + 700
    law(tournament.pk)


@pytest.mark.rule("E-04")
@pytest.mark.rule("E-05")
def test_a_rebuy_requested_before_a_bust_brings_the_lapsed_add_on_back(house: Redis) -> None:
    tournament = rebuys(4, **ADD_ON, rebuy_threshold="half")
    tick.tick(tournament.pk)
    arena, table, entry = _dealt_in(tournament)
    assert sales.request_rebuy(entry.user, tournament.pk).state == "accepted"
    pass_time(tournament, 15)
    lapsed = _add_on_of(entry)
    arena.states[table] = knocked_out(arena.states[table], {SMALL})
    assert arena.step(table) == "settled"
    lapsed.refresh_from_db()
    assert lapsed.state == "expired"
    assert arena.step(table) == "grant"
    offer = open_rebuy_offer(entry)
    assert (offer.kind, offer.until_ms) == ("add_on", Tournament.objects.get().add_on_until_ms)
    assert sales.answer(entry.user, offer.pk, buy=True).state == "accepted"
    assert [arena.step(table) for _ in range(3)] == ["hand", "settled", "grant"]
    entry.refresh_from_db()
    assert (entry.rebuys, entry.add_ons) == (1, 1)
    law(tournament.pk)


@pytest.mark.rule("E-05")
@pytest.mark.rule("T-11")
def test_an_add_on_requested_during_a_move_is_given_when_the_play_time_ends(house: Redis) -> None:
    tournament = _period_over(late_ends="at_level", late_value=9, play_time_ms=PLAY_MS)
    [stranger] = users_without_entry(1)
    came = registration.register(stranger, tournament)
    before = held(stranger)
    assert sales.answer(stranger, open_rebuy_offer(came).pk, buy=True).state == "accepted"
    Offer.objects.filter(state="open").update(until_ms=1)
    time_passes(tournament, PLAY_MS)
    assert tournament.state == "finished", "no boundary seats the player any more"
    came.refresh_from_db()
    assert (came.add_ons, came.place) == (1, 1), "the player has the most chips"
    assert held(stranger) == before - ADD_ON["add_on_price"] + came.prize
    law(tournament.pk)


@pytest.mark.rule("E-05")
@pytest.mark.rule("L-05")
def test_an_add_on_requested_on_the_way_in_a_break_is_there_at_the_first_hand(house: Redis) -> None:
    tournament = rebuys(4, **ADD_ON, rebuy_until_level=15, late_ends="at_level", late_value=20)
    tick.tick(tournament.pk)
    pass_time(tournament, 45)
    [table] = Table.objects.all()
    [stranger] = users_without_entry(1)
    came = registration.register(stranger, tournament)
    before = held(stranger)
    assert sales.answer(stranger, open_rebuy_offer(came).pk, buy=True).state == "accepted"
    said = next_hand(table.pk)
    assert isinstance(said, Wait) and said.reason == "break"
    pass_time(tournament, 5)
    granted = next_hand(table.pk)
    assert isinstance(granted, Grant)
    stacks = {seat.entry: seat.chips for seat in granted.roster}
    assert stacks[came.pk] == tournament.starting_stack + ADD_ON["add_on_chips"]
    assert held(stranger) == before - ADD_ON["add_on_price"]
    law(tournament.pk)


@pytest.mark.rule("E-01")
@pytest.mark.rule("E-02")
@pytest.mark.rule("E-05")
def test_a_late_entry_during_the_add_on_period_may_buy_the_add_on(house: Redis) -> None:
    tournament = _period_over(entries_max=2, late_ends="at_level", late_value=9)
    [stranger] = users_without_entry(1)
    came = registration.register(stranger, tournament)
    assert open_rebuy_offer(came).kind == "add_on"
    arena, table, entry = _dealt_in(tournament)
    arena.states[table] = knocked_out(arena.states[table], {SMALL})
    assert arena.step(table) == "settled"
    assert open_rebuy_offer(entry).kind == "reentry"
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    again = Entry.objects.get(user=entry.user, state="seated")
    assert open_rebuy_offer(again).kind == "add_on"
    law(tournament.pk)


@pytest.mark.rule("E-05")
@pytest.mark.rule("E-07")
@pytest.mark.parametrize("why", ["the window is over", "hand-for-hand"])
def test_a_late_entry_after_the_add_on_period_gets_no_add_on(house: Redis, why: str) -> None:
    tournament = rebuys(4, **ADD_ON)
    tick.tick(tournament.pk)
    _, entry = bust(tournament)
    pass_time(tournament, 15)
    over = {"hand_for_hand": True} if why == "hand-for-hand" else {"add_on_until_ms": 1}
    Tournament.objects.update(**over)
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    entry.refresh_from_db()
    assert entry.state == "seated"
    assert not Offer.objects.filter(entry=entry, kind="add_on").exists()


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-05")
def test_a_player_who_lets_reentry_and_add_on_expire_is_out_once(house: Redis) -> None:
    tournament = _period_over(entries_max=2, late_ends="at_left", late_value=2)
    arena, table, entry = _dealt_in(tournament)
    arena.states[table] = knocked_out(arena.states[table], {SMALL})
    assert arena.step(table) == "settled"
    assert Offer.objects.get(entry=entry, state="open").kind == "reentry"
    Offer.objects.filter(state="open").update(until_ms=1)
    tick.tick(tournament.pk)
    entry.refresh_from_db()
    assert entry.state == "out" and Tournament.objects.get().left == 3
    law(tournament.pk)


@pytest.mark.rule("E-05")
@pytest.mark.rule("T-09")
def test_an_entry_on_its_way_gets_its_add_on_before_the_first_round(house: Redis) -> None:
    """A table in hand-for-hand seats arrivals for a round only, and no round opens during sales."""
    tournament = rebuys(
        6, **ADD_ON, seats_per_table=5, bubble_final=2, late_ends="at_left", late_value=2
    )
    tick.tick(tournament.pk)
    pass_time(tournament, 15)
    [guest] = users_without_entry(1)
    registration.register(guest, tournament.pk)
    move = Move.objects.get(entry__user=guest)
    assert move.state == Move.State.LEFT
    offer = Offer.objects.get(entry=move.entry, kind="add_on")
    assert sales.answer(guest, offer.pk, buy=True).state == "accepted"
    Offer.objects.filter(state="open").update(until_ms=1)
    Tournament.objects.filter(pk=tournament.pk).update(
        hand_for_hand=True, entries_open=False, rebuys_open=False
    )
    arena = Arena(tournament.pk)
    seen = []
    for _ in range(4):
        seen += [arena.step(table) for table in arena.tables()]
        tick.tick(tournament.pk)
    tournament.refresh_from_db()
    assert "grant" in seen, "the first round opens"
    assert tournament.pool is not None
    entry = Entry.objects.get(pk=move.entry_id)
    assert (entry.add_ons, entry.chips_bought) == (1, tournament.starting_stack + 2_000)
    law(tournament.pk)
