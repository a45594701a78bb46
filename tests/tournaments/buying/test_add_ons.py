"""The add-on meets hands in play: it is for who has chips, and insures nobody."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from tables.models import Seat
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
from tests.tournaments.running.earlier_start import PLAY_MS, time_passes
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.entries import registration
from tournaments.models import Entry, Offer, Tournament
from tournaments.running import sales, tick

ADD_ON: dict[str, Any] = {"add_on": True, "add_on_price": 700, "add_on_chips": 2_000}


def _period_over(**fields: Any) -> Tournament:
    """Re-buys have ended, and everybody was offered the add-on."""
    tournament = rebuys(4, **(ADD_ON | fields))
    tick.tick(tournament.pk)
    pass_time(tournament, 15)
    assert Offer.objects.filter(kind="add_on", state="open").count() == 4
    return tournament


def _dealt_in(tournament: Tournament) -> tuple[Arena, int, Entry]:
    """A hand is in play at the only table, in which one player has little; who that is."""
    seat = Seat.objects.order_by("pk")[0]
    return dealt_in(tournament, seat), seat.table_id, Entry.objects.get(pk=seat.entry)


def _add_on_of(entry: Entry) -> Offer:
    return Offer.objects.get(entry=entry, kind="add_on")


@pytest.mark.rule("E-05")
@pytest.mark.parametrize("asked", [True, False])
def test_who_busts_has_no_add_on_whether_asked_for_or_not(house: Redis, asked: bool) -> None:
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
    Offer.objects.filter(state="open").update(until_ms=1)
    tick.tick(tournament.pk)
    assert Tournament.objects.get().pool == 4_000, "nothing is waited for"
    law(tournament.pk)


@pytest.mark.rule("E-04")
@pytest.mark.rule("E-05")
@pytest.mark.parametrize("absent", [True, False])
def test_who_buys_again_after_the_period_ended_may_have_the_add_on_too(
    house: Redis, absent: bool
) -> None:
    tournament = rebuys(4, **ADD_ON)
    tick.tick(tournament.pk)
    _, entry = bust(tournament, absent=absent)
    pass_time(tournament, 15)
    assert Offer.objects.filter(kind="add_on").count() == 3, "he has no chips yet"
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    offer = open_rebuy_offer(entry)
    assert (offer.kind, offer.until_ms) == ("add_on", Tournament.objects.get().add_on_until_ms)
    assert sales.answer(entry.user, offer.pk, buy=True).state == "accepted"
    [table] = {seat.table_id for seat in Seat.objects.all()}
    next_hand(table)
    if absent:  # his new seat is taken with the next hand, and the chips come after it
        assert Entry.objects.get(pk=entry.pk).add_ons == 0
        return
    entry.refresh_from_db()
    assert (entry.rebuys, entry.add_ons) == (1, 1)
    Offer.objects.filter(state="open").update(until_ms=1)
    tick.tick(tournament.pk)
    assert Tournament.objects.get().pool == 4_000 + 900 + 700
    law(tournament.pk)


@pytest.mark.rule("E-05")
@pytest.mark.rule("T-11")
def test_who_asked_for_it_under_way_has_it_when_the_time_is_up(house: Redis) -> None:
    tournament = _period_over(late_ends="at_level", late_value=9, play_time_ms=PLAY_MS)
    [stranger] = users_without_entry(1)
    came = registration.register(stranger, tournament)
    before = held(stranger)
    assert sales.answer(stranger, open_rebuy_offer(came).pk, buy=True).state == "accepted"
    Offer.objects.filter(state="open").update(until_ms=1)
    time_passes(tournament, PLAY_MS)
    assert tournament.state == "finished", "no boundary seats him any more"
    came.refresh_from_db()
    assert (came.add_ons, came.place) == (1, 1), "he has more chips than anybody"
    assert held(stranger) == before - ADD_ON["add_on_price"] + came.prize
    law(tournament.pk)


@pytest.mark.rule("E-01")
@pytest.mark.rule("E-02")
@pytest.mark.rule("E-05")
def test_who_enters_while_the_add_on_is_sold_may_have_it_too(house: Redis) -> None:
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
def test_who_enters_after_the_add_on_was_sold_has_none(house: Redis, why: str) -> None:
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
def test_who_lets_reentry_and_add_on_pass_is_out_once(house: Redis) -> None:
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
