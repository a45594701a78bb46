"""The limit of re-buys counts per player over all entries that may buy at once."""

from __future__ import annotations

import pytest
from redis import Redis

from tables.models import Seat
from tests.tournaments.buying.rebuy_scene import (
    SMALL,
    dealt_in,
    held,
    next_hand,
    open_rebuy_offer,
    player_at_two_tables,
)
from tests.tournaments.cast import STACK, chips_of, law
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.engine.refusals import NoMoreRebuys
from tournaments.models import Entry, Offer, Tournament
from tournaments.running import sales, tick

PRICE = 950


def _bust(tournament: Tournament, entry: Entry, *, asks: bool = False) -> None:
    """Let an entry lose all chips, optionally after a request for a re-buy in that hand."""
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
def test_one_of_two_entries_offered_the_last_rebuy_gets_it(house: Redis) -> None:
    tournament, entries = player_at_two_tables()
    for entry in entries:
        _bust(tournament, entry)
    user, (first, second) = entries[0].user, [open_rebuy_offer(entry) for entry in entries]
    before = held(user)
    sales.answer(user, second.pk, buy=True)
    with pytest.raises(NoMoreRebuys):
        sales.answer(user, first.pk, buy=True)
    assert (held(user), _rebuys(entries)) == (before - PRICE, [0, 1])
    assert open_rebuy_offer(entries[0]).pk == first.pk, "the clock of the other offer continues"
    Offer.objects.filter(state="open").update(until_ms=1)
    tick.tick(tournament.pk)
    assert Entry.objects.get(pk=entries[0].pk).state == "out"
    assert chips_of(tournament.pk) == 7 * STACK
    law(tournament.pk)


@pytest.mark.rule("E-03")
@pytest.mark.rule("E-04")
def test_one_of_two_rebuys_requested_in_hands_is_given(house: Redis) -> None:
    tournament, entries = player_at_two_tables(rebuy_threshold="full")
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
def test_with_two_rebuys_left_both_entries_get_one(house: Redis) -> None:
    tournament, entries = player_at_two_tables(rebuys_max=2)
    for entry in entries:
        _bust(tournament, entry)
    for entry in entries:
        sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=True)
    assert _rebuys(entries) == [1, 1]
    law(tournament.pk)
