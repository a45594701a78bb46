"""The limit of re-buys is a player's, however many of his entries could buy at once."""

from __future__ import annotations

import pytest
from redis import Redis

from tables.models import Seat, Table
from tests.tournaments.buying.test_buying import SMALL, dealt_in, held, next_hand, rebuys, the_offer
from tests.tournaments.cast import STACK, chips_of, law
from tests.tournaments.seating.test_rounds import knocked_out
from tournaments.models import Entry, Offer, Tournament
from tournaments.refusals import NoMoreRebuys
from tournaments.running import sales, tick

PRICE = 950


def twice(**fields: object) -> tuple[Tournament, list[Entry]]:
    """A tournament of two tables, and a player who sits at both."""
    options = {"several_at_once": True, "entries_max": 2, "seats_per_table": 3} | fields
    tournament = rebuys(6, **options)
    tables = list(Table.objects.order_by("pk"))
    seats = [Seat.objects.filter(table=table).order_by("pk")[0] for table in tables]
    entries = [Entry.objects.get(pk=seat.entry) for seat in seats]
    user = entries[0].user_id
    Entry.objects.filter(pk=entries[1].pk).update(user=user, slot=2)
    Seat.objects.filter(pk=seats[1].pk).update(user=user)
    return tournament, [Entry.objects.select_related("user").get(pk=one.pk) for one in entries]


def _bust(tournament: Tournament, entry: Entry, *, asks: bool = False) -> None:
    """That entry loses everything, having asked for a re-buy in the hand."""
    seat = Seat.objects.get(entry=entry.pk)
    arena = dealt_in(tournament, seat)
    if asks:
        sales.request_rebuy(entry.user, tournament.pk, entry.pk)
    arena.states[seat.table_id] = knocked_out(arena.states[seat.table_id], {SMALL})
    assert arena.step(seat.table_id) == "settled"


def _rebuys(entries: list[Entry]) -> list[int]:
    return [Entry.objects.get(pk=entry.pk).rebuys for entry in entries]


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-04")
def test_of_two_entries_that_are_offered_the_last_rebuy_one_has_it(house: Redis) -> None:
    tournament, entries = twice()
    for entry in entries:
        _bust(tournament, entry)
    user, (first, second) = entries[0].user, [the_offer(entry) for entry in entries]
    before = held(user)
    sales.answer(user, second.pk, buy=True)
    with pytest.raises(NoMoreRebuys):
        sales.answer(user, first.pk, buy=True)
    assert (held(user), _rebuys(entries)) == (before - PRICE, [0, 1])
    assert the_offer(entries[0]).pk == first.pk, "its clock goes on"
    Offer.objects.filter(state="open").update(until_ms=1)
    tick.tick(tournament.pk)
    assert Entry.objects.get(pk=entries[0].pk).state == "out"
    assert chips_of(tournament.pk) == 7 * STACK
    law(tournament.pk)


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-04")
def test_of_two_rebuys_that_were_asked_for_in_hands_one_is_given(house: Redis) -> None:
    tournament, entries = twice(rebuy_threshold="full")
    user, before = entries[0].user, held(entries[0].user)
    sales.request_rebuy(user, tournament.pk, entries[0].pk)
    _bust(tournament, entries[1], asks=True)
    next_hand(Seat.objects.get(entry=entries[0].pk).table_id)
    assert _rebuys(entries) == [1, 0]
    next_hand(Seat.objects.get(entry=entries[1].pk).table_id)
    assert (held(user), _rebuys(entries)) == (before - PRICE, [1, 0])
    assert Offer.objects.get(entry=entries[1]).state == "declined"
    assert Entry.objects.get(pk=entries[1].pk).state == "out"
    law(tournament.pk)


@pytest.mark.rule("E-04")
def test_with_two_rebuys_left_both_entries_have_one(house: Redis) -> None:
    tournament, entries = twice(rebuys_max=2)
    for entry in entries:
        _bust(tournament, entry)
    for entry in entries:
        sales.answer(entry.user, the_offer(entry).pk, buy=True)
    assert _rebuys(entries) == [1, 1]
    law(tournament.pk)
