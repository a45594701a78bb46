"""The add-on meets hands in play: it is for who has chips, and insures nobody."""

from __future__ import annotations

from typing import Any

import pytest
from redis import Redis

from tables.models import Seat
from tests.tournaments.cast import Arena, law
from tests.tournaments.test_buying import SMALL, dealt_in, held, rebuys
from tests.tournaments.test_late_registration import pass_time
from tests.tournaments.test_rounds import knocked_out
from tournaments import sales, ticking
from tournaments.models import Entry, Offer, Tournament

ADD_ON: dict[str, Any] = {"add_on": True, "add_on_price": 700, "add_on_chips": 2_000}


def _period_over(**fields: Any) -> Tournament:
    """Re-buys have ended, and everybody was offered the add-on."""
    tournament = rebuys(4, **(ADD_ON | fields))
    ticking.tick(tournament.pk)
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
    ticking.tick(tournament.pk)
    assert Tournament.objects.get().pool == 4_000, "nothing is waited for"
    law(tournament.pk)


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-05")
def test_who_lets_reentry_and_add_on_pass_is_out_once(house: Redis) -> None:
    tournament = _period_over(entries_max=2, late_ends="at_left", late_value=2)
    arena, table, entry = _dealt_in(tournament)
    arena.states[table] = knocked_out(arena.states[table], {SMALL})
    assert arena.step(table) == "settled"
    assert Offer.objects.get(entry=entry, state="open").kind == "reentry"
    Offer.objects.filter(state="open").update(until_ms=1)
    ticking.tick(tournament.pk)
    entry.refresh_from_db()
    assert entry.state == "out" and Tournament.objects.get().left == 3
    law(tournament.pk)
