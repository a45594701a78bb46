"""Seat of a re-entry: by default at another table than the one of the bust."""

from __future__ import annotations

import pytest
from redis import Redis

from tables.models import Seat, Table
from tables.workers.opening import open_tables
from tests.tournaments.buying.rebuy_scene import SMALL, bust, dealt_in, open_rebuy_offer
from tests.tournaments.cast import Arena, law, passive
from tests.tournaments.entries.late_entries import late
from tests.tournaments.seating.short_tables import knocked_out
from tournaments.entries import registration
from tournaments.models import Entry, KnockOut, Move, Tournament
from tournaments.running import sales
from tournaments.seating import balancer

WAYS = ["offer", "lobby"]


def _enters_again(tournament: Tournament, entry: Entry, way: str) -> Move:
    """Re-enter by the offer or by the lobby; return the table of the new seat."""
    sales.answer(entry.user, open_rebuy_offer(entry).pk, buy=way == "offer")
    if way == "lobby":
        registration.register(entry.user, tournament)
    return Move.objects.get(entry__user=entry.user, entry__state="seated")


def _sizes(tournament: Tournament) -> dict[int, int]:
    return {size.table: size.size for size in balancer.sizes_of(tournament.pk)[1]}


@pytest.mark.rule("E-02")
@pytest.mark.rule("T-08")
@pytest.mark.parametrize("way", WAYS)
def test_in_a_level_field_a_reentry_sits_at_another_table(house: Redis, way: str) -> None:
    tournament = late(8, seats_per_table=6, entries_max=2)
    _, entry = bust(tournament)
    lost_at = KnockOut.objects.get(entry=entry).table_id
    [other] = Table.objects.exclude(pk=lost_at).values_list("pk", flat=True)
    assert _sizes(tournament) == {lost_at: 3, other: 4}
    assert _enters_again(tournament, entry, way).to_table_id == other
    assert _sizes(tournament) == {lost_at: 3, other: 5}
    law(tournament.pk)
    open_tables([other])
    arena = Arena(tournament.pk)
    arena.choose = passive
    assert other in arena.tables()
    arena.hand(other)
    assert _sizes(tournament) == {lost_at: 4, other: 4}, "the table sends a player at once"
    law(tournament.pk)


@pytest.mark.rule("E-02")
@pytest.mark.parametrize("way", WAYS)
def test_a_reentry_sits_at_the_table_of_the_bust_when_others_are_full(
    house: Redis, way: str
) -> None:
    tournament = late(6, seats_per_table=3, entries_max=2)
    _, entry = bust(tournament)
    lost_at = KnockOut.objects.get(entry=entry).table_id
    assert sorted(_sizes(tournament).values()) == [2, 3]
    assert _enters_again(tournament, entry, way).to_table_id == lost_at
    assert Table.objects.count() == 2, "no table opens while a seat is free"
    law(tournament.pk)


@pytest.mark.rule("E-02")
@pytest.mark.rule("E-03")
def test_each_of_two_reentries_avoids_the_table_of_its_own_bust(house: Redis) -> None:
    tournament = late(12, seats_per_table=5, entries_max=4, several_at_once=True)
    at = [Seat.objects.filter(table=table).order_by("pk")[0] for table in Table.objects.all()[:2]]
    user = at[0].user
    Entry.objects.filter(pk=at[1].entry).update(user=user, slot=2)
    Seat.objects.filter(pk=at[1].pk).update(user=user)
    for seat in at:
        arena = dealt_in(tournament, seat)
        arena.states[seat.table_id] = knocked_out(arena.states[seat.table_id], {SMALL})
        assert arena.step(seat.table_id) == "settled"
    first, second = [Entry.objects.select_related("user").get(pk=seat.entry) for seat in at]
    for entry, table in ((second, at[0].table_id), (first, at[1].table_id)):
        sales.answer(user, open_rebuy_offer(entry).pk, buy=True)
        assert Move.objects.latest("pk").to_table_id == table, "the shortest of the others"
    law(tournament.pk)
